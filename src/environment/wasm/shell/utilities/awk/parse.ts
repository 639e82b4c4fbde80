import type { Expression, FunctionNode, Program, Statement, Target } from './nodes.ts';
import { AwkError, type Token, tokenize } from './tokens.ts';

/** Reads an awk program. @throws AwkError */
export function parseAwk(source: string): Program {
	return new AwkParser(tokenize(source)).program();
}

const COMPARISONS = new Set(['<', '<=', '==', '!=', '>', '>=']);
const ASSIGNMENTS = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^=']);

class AwkParser {
	#at = 0;
	/** Inside `print` without parentheses `>` is a redirection, inside `for (x in` `in` is no operator. */
	#noGreater = false;
	#noIn = false;
	#readsInput = false;

	constructor(private readonly tokens: readonly Token[]) {}

	program(): Program {
		const program: Program = { begin: [], end: [], rules: [], functions: new Map(), readsInput: false };
		for (;;) {
			this.#separators();
			if (this.#token.kind === 'end') break;
			if (this.#accept('word', 'function')) {
				const definition = this.#function();
				program.functions.set(definition.name, definition);
			} else if (this.#accept('word', 'BEGIN')) program.begin.push(this.#block());
			else if (this.#accept('word', 'END')) program.end.push(this.#block());
			else {
				const pattern = this.#is('operator', '{') ? null : this.#expression();
				let until: Expression | null = null;
				if (this.#accept('operator', ',')) {
					this.#newlines();
					until = this.#expression();
				}
				program.rules.push({ pattern, until, action: this.#is('operator', '{') ? this.#block() : null });
			}
		}
		program.readsInput = this.#readsInput;
		return program;
	}

	get #token(): Token {
		return this.tokens[this.#at] ?? { kind: 'end', text: '', number: 0, line: 0 };
	}

	#is(kind: Token['kind'], text?: string): boolean {
		return this.#token.kind === kind && (text === undefined || this.#token.text === text);
	}

	#accept(kind: Token['kind'], text?: string): boolean {
		if (!this.#is(kind, text)) return false;
		this.#at++;
		return true;
	}

	#expect(text: string): void {
		if (!this.#accept('operator', text)) this.#fail();
	}

	#fail(): never {
		const { text, line } = this.#token;
		throw new AwkError(
			`line ${line}: syntax error at or near ${text === '' ? 'end of file' : text === '\n' ? 'end of line' : text}`
		);
	}

	#newlines(): void {
		while (this.#accept('newline'));
	}

	#separators(): void {
		while (this.#accept('newline') || this.#accept('operator', ';'));
	}

	#name(): string {
		const { kind, text } = this.#token;
		if (kind !== 'name' && kind !== 'call') this.#fail();
		this.#at++;
		return text;
	}

	#function(): FunctionNode {
		const name = this.#name();
		const parameters: string[] = [];
		this.#expect('(');
		while (!this.#accept('operator', ')')) {
			if (parameters.length) this.#expect(',');
			this.#newlines();
			parameters.push(this.#name());
			this.#newlines();
		}
		this.#newlines();
		return { name, parameters, body: this.#block() };
	}

	#block(): Statement {
		this.#expect('{');
		const body: Statement[] = [];
		for (this.#separators(); !this.#accept('operator', '}'); this.#separators()) {
			if (this.#is('end')) this.#fail();
			body.push(this.#statement());
		}
		return { type: 'block', body };
	}

	/** The statement a loop or branch consists of. */
	#body(): Statement {
		this.#newlines();
		if (this.#accept('operator', ';')) return { type: 'block', body: [] };
		return this.#statement();
	}

	#endOfStatement(): void {
		if (this.#is('operator', '}') || this.#is('end')) return;
		if (!this.#accept('operator', ';') && !this.#accept('newline')) this.#fail();
	}

	#statement(): Statement {
		if (this.#is('operator', '{')) return this.#block();
		if (this.#token.kind !== 'word' || this.#is('word', 'getline')) {
			const simple = this.#simple();
			this.#endOfStatement();
			return simple;
		}
		const word = this.#token.text;
		this.#at++;
		switch (word) {
			case 'if': {
				this.#expect('(');
				const test = this.#expression();
				this.#expect(')');
				const yes = this.#body();
				const before = this.#at;
				this.#separators();
				if (this.#accept('word', 'else')) return { type: 'if', test, yes, no: this.#body() };
				this.#at = before;
				return { type: 'if', test, yes, no: null };
			}
			case 'while': {
				this.#expect('(');
				const test = this.#expression();
				this.#expect(')');
				return { type: 'while', test, body: this.#body() };
			}
			case 'do': {
				const body = this.#body();
				this.#separators();
				if (!this.#accept('word', 'while')) this.#fail();
				this.#expect('(');
				const test = this.#expression();
				this.#expect(')');
				this.#endOfStatement();
				return { type: 'do', test, body };
			}
			case 'for':
				return this.#for();
			default: {
				this.#at--;
				const simple = this.#simple();
				this.#endOfStatement();
				return simple;
			}
		}
	}

	#for(): Statement {
		this.#expect('(');
		const [variable, word, array, close] = this.tokens.slice(this.#at, this.#at + 4);
		if (variable?.kind === 'name' && word?.text === 'in' && array?.kind === 'name' && close?.text === ')') {
			this.#at += 4;
			return { type: 'each', variable: variable.text, name: array.text, body: this.#body() };
		}
		const start = this.#is('operator', ';') ? null : this.#simple();
		this.#expect(';');
		this.#newlines();
		const test = this.#is('operator', ';') ? null : this.#expression();
		this.#expect(';');
		this.#newlines();
		const step = this.#is('operator', ')') ? null : this.#simple();
		this.#expect(')');
		return { type: 'for', start, test, step, body: this.#body() };
	}

	#simple(): Statement {
		if (this.#token.kind === 'word') {
			const word = this.#token.text;
			switch (word) {
				case 'print':
				case 'printf':
					this.#at++;
					return this.#print(word === 'printf');
				case 'delete': {
					this.#at++;
					const name = this.#name();
					return { type: 'delete', name, subscript: this.#is('operator', '[') ? this.#subscript() : null };
				}
				case 'exit':
				case 'return':
					this.#at++;
					return { type: word, value: this.#atEnd() ? null : this.#expression() };
				case 'break':
				case 'continue':
				case 'next':
				case 'nextfile':
					this.#at++;
					return { type: word };
			}
		}
		return { type: 'expression', expression: this.#expression() };
	}

	#atEnd(): boolean {
		return this.#is('newline') || this.#is('operator', ';') || this.#is('operator', '}') || this.#is('end');
	}

	#print(format: boolean): Statement {
		let args: Expression[] = [];
		const greater = this.#noGreater;
		this.#noGreater = true;
		if (!this.#atEnd() && !/^(>|>>|\|)$/.test(this.#token.text)) {
			args = this.#list();
			const [only] = args;
			// `print (a, b) > "file"`: the parentheses held the list.
			if (args.length === 1 && only?.type === 'group' && only.items.length > 1) args = only.items;
		}
		let redirect: Extract<Statement, { type: 'print' }>['redirect'] = null;
		const operator = this.#token.text;
		if (this.#token.kind === 'operator' && (operator === '>' || operator === '>>' || operator === '|')) {
			this.#at++;
			redirect = { kind: operator, to: this.#concatenation() };
		}
		this.#noGreater = greater;
		return { type: 'print', format, args, redirect };
	}

	#list(): Expression[] {
		const items = [this.#expression()];
		while (this.#accept('operator', ',')) {
			this.#newlines();
			items.push(this.#expression());
		}
		return items;
	}

	#subscript(): Expression[] {
		this.#expect('[');
		const items = this.#free(() => this.#list());
		this.#expect(']');
		return items;
	}

	/** Inside brackets every operator is itself again. */
	#free<Value>(read: () => Value): Value {
		const before = [this.#noGreater, this.#noIn] as const;
		[this.#noGreater, this.#noIn] = [false, false];
		const value = read();
		[this.#noGreater, this.#noIn] = before;
		return value;
	}

	#expression(): Expression {
		const left = this.#conditional();
		const operator = this.#token.text;
		if (this.#token.kind !== 'operator' || !ASSIGNMENTS.has(operator)) return left;
		// `!x = y` and `a && b = c`: the assignment belongs to the last operand.
		return this.#assignInto(left, operator);
	}

	#assignInto(left: Expression, operator: string): Expression {
		if (isTarget(left)) {
			this.#at++;
			this.#newlines();
			return { type: 'assign', operator, target: left, value: this.#expression() };
		}
		if (left.type === 'unary') return { ...left, operand: this.#assignInto(left.operand, operator) };
		if (left.type === 'and' || left.type === 'or' || left.type === 'binary' || left.type === 'concat')
			return { ...left, right: this.#assignInto(left.right, operator) };
		return this.#fail();
	}

	#conditional(): Expression {
		const test = this.#or();
		if (!this.#accept('operator', '?')) return test;
		this.#newlines();
		const yes = this.#expression();
		this.#newlines();
		this.#expect(':');
		this.#newlines();
		return { type: 'conditional', test, yes, no: this.#expression() };
	}

	#or(): Expression {
		let left = this.#and();
		while (this.#accept('operator', '||')) {
			this.#newlines();
			left = { type: 'or', left, right: this.#and() };
		}
		return left;
	}

	#and(): Expression {
		let left = this.#membership();
		while (this.#accept('operator', '&&')) {
			this.#newlines();
			left = { type: 'and', left, right: this.#membership() };
		}
		return left;
	}

	#membership(): Expression {
		let left = this.#match();
		while (!this.#noIn && this.#accept('word', 'in')) {
			left = { type: 'in', subscript: left.type === 'group' ? left.items : [left], name: this.#name() };
		}
		return left;
	}

	#match(): Expression {
		let left = this.#comparison();
		while (this.#is('operator', '~') || this.#is('operator', '!~')) {
			const negated = this.#token.text === '!~';
			this.#at++;
			left = { type: 'match', negated, left, right: this.#comparison() };
		}
		return left;
	}

	#comparison(): Expression {
		let left = this.#concatenation();
		for (;;) {
			const { kind, text } = this.#token;
			if (kind === 'operator' && text === '|' && this.tokens[this.#at + 1]?.text === 'getline') {
				this.#at += 2;
				left = { type: 'getline', from: 'command', source: left, target: this.#optionalTarget() };
				continue;
			}
			if (kind !== 'operator' || !COMPARISONS.has(text) || (text === '>' && this.#noGreater)) return left;
			this.#at++;
			left = { type: 'binary', operator: text, left, right: this.#concatenation() };
		}
	}

	#concatenation(): Expression {
		let left = this.#additive();
		while (this.#startsOperand()) left = { type: 'concat', left, right: this.#additive() };
		return left;
	}

	#startsOperand(): boolean {
		const { kind, text } = this.#token;
		if (kind === 'operator') return /^([$(]|\+\+|--)$/.test(text);
		if (kind === 'word') return false;
		return kind !== 'newline' && kind !== 'end';
	}

	#additive(): Expression {
		let left = this.#multiplicative();
		while (this.#is('operator', '+') || this.#is('operator', '-')) {
			const operator = this.#token.text;
			this.#at++;
			left = { type: 'binary', operator, left, right: this.#multiplicative() };
		}
		return left;
	}

	#multiplicative(): Expression {
		let left = this.#unary();
		while (this.#is('operator', '*') || this.#is('operator', '/') || this.#is('operator', '%')) {
			const operator = this.#token.text;
			this.#at++;
			left = { type: 'binary', operator, left, right: this.#unary() };
		}
		return left;
	}

	#unary(): Expression {
		const { kind, text } = this.#token;
		if (kind === 'operator' && (text === '!' || text === '-' || text === '+')) {
			this.#at++;
			return { type: 'unary', operator: text, operand: this.#unary() };
		}
		return this.#power();
	}

	#power(): Expression {
		const left = this.#postfix();
		if (!this.#accept('operator', '^')) return left;
		return { type: 'binary', operator: '^', left, right: this.#unary() };
	}

	#postfix(): Expression {
		const operand = this.#primary();
		if (!isTarget(operand)) return operand;
		if (this.#accept('operator', '++')) return { type: 'step', target: operand, by: 1, before: false };
		if (this.#accept('operator', '--')) return { type: 'step', target: operand, by: -1, before: false };
		return operand;
	}

	#optionalTarget(): Target | null {
		if (this.#token.kind !== 'name' && !this.#is('operator', '$')) return null;
		const target = this.#primary();
		return isTarget(target) ? target : this.#fail();
	}

	#primary(): Expression {
		const token = this.#token;
		this.#at++;
		switch (token.kind) {
			case 'number':
				return { type: 'number', value: token.number };
			case 'string':
				return { type: 'string', value: token.text };
			case 'regexp':
				return { type: 'regexp', source: token.text };
			case 'name':
				if (this.#is('operator', '[')) return { type: 'element', name: token.text, subscript: this.#subscript() };
				return { type: 'variable', name: token.text };
			case 'call':
				return { type: 'call', name: token.text, args: this.#arguments() };
			case 'builtin':
				return { type: 'builtin', name: token.text, args: this.#is('operator', '(') ? this.#arguments() : [] };
			case 'word':
				if (token.text === 'getline') return this.#getline();
				break;
			case 'operator':
				if (token.text === '$') return { type: 'field', index: this.#fieldIndex() };
				if (token.text === '(') {
					const items = this.#free(() => this.#list());
					this.#newlines();
					this.#expect(')');
					return { type: 'group', items };
				}
				if (token.text === '++' || token.text === '--') {
					const target = this.#primary();
					if (isTarget(target)) return { type: 'step', target, by: token.text === '++' ? 1 : -1, before: true };
				}
		}
		this.#at--;
		return this.#fail();
	}

	#fieldIndex(): Expression {
		if (this.#accept('operator', '-')) return { type: 'unary', operator: '-', operand: this.#primary() };
		return this.#primary();
	}

	#getline(): Expression {
		const target = this.#optionalTarget();
		if (this.#accept('operator', '<')) return { type: 'getline', from: 'file', source: this.#primary(), target };
		this.#readsInput = true;
		return { type: 'getline', from: 'input', source: null, target };
	}

	#arguments(): Expression[] {
		this.#expect('(');
		return this.#free(() => {
			const args: Expression[] = [];
			this.#newlines();
			while (!this.#accept('operator', ')')) {
				if (args.length) this.#expect(',');
				this.#newlines();
				args.push(this.#expression());
				this.#newlines();
			}
			return args;
		});
	}
}

function isTarget(expression: Expression): expression is Target {
	return expression.type === 'variable' || expression.type === 'element' || expression.type === 'field';
}
