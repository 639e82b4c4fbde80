import { bessel, mathFunctions } from './functions.ts';
import { type Decimal, decimal, formatDecimal, integer, RuntimeError, ZERO } from './number.ts';

/** Line width of `bc`; a number of that length is broken, since the last column is for the backslash. */
const LINE = 69;
const MOST_SCALE = 2 ** 31 - 1;
const DEEPEST = 1_000;

export interface Procedure {
	/** A reference shares the caller's array. */
	parameters: { name: string; isArray: boolean; isReference?: boolean }[];
	locals: { name: string; isArray: boolean }[];
	run: Statement;
}

/** Runs a statement. Returns how it ended, unless the next one follows: exceptions would be slow. */
export type Statement = () => Return | Jump | undefined;

/** Result of `return`, propagated to its function. */
export class Return {
	constructor(readonly value: Decimal) {}
}

/** Result of `break` and `continue`, propagated to their loop. */
export class Jump {
	constructor(readonly kind: 'break' | 'continue') {}
}

/** Thrown by `quit` and `halt`. */
export class Quit extends Error {}

/** State of a `bc` program. */
export class Interpreter {
	scale = 0;
	inputBase = 10;
	outputBase = 10;
	last: Decimal = ZERO;
	readonly procedures = new Map<string, Procedure>();
	#variables = new Map<string, Decimal>();
	#arrays = new Map<string, Map<bigint, Decimal>>();
	#depth = 0;

	/**
	 * @param hasLibrary whether `-l` was given
	 * @param yieldIfDue called regularly; an error it throws ends the program
	 */
	constructor(
		private readonly print: (text: string) => void,
		private readonly hasLibrary: boolean,
		readonly yieldIfDue: () => void = () => {}
	) {
		if (hasLibrary) this.scale = 20;
	}

	get(name: string): Decimal {
		if (name === 'scale') return decimal(this.scale);
		if (name === 'ibase') return decimal(this.inputBase);
		if (name === 'obase') return decimal(this.outputBase);
		if (name === 'last') return this.last;
		return this.#variables.get(name) ?? ZERO;
	}

	set(name: string, value: Decimal): void {
		const within = (least: number, most: number) => Math.min(Math.max(Number(integer(value)), least), most);
		if (name === 'scale') this.scale = within(0, MOST_SCALE);
		else if (name === 'ibase') this.inputBase = within(2, 36);
		else if (name === 'obase') this.outputBase = within(2, MOST_SCALE);
		else if (name === 'last') this.last = value;
		else this.#variables.set(name, value);
	}

	array(name: string): Map<bigint, Decimal> {
		const known = this.#arrays.get(name) ?? new Map<bigint, Decimal>();
		this.#arrays.set(name, known);
		return known;
	}

	/** Prints a number as a statement or as `print` does. */
	show(value: Decimal, isStatement: boolean): void {
		this.last = value;
		let text = formatDecimal(value, this.outputBase);
		let broken = '';
		for (; text.length >= LINE; text = text.slice(LINE - 1)) broken += `${text.slice(0, LINE - 1)}\\\n`;
		this.print(broken + text + (isStatement ? '\n' : ''));
	}

	write(text: string): void {
		this.print(text);
	}

	/** @throws RuntimeError */
	call(name: string, given: (Decimal | string)[]): Decimal {
		const procedure = this.procedures.get(name);
		const [order, of] = given;
		if (!procedure && this.hasLibrary && name === 'j' && typeof order === 'object' && typeof of === 'object')
			return bessel(order, of, this.scale);
		const own = mathFunctions[name];
		if (!procedure && this.hasLibrary && own) {
			const [x = ZERO] = given;
			return own(typeof x === 'string' ? ZERO : x, this.scale);
		}
		if (!procedure) throw new RuntimeError(`Function ${name} not defined.`);
		if (given.length !== procedure.parameters.length) throw new RuntimeError('Parameter number mismatch');
		if (++this.#depth > DEEPEST) throw new RuntimeError('Stack error.');
		const arrays = given.map((value, index) => {
			if (typeof value !== 'string') return null;
			return procedure.parameters[index]?.isReference ? this.array(value) : new Map(this.array(value));
		});
		const mine = [...procedure.parameters, ...procedure.locals];
		const before = mine.map(({ name: one, isArray }) => (isArray ? this.#arrays.get(one) : this.#variables.get(one)));
		mine.forEach(({ name: one, isArray }, index) => {
			const value = given[index];
			if (isArray) this.#arrays.set(one, arrays[index] ?? new Map());
			else this.#variables.set(one, value === undefined || typeof value === 'string' ? ZERO : value);
		});
		try {
			const end = procedure.run();
			return end instanceof Return ? end.value : ZERO;
		} finally {
			this.#depth--;
			mine.forEach(({ name: one }, index) => {
				const value = before[index];
				if (value instanceof Map) this.#arrays.set(one, value);
				else if (value) this.#variables.set(one, value);
				else {
					this.#arrays.delete(mine[index]?.isArray ? one : '');
					this.#variables.delete(mine[index]?.isArray ? '' : one);
				}
			});
		}
	}
}
