import { subscriptEnd } from '../parser/subscript.ts';
import { ShellError } from '../state/control.ts';

/** Arithmetic expression after its `$` parts have been expanded. */
export type Expression =
	| { type: 'number'; value: bigint }
	| { type: 'variable'; name: string; subscript: string | null }
	| { type: 'unary'; operator: string; operand: Expression }
	| { type: 'step'; operator: '++' | '--'; isPrefix: boolean; target: Target }
	/** `rest`: the text starting at the last token of the right operand, for messages. */
	| { type: 'binary'; operator: string; left: Expression; right: Expression; rest: string }
	| { type: 'choice'; condition: Expression; yes: Expression; no: Expression }
	| { type: 'assign'; operator: string; target: Target; value: Expression };
export type Target = Extract<Expression, { type: 'variable' }>;

/** Binary operators from lowest to highest precedence, except `**`. */
const LEVELS: readonly (readonly string[])[] = [
	['||'],
	['&&'],
	['|'],
	['^'],
	['&'],
	['==', '!='],
	['<=', '>=', '<', '>'],
	['<<', '>>'],
	['+', '-'],
	['*', '/', '%']
];
const ASSIGNMENTS = ['<<=', '>>=', '*=', '/=', '%=', '+=', '-=', '&=', '^=', '|=', '='];
const TOKEN = /<<=|>>=|\*\*|&&|\|\||<<|>>|<=|>=|==|!=|\+\+|--|[-+*/%&^|]=|[-+*/%&^|<>=!~?:,()]/y;

/** @throws ShellError */
export function parseExpression(text: string): Expression {
	return new ExpressionParser(text).whole();
}

class ExpressionParser {
	#at = 0;
	/** Start of the last operand or operator, for messages. */
	#last = 0;

	constructor(private readonly text: string) {}

