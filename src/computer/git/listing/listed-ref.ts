import type { Ref } from '../refs/refs.ts';

/** Ref in a list. */
export interface ListedRef extends Ref {
	/** Name of a detached HEAD in a list of branches: `(HEAD detached at 1234567)`. */
	description?: string;
}

/** Value of a field of a ref. */
export interface FieldValue {
	/** Binary text (one character per byte), since contents need not be UTF-8. */
	text: string;
	/** Sort key, if it is set. */
	number?: number;
}

/** Part of a format, or a sort key, that has a value for each ref. */
export type Field = (ref: ListedRef) => FieldValue;
