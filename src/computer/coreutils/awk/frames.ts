import type { Cell, Value } from './values.ts';

export type Evaluate = () => Value;
/** Executes a statement and returns how it completed: normally, out of a loop, or out of the function. */
export type Execute = () => 'break' | 'continue' | 'return' | undefined;

export interface Procedure {
	name: string;
	parameters: string[];
	run: Execute;
}

/** Frame of a function call: its parameters, and the caller's names of its arguments. */
export interface Frame {
	cells: Cell[];
	names: readonly string[];
	/** For each argument, the name of the variable that was passed. */
	origins: readonly (string | null)[];
	caller: Frame | null;
}