	whole(): Expression {
		this.#blanks();
		if (this.#ended) return { type: 'number', value: 0n };
		const expression = this.#comma();
		if (this.#ended) return expression;
		const isToken = /[\w=<>+*/%!()&|^~:?,-]/.test(this.text[this.#at] ?? '');
		this.#fail(isToken ? 'syntax error in expression' : 'syntax error: invalid arithmetic operator', this.#at);
	}

	get #ended(): boolean {
		return this.#at >= this.text.length;
	}

	get #rest(): string {
		return this.text.slice(this.#last);
	}

	#blanks(): void {
		while (/\s/.test(this.text[this.#at] ?? '')) this.#at++;
	}

	#peek(): string {
		TOKEN.lastIndex = this.#at;
		return TOKEN.exec(this.text)?.[0] ?? '';
	}

	#take(token: string): boolean {
		if (this.#peek() !== token) return false;
		this.#last = this.#at;
		this.#at += token.length;
		this.#blanks();
		return true;
	}

	#fail(message: string, from = this.#last): never {
		throw new ShellError(`${this.text.trimStart()}: ${message} (error token is "${this.text.slice(from)}")`, 1, 'line');
	}

	#comma(): Expression {
		let left = this.#assignment();
		while (this.#take(',')) left = { type: 'binary', operator: ',', left, right: this.#assignment(), rest: this.#rest };
		return left;
	}

	#assignment(): Expression {
		const left = this.#choice();
		const operator = ASSIGNMENTS.find((known) => this.#peek() === known);
		if (operator === undefined) return left;
		if (left.type !== 'variable') this.#fail('attempted assignment to non-variable', this.#at);
		this.#take(operator);
		return { type: 'assign', operator: operator.slice(0, -1), target: left, value: this.#assignment() };
	}

	#choice(): Expression {
		const condition = this.#level(0);
		if (!this.#take('?')) return condition;
		if (this.#ended || this.#peek() === ':') this.#fail('expression expected', this.#ended ? this.#last : this.#at);
		const yes = this.#comma();
		if (!this.#take(':')) this.#fail("`:' expected for conditional expression");
		if (this.#ended) this.#fail('expression expected');
		return { type: 'choice', condition, yes, no: this.#choice() };
	}

	#level(level: number): Expression {
		const operators = LEVELS[level];
		if (!operators) return this.#power();
		let left = this.#level(level + 1);
		for (;;) {
			const operator = this.#binaryAt(operators);
			if (operator === null) return left;
			left = { type: 'binary', operator, left, right: this.#level(level + 1), rest: this.#rest };
		}
	}

	/** Parses a binary operator of a level; `--` after anything but a variable is a minus and a sign. */
	#binaryAt(operators: readonly string[]): string | null {
		const token = this.#peek();
		const operator = token === '--' || token === '++' ? token.charAt(0) : token;
		if (!operators.includes(operator)) return null;
		this.#last = this.#at;
		this.#at += operator.length;
		this.#blanks();
		return operator;
	}

	#power(): Expression {
		const left = this.#unary();
		return this.#take('**') ? { type: 'binary', operator: '**', left, right: this.#power(), rest: this.#rest } : left;
	}

	#unary(): Expression {
		const operator = this.#peek();
		if (operator === '++' || operator === '--') {
			const { at } = { at: this.#at };
			this.#take(operator);
			if (/[A-Za-z_]/.test(this.text[this.#at] ?? '')) {
				const target = this.#operand();
				if (target.type === 'variable') return { type: 'step', operator, isPrefix: true, target };
			}
			this.#at = at + 1;
			this.#blanks();
			return { type: 'unary', operator: operator[0] ?? '+', operand: this.#unary() };
		}
		if (operator !== '' && '!~+-'.includes(operator)) {
			this.#take(operator);
			return { type: 'unary', operator, operand: this.#unary() };
		}
		const operand = this.#operand();
		const after = this.#peek();
		if (operand.type !== 'variable' || (after !== '++' && after !== '--')) return operand;
		this.#take(after);
		return { type: 'step', operator: after, isPrefix: false, target: operand };
	}

	#operand(): Expression {
		if (this.#take('(')) {
			const inner = this.#comma();
			if (!this.#take(')')) this.#fail("missing `)'");
			return inner;
		}
		const rest = this.text.slice(this.#at);
		const number = /^[0-9][0-9A-Za-z_@#]*/.exec(rest)?.[0];
		if (number !== undefined) {
			const value = this.#number(number);
			this.#last = this.#at;
			this.#at += number.length;
			this.#blanks();
			return { type: 'number', value };
		}
		const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(rest)?.[0];
		if (name === undefined) {
			if (!this.#ended) this.#last = this.#at;
			return this.#fail('syntax error: operand expected');
		}
		this.#last = this.#at;
		this.#at += name.length;
		const subscript = this.#subscript();
		this.#blanks();
		return { type: 'variable', name, subscript };
	}

	#subscript(): string | null {
		if (this.text[this.#at] !== '[') return null;
		const from = this.#at + 1;
		const end = subscriptEnd(this.text, this.#at);
		if (end < 0) return this.#fail('bad array subscript');
		this.#at = end + 1;
		return this.text.slice(from, end);
	}

	#number(text: string): bigint {
		const [base, digits] = text.includes('#')
			? [Number(text.slice(0, text.indexOf('#'))), text.slice(text.indexOf('#') + 1)]
			: /^0[xX]/.test(text)
				? [16, text.slice(2)]
				: text.startsWith('0')
					? [8, text]
					: [10, text];
		const fail = (message: string): never => {
			throw new ShellError(`${text}: ${message} (error token is "${text}")`, 1, 'line');
		};
		if (/^0[0-9]*#|#.*#/.test(text)) fail('invalid number');
		if (!(base >= 2 && base <= 64)) fail('invalid arithmetic base');
		if (digits === '' && text.includes('#')) fail('invalid integer constant');
		let value = 0n;
		for (const digit of digits) {
			const worth = digitOf(digit, base);
			if (worth < 0 || worth >= base) fail('value too great for base');
			value = value * BigInt(base) + BigInt(worth);
		}
		return BigInt.asIntN(64, value);
	}
}

function digitOf(digit: string, base: number): number {
	if (/[0-9]/.test(digit)) return Number(digit);
	if (/[a-z]/.test(digit)) return digit.charCodeAt(0) - 87;
	if (/[A-Z]/.test(digit)) return base <= 36 ? digit.charCodeAt(0) - 55 : digit.charCodeAt(0) - 29;
	return digit === '@' ? 62 : digit === '_' ? 63 : -1;
}
