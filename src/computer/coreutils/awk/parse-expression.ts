import { AwkSyntaxError, placed } from './faults.ts';
import type { ArrayNode, Expression, Position, Target } from './nodes.ts';
import { type Dialect, isExtension, isReserved, type Source, type Token, Tokenizer } from './tokens.ts';

const COMPARISONS = new Set(['<', '<=', '==', '!=', '>', '>=']);
const ASSIGNMENTS = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^=']);

/** Characters that may follow a backslash in a pattern. */
const KNOWN_ESCAPES = "abfnrtvx01234567y<>`'BwWsS{}()|*+?.^$\\[]/-";

/** Tells whether a variable's name belongs to no namespace. */
const isGlobal = (name: string): boolean => /^[A-Z][A-Z\d_]*$/.test(name);

/** State shared by the sources of one program. */
export interface ParseState {
	dialect: Dialect;
	/** Errors after which parsing continues; if there are any, the program does not run. */
	faults: string[];
	/** Warnings about legal code, printed before the program runs. */
	warnings: string[];
	/** Pattern escapes already warned about. */
	escapes: Set<string>;
	/** Functions defined so far, including the current one. */
	functions: Set<string>;
	/** Names used as variables: it is an error if a function has the same name. */
	variables: { name: string; at: Position }[];
	readsInput: boolean;
	/** Functions called by name. */
	calls: Set<string>;
	lint: boolean;
}

/** Parses expressions from tokens. Loosest first: each method parses one level of precedence. */
export class ExpressionParser {
	protected at = 0;
	/** Inside `print` without parentheses `>` is a redirection, inside `for (x in` `in` is not an operator. */
	protected noGreater = false;
	protected noIn = false;
	protected namespace = 'awk';
	protected parameters: readonly string[] = [];
	protected readonly tokens: readonly Token[];
	readonly #tokenizer: Tokenizer;

	constructor(
		protected readonly source: Source,
		protected readonly state: ParseState
	) {
		this.#tokenizer = new Tokenizer(source, state.dialect);
		this.tokens = this.#tokenizer.read();
	}

	protected get token(): Token {
		return this.tokens[Math.min(this.at, this.tokens.length - 1)]!;
	}

