import type { Runtime } from './runtime.ts';
import type { CallByName } from './sorting.ts';
import type { AwkArray, Value } from './values.ts';

/** An argument as a function may want it: its value, what it is, the array it names, a pattern, a place to write to. */
export interface Argument {
	value(): Value;
	isRegexp: boolean;
	isVariable: boolean;
	/** Tells what a variable holds, unused; null for other expressions. */
	place: (() => Value | AwkArray) | null;
	array: (() => AwkArray) | null;
	pattern(): RegExp;
	separator(): string | RegExp;
	assign: ((value: Value) => void) | null;
}

/** Tells what functions need of the program that runs. */
export interface Services {
	call: CallByName;
	isFunction(name: string): boolean;
}

export type Builtin = (runtime: Runtime, args: readonly Argument[], services: Services) => Value;
