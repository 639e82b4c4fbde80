import type { Runtime } from './runtime.ts';
import type { CallByName } from './sorting.ts';
import type { AwkArray, Value } from './values.ts';

/** Argument in all forms that a function may need: its value, its variable, its array, a pattern, an assignment. */
export interface Argument {
	value(): Value;
	isRegexp: boolean;
	isVariable: boolean;
	/** Returns what a variable contains, without using it; null for other expressions. */
	place: (() => Value | AwkArray) | null;
	array: (() => AwkArray) | null;
	pattern(): RegExp;
	separator(): string | RegExp;
	assign: ((value: Value) => void) | null;
}

/** Services of the running program for functions. */
export interface Services {
	call: CallByName;
	isFunction(name: string): boolean;
}

export type Builtin = (runtime: Runtime, args: readonly Argument[], services: Services) => Value;
