import type { Runtime } from './runtime.ts';
import type { CallByName } from './sorting.ts';
import type { AwkArray, Value } from './values.ts';

/**
 * An argument of a built-in function, in every form the function may need: value, array, pattern, target of an
 * assignment.
 */
export interface Argument {
	value(): Value;
	isRegexp: boolean;
	isVariable: boolean;
	/** Returns the content of a variable without marking it as used; null for other expressions. */
	place: (() => Value | AwkArray) | null;
	array: (() => AwkArray) | null;
	pattern(): RegExp;
	separator(): string | RegExp;
	assign: ((value: Value) => void) | null;
}

/** Services that functions need from the running program. */
export interface Services {
	call: CallByName;
	isFunction(name: string): boolean;
}

export type Builtin = (runtime: Runtime, args: readonly Argument[], services: Services) => Value;
