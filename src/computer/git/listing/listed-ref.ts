import type { Ref } from '../refs/refs.ts';

/** Reference in a list. */
export interface ListedRef extends Ref {
	/** Name of a detached HEAD in a list of branches: `(HEAD detached at 1234567)`. */
	description?: string;
}

/** Value of a field of a reference. */
export interface FieldValue {
	/** Bytes as characters, since contents need not be UTF-8. */
	text: string;
	/** Sorts by this where it is set. */
	number?: number;
}

/** Part of a format, or a key to sort by, that has a value for each reference. */
export type Field = (ref: ListedRef) => FieldValue;