	protected get position(): Position {
		return { file: this.source.file, line: this.token.line };
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

	protected fail(message = 'syntax error', token = this.token): never {
		const fault = this.#tokenizer.fault(token.at, message);
		throw new AwkSyntaxError([...this.state.faults, ...fault.lines]);
	}

	/** Records an error after which parsing continues. */
	protected error(text: string, at = this.position): void {
		this.state.faults.push(`${placed(at)}error: ${text}`);
	}

	protected newlines(): void {
		while (this.accept('newline'));
	}

	protected separators(): void {
		while (this.accept('newline') || this.accept('operator', ';'));
	}

	/** Qualifies a name with its namespace. */
	protected qualified(name: string): string {
		if (name.startsWith('awk::')) return name.slice(5);
		if (name.includes('::') || this.namespace === 'awk' || isGlobal(name) || this.parameters.includes(name))
			return name;
		return `${this.namespace}::${name}`;
	}

	protected name(): string {
		const { kind, text } = this.token;
		if (kind !== 'name' && kind !== 'call') this.fail();
		this.checkNamespace(this.token);
		this.at++;
		return this.qualified(text);
	}

	/** Checks that no part of a qualified name is a reserved word. */
	protected checkNamespace({ text, line }: Token): void {
		const [space = '', second] = text.split('::');
		if (second === undefined) return;
		const at = { file: this.source.file, line };
		if (isReserved(space)) {
			this.error(`using reserved identifier \`${space}' as a namespace is not allowed`, at);
			this.fail('syntax error', this.#after());
		} else if (isReserved(second) && !isExtension(second)) {
			this.error(`using reserved identifier \`${second}' as second component of a qualified name is not allowed`, at);
			this.fail('syntax error', this.#after());
		}
	}

	#after(): Token {
		return this.tokens[this.at + 1] ?? this.token;
	}

	/** Parses a name used as a variable. */
	protected variable(): string {
		const at = this.position;
		const name = this.name();
		if (!this.parameters.includes(name)) this.state.variables.push({ name, at });
		return name;
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

	/** Parses the inside of brackets, where `>` and `in` are operators again. */
	protected free<Result>(read: () => Result): Result {
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
		if (
			left.type === 'and' ||
			left.type === 'or' ||
			left.type === 'binary' ||
			left.type === 'concat' ||
			left.type === 'match'
		)
			return { ...left, right: this.assignInto(left.right, operator) };
		if (left.type === 'conditional') return { ...left, no: this.assignInto(left.no, operator) };
		if (left.type === 'step' && left.target.type === 'field' && !left.before) {
			const what = left.by === 1 ? 'increment' : 'decrement';
			this.at++;
			this.expression();
			return this.fail(`cannot assign a value to the result of a field post-${what} expression`);
		}
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
		while (!this.noIn && this.accept('word', 'in'))
			left = {
				type: 'in',
				subscript: left.type === 'group' && left.items.length > 1 ? left.items : [left],
				array: this.array()
			};
		return left;
	}

	/** Parses an array: a name, or an element of another array. */
	protected array(): ArrayNode {
		return this.elements({ type: 'variable', name: this.variable() });
	}

	protected elements(start: ArrayNode): ArrayNode {
		let node = start;
		while (this.is('operator', '[')) node = { type: 'element', array: node, subscript: this.subscript() };
		return node;
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
		let compared = false;
		for (;;) {
			const { kind, text } = this.token;
			if (kind === 'operator' && (text === '|' || text === '|&') && this.tokens[this.at + 1]?.text === 'getline') {
				this.at += 2;
				const from = text === '|' ? 'command' : 'coprocess';
				left = { type: 'getline', from, source: left, target: this.optionalTarget() };
				// The value of `getline` may be concatenated with what follows.
				left = this.concatenation(left);
				continue;
			}
			if (kind !== 'operator' || !COMPARISONS.has(text) || (text === '>' && this.noGreater)) return left;
			if (compared) return left;
			compared = true;
			this.at++;
			left = { type: 'binary', operator: text, left, right: this.concatenation() };
		}
	}

	protected concatenation(start?: Expression): Expression {
		let left = this.additive(start);
		while (this.startsOperand()) left = { type: 'concat', left, right: this.additive() };
		return left;
	}

	protected startsOperand(): boolean {
		const { kind, text } = this.token;
		if (kind === 'operator') return /^([$(@]|\+\+|--)$/.test(text);
		if (kind === 'word' || kind === 'directive') return false;
		return kind !== 'newline' && kind !== 'end';
	}

	protected additive(start?: Expression): Expression {
		let left = this.multiplicative(start);
		while (this.is('operator', '+') || this.is('operator', '-')) {
			const operator = this.token.text;
			this.at++;
			left = { type: 'binary', operator, left, right: this.multiplicative() };
		}
		return left;
	}

	protected multiplicative(start?: Expression): Expression {
		let left = start ?? this.unary();
		while (this.is('operator', '*') || this.is('operator', '/') || this.is('operator', '%')) {
			const { text: operator, line } = this.token;
			this.at++;
			const right = this.unary();
			const divisor = right.type === 'group' && right.items.length === 1 ? right.items[0] : right;
			if (operator !== '*' && divisor?.type === 'number' && divisor.value === 0)
				this.error(`division by zero attempted${operator === '%' ? " in `%'" : ''}`, { file: this.source.file, line });
			left = { type: 'binary', operator, left, right };
		}
		return left;
	}

	protected unary(): Expression {
		return this.signed(() => this.unary()) ?? this.power();
	}

	/** Parses a sign with its operand; null if there is no sign. */
	private signed(operand: () => Expression): Expression | null {
		const { kind, text } = this.token;
		if (kind !== 'operator' || (text !== '!' && text !== '-' && text !== '+')) return null;
		this.at++;
		return { type: 'unary', operator: text, operand: operand() };
	}

	protected power(): Expression {
		const left = this.postfix();
		if (!this.accept('operator', '^')) return left;
		return { type: 'binary', operator: '^', left, right: this.powerOperand() };
	}

	protected powerOperand(): Expression {
		const signed = this.signed(() => this.powerOperand());
		if (signed) return signed;
		return this.power();
	}

	protected postfix(): Expression {
		const operand = this.primary();
		return isTarget(operand) && operand.type !== 'field' ? this.stepped(operand) : operand;
	}

	/** Parses an optional `++` or `--` after a target. */
	protected stepped(target: Target): Expression {
		if (this.accept('operator', '++')) return { type: 'step', target, by: 1, before: false };
		if (this.accept('operator', '--')) return { type: 'step', target, by: -1, before: false };
		return target;
	}

	protected optionalTarget(): Target | null {
		if (this.token.kind !== 'name' && !this.is('operator', '$')) return null;
		if (this.accept('operator', '$')) return { type: 'field', index: this.fieldIndex() };
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
			case 'typed regexp':
				this.#checkEscapes(token);
				return { type: 'regexp', source: token.text, isValue: token.kind === 'typed regexp' };
			case 'name':
				this.at--;
				return this.elements({ type: 'variable', name: this.variable() });
			case 'call':
				this.at--;
				return this.functionCall(false);
			case 'builtin':
				return this.builtinOrName(token);
			case 'word':
				if (token.text === 'getline') return this.getline();
				break;
			case 'operator': {
				const found = this.afterOperator(token.text);
				if (found) return found;
			}
		}
		this.at--;
		return this.fail();
	}

	/** Warns, once each, about escapes without a meaning in a pattern. */
	#checkEscapes({ text, line }: Token): void {
		const { escapes, warnings } = this.state;
		const place = placed({ file: this.source.file, line });
		for (const [, escaped = ''] of text.matchAll(/\\([^])/g)) {
			if (KNOWN_ESCAPES.includes(escaped) || escapes.has(escaped)) continue;
			escapes.add(escaped);
			const isDigit = /[89]/.test(escaped);
			const what = isDigit ? `treated as plain \`${escaped}'` : 'is not a known regexp operator';
			warnings.push(`${place}warning: regexp escape sequence \`\\${escaped}' ${what}`);
		}
	}

	protected afterOperator(operator: string): Expression | null {
		switch (operator) {
			case '$':
				return this.stepped({ type: 'field', index: this.fieldIndex() });
			case '@':
				return this.functionCall(true);
			case '(': {
				const items = this.free(() => {
					this.newlines();
					const list = this.list();
					this.newlines();
					return list;
				});
				this.expect(')');
				return { type: 'group', items };
			}
			case '++':
			case '--': {
				const by = operator === '++' ? 1 : -1;
				if (this.accept('operator', '$'))
					return { type: 'step', target: { type: 'field', index: this.fieldIndex() }, by, before: true };
				const target = this.primary();
				return isTarget(target) ? { type: 'step', target, by, before: true } : this.fail();
			}
		}
		return null;
	}

	protected functionCall(indirect: boolean): Expression {
		const at = this.position;
		const { text } = this.token;
		if (this.token.kind !== 'call') this.fail();
		const isParameter = this.parameters.includes(text);
		const name = this.name();
		if (!indirect && isParameter) this.error(`attempt to use non-function \`${text}' in function call`, at);
		if (!indirect) this.state.calls.add(name);
		return { type: 'call', name, args: this.arguments(), at, indirect };
	}

	/** Parses a word as a name in the current namespace. */
	protected takeQualified(): string {
		const name = this.qualified(this.token.text);
		this.at++;
		return name;
	}

	/** gawk's own keywords are ordinary names if a parameter or a namespace declares them. */
	protected builtinOrName(token: Token): Expression {
		const isCall = this.is('operator', '(');
		const name = this.qualified(token.text);
		const isOwn = this.namespace !== 'awk' && isExtension(token.text);
		if (isCall && isOwn && this.state.functions.has(name)) {
			const at = { file: this.source.file, line: token.line };
			return { type: 'call', name, args: this.arguments(), at, indirect: false };
		}
		if (isCall || !(isOwn || this.parameters.includes(token.text))) return this.builtin(token);
		return this.elements({ type: 'variable', name });
	}

	protected builtin(token: Token): Expression {
		const at = { file: this.source.file, line: token.line };
		const name = token.text;
		if (name === 'length' && !this.is('operator', '(')) return { type: 'builtin', name, args: [], at };
		return { type: 'builtin', name, args: this.arguments(), at };
	}

	/** Parses the operand of `$`: a value with optional signs before it, but no operator after it. */
	protected fieldIndex(): Expression {
		const { kind, text } = this.token;
		if (kind === 'operator' && (text === '-' || text === '+' || text === '!')) {
			this.at++;
			return { type: 'unary', operator: text, operand: this.signedIndex() };
		}
		return this.primary();
	}

	/** Parses the operand of a sign after `$`. */
	protected signedIndex(): Expression {
		const { kind, text } = this.token;
		if (kind !== 'operator' || !/^[-+!]$/.test(text)) return this.postfix();
		this.at++;
		return { type: 'unary', operator: text, operand: this.signedIndex() };
	}

	protected getline(): Expression {
		const target = this.optionalTarget();
		if (this.accept('operator', '<')) {
			const source = this.postfix();
			if (source.type === 'string' && /^(?:-|\/dev\/stdin|\/dev\/fd\/0)$/.test(source.value))
				this.state.readsInput = true;
			else if (source.type !== 'string') this.state.readsInput = true;
			return { type: 'getline', from: 'file', source, target };
		}
		this.state.readsInput = true;
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

export function isTarget(expression: Expression): expression is Target {
	return expression.type === 'variable' || expression.type === 'element' || expression.type === 'field';
}
