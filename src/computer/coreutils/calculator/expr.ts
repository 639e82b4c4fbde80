import type { BuiltIn } from '#computer/shell/state/host.ts';
import { PatternError, posixPattern } from '../text/posix-pattern.ts';

/** Ends `expr` with status 2 and a message. */
class ExprError extends Error {}

const INTEGER = /^[-+]?\d+$/;

/** POSIX's `expr`, with GNU's `length`, `substr`, `index` and `match`. Integers are arbitrarily large. */
class Expression {
	#at = 0;

	constructor(private readonly words: readonly string[]) {}

	value(): string {
		const value = this.#or();
		if (this.#at < this.words.length)
			throw new ExprError(`syntax error: unexpected argument '${this.words[this.#at]}'`);
		return value;
	}

	#take(...operators: string[]): string | null {
		const word = this.words[this.#at];
		if (word === undefined || !operators.includes(word)) return null;
		this.#at++;
		return word;
	}

	#or(): string {
		let left = this.#and();
		while (this.#take('|')) {
			const right = this.#and();
			left = isTrue(left) ? left : isTrue(right) ? right : '0';
		}
		return left;
	}

	#and(): string {
		let left = this.#compared();
		while (this.#take('&')) {
			const right = this.#compared();
			left = isTrue(left) && isTrue(right) ? left : '0';
		}
		return left;
	}

	#compared(): string {
		let left = this.#sum();
		for (let operator; (operator = this.#take('<', '<=', '=', '==', '!=', '>=', '>'));) {
			const right = this.#sum();
			const areNumbers = INTEGER.test(left) && INTEGER.test(right);
			const order = areNumbers ? compare(BigInt(left), BigInt(right)) : compare(left, right);
			const holds =
				{ '<': order < 0, '<=': order <= 0, '!=': order !== 0, '>=': order >= 0, '>': order > 0 }[operator] ??
				order === 0;
			left = holds ? '1' : '0';
		}
		return left;
	}

	#sum(): string {
		let left = this.#product();
		for (let operator; (operator = this.#take('+', '-'));) {
			const right = number(this.#product());
			left = String(operator === '+' ? number(left) + right : number(left) - right);
		}
		return left;
	}

	#product(): string {
		let left = this.#matched();
		for (let operator; (operator = this.#take('*', '/', '%'));) {
			const [a, b] = [number(left), number(this.#matched())];
			if (operator !== '*' && b === 0n) throw new ExprError('division by zero');
			left = String(operator === '*' ? a * b : operator === '/' ? a / b : a % b);
		}
		return left;
	}

	#matched(): string {
		let left = this.#word();
		while (this.#take(':')) left = match(left, this.#word());
		return left;
	}

	#word(): string {
		const word = this.words[this.#at++];
		if (word === undefined) {
			const before = this.words.at(-1);
			throw new ExprError(
				before === undefined ? 'missing operand' : `syntax error: missing argument after '${before}'`
			);
		}
		switch (word) {
			case '(': {
				const value = this.#or();
				if (!this.#take(')')) throw new ExprError(`syntax error: expecting ')' after '${this.words[this.#at - 1]}'`);
				return value;
			}
			case '+':
				return this.words[this.#at++] ?? '';
			case 'length':
				return String([...this.#word()].length);
			case 'match':
				return match(this.#word(), this.#word());
			case 'index': {
				const [text, letters] = [[...this.#word()], this.#word()];
				return String(text.findIndex((letter) => letters.includes(letter)) + 1);
			}
			case 'substr': {
				const [text, from, length] = [[...this.#word()], this.#word(), this.#word()];
				if (!INTEGER.test(from) || !INTEGER.test(length) || Number(from) < 1 || Number(length) < 1) return '';
				return text.slice(Number(from) - 1, Number(from) - 1 + Number(length)).join('');
			}
			default:
				return word;
		}
	}
}

const isTrue = (value: string) => !/^-?0*$/.test(value);
const compare = <T extends string | bigint>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);

function number(text: string): bigint {
	if (!INTEGER.test(text)) throw new ExprError('non-integer argument');
	return BigInt(text);
}

/** Matches a basic regular expression at the start: returns its first group, or without a group the match's length. */
function match(text: string, pattern: string): string {
	const hasGroup = /(?:^|[^\\])(?:\\\\)*\\\(/.test(pattern);
	const found = new RegExp(`^(?:${posixPattern(pattern.replace(/^\^/, ''), { extended: false }).source})`, 'su').exec(
		text
	);
	return hasGroup ? (found?.[1] ?? '') : String([...(found?.[0] ?? '')].length);
}

/** `expr`: status 1 if the result is empty or 0. */
export const expr: BuiltIn = async (call) => {
	try {
		const value = new Expression(call.args[0] === '--' ? call.args.slice(1) : call.args).value();
		await call.out(`${value}\n`);
		return isTrue(value) ? 0 : 1;
	} catch (error) {
		if (!(error instanceof ExprError) && !(error instanceof PatternError)) throw error;
		await call.complain(error.message);
		return 2;
	}
};
