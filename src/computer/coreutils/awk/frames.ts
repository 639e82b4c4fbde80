import type { Cell, Value } from './values.ts';

export type Evaluate = () => Value;
/** Completion of a statement: normal, out of a loop, or out of the function. */
export type Execute = () => 'break' | 'continue' | 'return' | undefined;

export interface Procedure {
	name: string;
	parameters: string[];
	run: Execute;
}

/** Tells what a call of a function has: its parameters, and what its arguments were called by the caller. */
export interface Frame {
	cells: Cell[];
	names: readonly string[];
	/** For each argument the name of the variable it was. */
	origins: readonly (string | null)[];
	caller: Frame | null;
}
