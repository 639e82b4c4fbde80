import { evaluateText } from '../expansion/arithmetic.ts';
import { byteOrder } from '../expansion/glob.ts';
import { compareNumbers } from '../execution/conditional.ts';
import { compareFiles, isSet, testFile } from '../execution/file-test.ts';
import { ShellError } from '../state/control.ts';
import type { BuiltIn } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';

const BINARY = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef']);

const UNARY = /^-[a-hknoprstuvwxzGLNORS]$/;

/**
 * Expression grammar of `test`: up to four words are interpreted by their number, more are parsed with `-o`, `-a`, `!`
 * and parentheses.
 */
class Expression {
	#at = 0;
	constructor(
		private readonly shell: Shell,
		private readonly args: string[]
	) {}

	async evaluate(): Promise<boolean> {
		const { args } = this;
		if (args.length === 0) return false;
		const short = args.length <= 4 ? await this.#short(args) : null;
		if (short !== null) return short;
		const result = await this.#or();
		if (this.#at < args.length) throw new ShellError('too many arguments', 2);
		return result;
	}

	/** Evaluates up to four words; null if their number does not determine the meaning. */
	async #short(args: readonly string[]): Promise<boolean | null> {
		const [first = '', second = '', third = '', fourth = ''] = args;
		switch (args.length) {
			case 1:
				return first !== '';
			case 2:
				if (first === '!') return second === '';
				if (UNARY.test(first)) return this.#unary(first, second);
				throw new ShellError(`${first}: unary operator expected`, 2);
			case 3:
				if (second === '-a') return first !== '' && third !== '';
				if (second === '-o') return first !== '' || third !== '';
				if (BINARY.has(second)) return this.#compare(first, second, third);
				if (first === '!') return !(await this.#short(args.slice(1)));
				if (first === '(' && third === ')') return second !== '';
				throw new ShellError(`${second}: binary operator expected`, 2);
			default:
				if (first === '!') return !(await this.#short(args.slice(1)));
				return first === '(' && fourth === ')' ? this.#short(args.slice(1, 3)) : null;
		}
	}

	async #unary(operator: string, operand: string): Promise<boolean> {
		return operator === '-v' ? isSet(this.shell, operand) : testFile(this.shell, operator, operand);
	}

	async #or(): Promise<boolean> {
		let result = await this.#and();
		while (this.args[this.#at] === '-o') {
			this.#at++;
			result = (await this.#and()) || result;
		}
		return result;
	}

	async #and(): Promise<boolean> {
		let result = await this.#term();
		while (this.args[this.#at] === '-a') {
			this.#at++;
			result = (await this.#term()) && result;
		}
		return result;
	}

	async #term(): Promise<boolean> {
		const word = this.args[this.#at];
		if (word === undefined) throw new ShellError('argument expected', 2);
		const left = this.args.length - this.#at;
		if (word === '!') {
			this.#at++;
			return !(await this.#term());
		}
		if (word === '(') {
			this.#at++;
			const result = await this.#or();
			if (this.args[this.#at++] !== ')') throw new ShellError("`)' expected", 2);
			return result;
		}
		const [, second = '', third = ''] = this.args.slice(this.#at);
		if (left >= 3 && BINARY.has(second)) {
			this.#at += 3;
			return this.#compare(word, second, third);
		}
		if (left >= 2 && UNARY.test(word)) {
			this.#at += 2;
			return this.#unary(word, second);
		}
		this.#at++;
		return word !== '';
	}

	async #compare(left: string, operator: string, right: string): Promise<boolean> {
		switch (operator) {
			case '=':
			case '==':
				return left === right;
			case '!=':
				return left !== right;
			case '<':
				return byteOrder(left, right) < 0;
			case '>':
				return byteOrder(left, right) > 0;
			case '-nt':
			case '-ot':
			case '-ef':
				return compareFiles(this.shell, left, operator, right);
		}
		return compareNumbers(await this.#number(left), operator, await this.#number(right));
	}

	async #number(text: string): Promise<bigint> {
		if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new ShellError(`${text}: integer expression expected`, 2);
		return evaluateText(this.shell, text.trim().replace(/^(-?)\+?0*(?=\d)/, '$1'));
	}
}

const run: BuiltIn = async (call) => {
	let { args } = call;
	if (call.name === '[') {
		if (args.at(-1) !== ']') {
			await call.complain("missing `]'");
			return 2;
		}
		args = args.slice(0, -1);
	}
	try {
		return (await new Expression(call.shell, args).evaluate()) ? 0 : 1;
	} catch (error) {
		if (!(error instanceof ShellError)) throw error;
		await call.complain(error.message);
		return error.status;
	}
};

export const testBuiltins: Record<string, BuiltIn> = { test: run, '[': run };
