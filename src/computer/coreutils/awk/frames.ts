import type { Cell, Value } from './values.ts';

export type Evaluate = () => Value;
/** Completion of a statement: normal, leaving a loop, or leaving the function. */
export type Execute = () => 'break' | 'continue' | 'return' | undefined;

export interface Procedure {
	name: string;
	parameters: string[];
	run: Execute;
}

/** State of a function call: its parameters, and the names of its arguments in the caller. */
export interface Frame {
	cells: Cell[];
	names: readonly string[];
	/** For each argument, the name of the variable that was passed. */
	origins: readonly (string | null)[];
	caller: Frame | null;
}
