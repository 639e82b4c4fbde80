import type { Expression, Target } from './nodes.ts';
import { AwkError, type Token } from './tokens.ts';

const COMPARISONS = new Set(['<', '<=', '==', '!=', '>', '>=']);
const ASSIGNMENTS = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^=']);

/** Reads expressions from tokens. Loosest first: each method reads one level of precedence. */
export class ExpressionParser {
	protected at = 0;
	/** Inside `print` without parentheses `>` is a redirection, inside `for (x in` `in` is no operator. */
	protected noGreater = false;
	protected noIn = false;
	protected readsInput = false;

	constructor(protected readonly tokens: readonly Token[]) {}

	protected get token(): Token {
		return this.tokens[this.at] ?? { kind: 'end', text: '', number: 0, line: 0 };
	}

	protected is(kind: Token['kind'], text?: string): boolean {
		return this.token.kind === kind && (text === undefined || this.token.text === text);
	}

	protected accept(kind: Token['kind'], text?: string): boolean {
		if (!this.is(kind, text)) return false;
		this.at++;
		return true;
	}

	protected expect(text: string): void {
		if (!this.accept('operator', text)) this.fail();
	}

	protected fail(): never {
		const { text, line } = this.token;
		throw new AwkError(
			`line ${line}: syntax error at or near ${text === '' ? 'end of file' : text === '\n' ? 'end of line' : text}`
		);
	}

	protected newlines(): void {
		while (this.accept('newline'));
	}

	protected separators(): void {
		while (this.accept('newline') || this.accept('operator', ';'));
	}

	protected name(): string {
		const { kind, text } = this.token;
		if (kind !== 'name' && kind !== 'call') this.fail();
		this.at++;
		return text;
	}

	protected list(): Expression[] {
		const items = [this.expression()];
		while (this.accept('operator', ',')) {
			this.newlines();
			items.push(this.expression());
		}
		return items;
	}

	protected subscript(): Expression[] {
		this.expect('[');
		const items = this.free(() => this.list());
		this.expect(']');
		return items;
	}

	/** Inside brackets every operator is itself again. */
	protected free<Value>(read: () => Value): Value {
		const before = [this.noGreater, this.noIn] as const;
		[this.noGreater, this.noIn] = [false, false];
		const value = read();
		[this.noGreater, this.noIn] = before;
		return value;
	}

	protected expression(): Expression {
		const left = this.conditional();
		const operator = this.token.text;
		if (this.token.kind !== 'operator' || !ASSIGNMENTS.has(operator)) return left;
		// `!x = y` and `a && b = c`: the assignment belongs to the last operand.
		return this.assignInto(left, operator);
	}

	protected assignInto(left: Expression, operator: string): Expression {
		if (isTarget(left)) {
			this.at++;
			this.newlines();
			return { type: 'assign', operator, target: left, value: this.expression() };
		}
		if (left.type === 'unary') return { ...left, operand: this.assignInto(left.operand, operator) };
		if (left.type === 'and' || left.type === 'or' || left.type === 'binary' || left.type === 'concat')
			return { ...left, right: this.assignInto(left.right, operator) };
		return this.fail();
	}

	protected conditional(): Expression {
		const test = this.or();
		if (!this.accept('operator', '?')) return test;
		this.newlines();
		const yes = this.expression();
		this.newlines();
		this.expect(':');
		this.newlines();
		return { type: 'conditional', test, yes, no: this.expression() };
	}

	protected or(): Expression {
		let left = this.and();
		while (this.accept('operator', '||')) {
			this.newlines();
			left = { type: 'or', left, right: this.and() };
		}
		return left;
	}

	protected and(): Expression {
		let left = this.membership();
		while (this.accept('operator', '&&')) {
			this.newlines();
			left = { type: 'and', left, right: this.membership() };
		}
		return left;
	}

	protected membership(): Expression {
		let left = this.match();
		while (!this.noIn && this.accept('word', 'in')) {
			left = { type: 'in', subscript: left.type === 'group' ? left.items : [left], name: this.name() };
		}
		return left;
	}

	protected match(): Expression {
		let left = this.comparison();
		while (this.is('operator', '~') || this.is('operator', '!~')) {
			const negated = this.token.text === '!~';
			this.at++;
			left = { type: 'match', negated, left, right: this.comparison() };
		}
		return left;
	}

