import type { Interpreter } from './interpreter.ts';
import * as number from './number.ts';
import { type Decimal, ONE, ZERO } from './number.ts';
import { SyntaxProblem, type Token } from './tokens.ts';

export type Expression = () => Decimal;

/** Target of an assignment. */
interface Place {
	get: () => Decimal;
	set: (value: Decimal) => void;
}

const LEVELS: string[][] = [['||'], ['&&'], ['<', '<=', '>', '>=', '==', '!='], ['+', '-'], ['*', '/', '%']];
/** Precedence level of `+` and `-`. */
const SUMS = 3;
const SPECIAL = new Set(['scale', 'ibase', 'obase', 'last']);
const KEYWORDS = new Set(
	'auto break continue define else for halt if print quit read return sqrt length while limits'.split(' ')
);

/** Compiles expressions to functions that calculate them. */
export class ExpressionReader {
	protected at = 0;
	private readonly assignments = new WeakSet<Expression>();

	constructor(
		protected readonly tokens: readonly Token[],
		protected readonly interpreter: Interpreter
	) {}

	protected get token(): Token {
		return this.tokens[this.at] ?? { kind: 'end', text: '', line: 0 };
	}

	protected is(...texts: string[]): boolean {
		return (this.token.kind === 'sign' || this.token.kind === 'name') && texts.includes(this.token.text);
	}

	protected take(text: string): boolean {
		if (!this.is(text)) return false;
		this.at++;
		return true;
	}

	/** @throws SyntaxProblem */
	protected expect(text: string): void {
		if (!this.take(text)) throw this.problem();
	}

	protected problem(): SyntaxProblem {
		return new SyntaxProblem(this.token.line);
	}

	protected name(): string {
		const { kind, text } = this.token;
		if (kind !== 'name' || KEYWORDS.has(text)) throw this.problem();
		this.at++;
		return text;
	}

	/** @returns whether it is an assignment, whose value a statement does not print */
	protected expression(): { value: Expression; isAssignment: boolean } {
		const value = this.binary(0);
		return { value, isAssignment: this.assignments.has(value) };
	}

	private binary(level: number): Expression {
		const operators = LEVELS[level];
		if (!operators) return this.unary();
		// `!` binds more tightly than `&&` and less than comparisons.
		if (level === 2 && this.take('!')) {
			const value = this.binary(2);
			return () => truth(number.isZero(value()));
		}
		let left = this.binary(level + 1);
		while (this.is(...operators)) {
			const operator = this.token.text;
			this.at++;
			const [before, after] = [left, this.binary(level + 1)];
			left =
				operator === '&&'
					? () => truth(!number.isZero(before()) && !number.isZero(after()))
					: operator === '||'
						? () => truth(!number.isZero(before()) || !number.isZero(after()))
						: () => this.calculated(operator, before(), after());
		}
		return left;
	}

	private unary(): Expression {
		if (this.take('!')) {
			const value = this.unary();
			return () => truth(number.isZero(value()));
		}
		return this.powered();
	}

	/** Right-associative. A minus has higher precedence. */
	private powered(): Expression {
		const base = this.signed();
		if (!this.take('^')) return base;
		const exponent = this.powered();
		return () => this.calculated('^', base(), exponent());
	}

	private signed(): Expression {
		if (!this.take('-')) return this.primary();
		const value = this.signed();
		return () => number.negated(value());
	}

