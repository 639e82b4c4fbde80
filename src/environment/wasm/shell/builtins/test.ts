import { evaluateText } from '../expansion/arithmetic.ts';
import { byteOrder } from '../expansion/glob.ts';
import { compareNumbers } from '../execution/conditional.ts';
import { compareFiles, isSet, testFile } from '../execution/file-test.ts';
import { ShellError } from '../state/control.ts';
import type { BuiltIn } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';

const BINARY = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef']);

/** The expression grammar of `test`: `-o` binds weaker than `-a`, `!` and parentheses as usual. */
class Expression {
	#at = 0;
	constructor(
		private readonly shell: Shell,
		private readonly args: string[]
	) {}

	async evaluate(): Promise<boolean> {
		if (this.args.length === 0) return false;
		if (this.args.length === 1) return this.args[0] !== '';
		const short = this.args.length <= 4 ? await this.#short(this.args) : null;
		if (short !== null) return short;
		const result = await this.#or();
		if (this.#at < this.args.length) throw new ShellError('too many arguments', 2);
		return result;
	}

	/** Up to four words mean what their number says; null where that is no help. */
	async #short(args: readonly string[]): Promise<boolean | null> {
		const [first = '', second = '', third = ''] = args;
		if (args.length === 1) return first !== '';
		if (args.length === 2) return first === '!' ? second === '' : null;
		if (args.length === 3) {
			if (second === '-a') return first !== '' && third !== '';
			if (second === '-o') return first !== '' || third !== '';
			if (BINARY.has(second)) return this.#compare(first, second, third);
			if (first === '(' && third === ')') return second !== '';
		}
		if (first === '!') {
			const inner = await this.#short(args.slice(1));
			return inner === null ? null : !inner;
		}
		return null;
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
		let result = await this.#not();
		while (this.args[this.#at] === '-a') {
			this.#at++;
			result = (await this.#not()) && result;
		}
		return result;
	}

	async #not(): Promise<boolean> {
		if (this.args[this.#at] === '!') {
			this.#at++;
			return !(await this.#not());
		}
		if (this.args[this.#at] === '(' && !BINARY.has(this.args[this.#at + 1] ?? '')) {
			this.#at++;
			const result = await this.#or();
			if (this.args[this.#at++] !== ')') throw new ShellError("`)' expected", 2);
			return result;
		}
		if (BINARY.has(this.args[this.#at + 1] ?? '')) return this.#binary();
		const operator = this.args[this.#at++] ?? '';
		if (!/^-[a-zA-Z]$/.test(operator) || this.#at >= this.args.length) {
			if (this.#at < this.args.length && !/^-[ao]$|^\)$/.test(this.args[this.#at] ?? '')) {
				throw new ShellError(`${this.args[this.#at]}: binary operator expected`, 2);
			}
			return operator !== '';
		}
		return this.#unary(operator, this.args[this.#at++] ?? '');
	}

	async #binary(): Promise<boolean> {
		const [left = '', operator = '', right = ''] = this.args.slice(this.#at, this.#at + 3);
		this.#at += 3;
		return this.#compare(left, operator, right);
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