	protected comparison(): Expression {
		let left = this.concatenation();
		for (;;) {
			const { kind, text } = this.token;
			if (kind === 'operator' && text === '|' && this.tokens[this.at + 1]?.text === 'getline') {
				this.at += 2;
				left = { type: 'getline', from: 'command', source: left, target: this.optionalTarget() };
				continue;
			}
			if (kind !== 'operator' || !COMPARISONS.has(text) || (text === '>' && this.noGreater)) return left;
			this.at++;
			left = { type: 'binary', operator: text, left, right: this.concatenation() };
		}
	}

	protected concatenation(): Expression {
		let left = this.additive();
		while (this.startsOperand()) left = { type: 'concat', left, right: this.additive() };
		return left;
	}

	protected startsOperand(): boolean {
		const { kind, text } = this.token;
		if (kind === 'operator') return /^([$(]|\+\+|--)$/.test(text);
		if (kind === 'word') return false;
		return kind !== 'newline' && kind !== 'end';
	}

	protected additive(): Expression {
		let left = this.multiplicative();
		while (this.is('operator', '+') || this.is('operator', '-')) {
			const operator = this.token.text;
			this.at++;
			left = { type: 'binary', operator, left, right: this.multiplicative() };
		}
		return left;
	}

	protected multiplicative(): Expression {
		let left = this.unary();
		while (this.is('operator', '*') || this.is('operator', '/') || this.is('operator', '%')) {
			const operator = this.token.text;
			this.at++;
			left = { type: 'binary', operator, left, right: this.unary() };
		}
		return left;
	}

	protected unary(): Expression {
		const { kind, text } = this.token;
		if (kind === 'operator' && (text === '!' || text === '-' || text === '+')) {
			this.at++;
			return { type: 'unary', operator: text, operand: this.unary() };
		}
		return this.power();
	}

	protected power(): Expression {
		const left = this.postfix();
		if (!this.accept('operator', '^')) return left;
		return { type: 'binary', operator: '^', left, right: this.unary() };
	}

	protected postfix(): Expression {
		const operand = this.primary();
		if (!isTarget(operand)) return operand;
		if (this.accept('operator', '++')) return { type: 'step', target: operand, by: 1, before: false };
		if (this.accept('operator', '--')) return { type: 'step', target: operand, by: -1, before: false };
		return operand;
	}

	protected optionalTarget(): Target | null {
		if (this.token.kind !== 'name' && !this.is('operator', '$')) return null;
		const target = this.primary();
		return isTarget(target) ? target : this.fail();
	}

	protected primary(): Expression {
		const token = this.token;
		this.at++;
		switch (token.kind) {
			case 'number':
				return { type: 'number', value: token.number };
			case 'string':
				return { type: 'string', value: token.text };
			case 'regexp':
				return { type: 'regexp', source: token.text };
			case 'name':
				if (this.is('operator', '[')) return { type: 'element', name: token.text, subscript: this.subscript() };
				return { type: 'variable', name: token.text };
			case 'call':
				return { type: 'call', name: token.text, args: this.arguments() };
			case 'builtin':
				return { type: 'builtin', name: token.text, args: this.is('operator', '(') ? this.arguments() : [] };
			case 'word':
				if (token.text === 'getline') return this.getline();
				break;
			case 'operator':
				if (token.text === '$') return { type: 'field', index: this.fieldIndex() };
				if (token.text === '(') {
					const items = this.free(() => this.list());
					this.newlines();
					this.expect(')');
					return { type: 'group', items };
				}
				if (token.text === '++' || token.text === '--') {
					const target = this.primary();
					if (isTarget(target)) return { type: 'step', target, by: token.text === '++' ? 1 : -1, before: true };
				}
		}
		this.at--;
		return this.fail();
	}

	protected fieldIndex(): Expression {
		if (this.accept('operator', '-')) return { type: 'unary', operator: '-', operand: this.primary() };
		return this.primary();
	}

	protected getline(): Expression {
		const target = this.optionalTarget();
		if (this.accept('operator', '<')) return { type: 'getline', from: 'file', source: this.primary(), target };
		this.readsInput = true;
		return { type: 'getline', from: 'input', source: null, target };
	}

	protected arguments(): Expression[] {
		this.expect('(');
		return this.free(() => {
			const args: Expression[] = [];
			this.newlines();
			while (!this.accept('operator', ')')) {
				if (args.length) this.expect(',');
				this.newlines();
				args.push(this.expression());
				this.newlines();
			}
			return args;
		});
	}
}

function isTarget(expression: Expression): expression is Target {
	return expression.type === 'variable' || expression.type === 'element' || expression.type === 'field';
}