	private primary(): Expression {
		const { kind, text } = this.token;
		if (kind === 'number') {
			this.at++;
			let [read, base]: [Decimal, number] = [ZERO, 0];
			return () => {
				if (base !== this.interpreter.inputBase) {
					base = this.interpreter.inputBase;
					read = number.parseDecimal(text, base);
				}
				return read;
			};
		}
		if (this.take('(')) {
			const { value } = this.expression();
			this.expect(')');
			// An assignment in parentheses is printed too.
			return () => value();
		}
		if (this.is('++', '--')) {
			this.at++;
			const place = this.place();
			const step = text === '++' ? ONE : number.decimal(-1);
			return () => {
				place.set(number.add(place.get(), step));
				return place.get();
			};
		}
		if (this.is('sqrt', 'length') || (this.is('scale') && this.tokens[this.at + 1]?.text === '(')) {
			this.at++;
			return this.builtIn(text);
		}
		if (kind === 'name' && this.tokens[this.at + 1]?.text === '(' && !SPECIAL.has(text)) return this.call();
		const place = this.place();
		if (this.token.kind === 'sign' && /^[-+*/%^]?=$/.test(this.token.text)) return this.assignment(place);
		if (!this.is('++', '--')) return place.get;
		const step = this.is('++') ? ONE : number.decimal(-1);
		this.at++;
		return () => {
			const before = place.get();
			place.set(number.add(before, step));
			return before;
		};
	}

	/** Parses the right side as a sum: comparisons and logical operators bind less tightly than assignments. */
	private assignment(place: Place): Expression {
		const operator = this.token.text.slice(0, -1);
		this.at++;
		const value = this.binary(SUMS);
		const assign = (): Decimal => {
			const given = value();
			place.set(operator === '' ? given : this.calculated(operator, place.get(), given));
			return place.get();
		};
		this.assignments.add(assign);
		return assign;
	}

	private builtIn(name: string): Expression {
		this.expect('(');
		const { value } = this.expression();
		this.expect(')');
		if (name === 'sqrt') return () => number.squareRoot(value(), this.interpreter.scale);
		if (name === 'scale') return () => number.decimal(value().scale);
		return () => {
			const { digits, scale } = value();
			return number.decimal(Math.max(String(digits).replace('-', '').length, scale));
		};
	}

	private call(): Expression {
		const name = this.name();
		this.expect('(');
		const given: (Expression | string)[] = [];
		while (!this.is(')')) {
			if (given.length > 0) this.expect(',');
			const array =
				this.token.kind === 'name' && this.tokens[this.at + 1]?.text === '[' && this.tokens[this.at + 2]?.text === ']';
			if (array) {
				given.push(this.name());
				this.at += 2;
			} else given.push(this.expression().value);
		}
		this.expect(')');
		return () =>
			this.interpreter.call(
				name,
				given.map((one) => (typeof one === 'string' ? one : one()))
			);
	}

	private place(): Place {
		const place = this.placeOrNull();
		if (!place) throw this.problem();
		return place;
	}

	private placeOrNull(): Place | null {
		const { interpreter } = this;
		if (this.take('.')) return { get: () => interpreter.last, set: (value) => interpreter.set('last', value) };
		if (this.token.kind !== 'name' || KEYWORDS.has(this.token.text)) return null;
		const name = this.name();
		if (!this.take('[')) return { get: () => interpreter.get(name), set: (value) => interpreter.set(name, value) };
		const { value: index } = this.expression();
		this.expect(']');
		return {
			get: () => interpreter.array(name).get(number.integer(index())) ?? ZERO,
			set: (value) => void interpreter.array(name).set(number.integer(index()), value)
		};
	}

	private calculated(operator: string, a: Decimal, b: Decimal): Decimal {
		const { scale } = this.interpreter;
		switch (operator) {
			case '+':
				return number.add(a, b);
			case '-':
				return number.subtract(a, b);
			case '*':
				return number.multiply(a, b, scale);
			case '/':
				return number.divide(a, b, scale);
			case '%':
				return number.remainder(a, b, scale);
			case '^':
				return number.power(a, b, scale);
		}
		return truth(holds(operator, number.compare(a, b)));
	}
}

function holds(comparison: string, order: number): boolean {
	switch (comparison) {
		case '<':
			return order < 0;
		case '<=':
			return order <= 0;
		case '>':
			return order > 0;
		case '>=':
			return order >= 0;
		case '==':
			return order === 0;
		default:
			return order !== 0;
	}
}

const truth = (holds: boolean): Decimal => (holds ? ONE : ZERO);
