/**
 * V8's format of serialized values, version 15, as written by Node 20 and 22. Programs store it in files (caches of
 * test runners and bundlers) and send it to other processes.
 */
export const VERSION = 15;
export const VERSION_TAG = 0xff;

/** Types of typed arrays by Node's index for views written as host objects. */
export const VIEWS = [
	Int8Array,
	Uint8Array,
	Uint8ClampedArray,
	Int16Array,
	Uint16Array,
	Int32Array,
	Uint32Array,
	Float32Array,
	Float64Array,
	DataView,
	null,
	BigInt64Array,
	BigUint64Array
] as const;

/** Index of Buffer in {@link VIEWS}. */
export const BUFFER_VIEW = 10;

/** Types of typed arrays by V8's letter for views written after their buffer. */
export const VIEW_LETTERS = 'bBCwWdDfF?\0qQ';

/** Bits of a regular expression's flags. */
export const FLAGS: readonly (readonly [letter: string, bit: number])[] = [
	['g', 1],
	['i', 2],
	['m', 4],
	['y', 8],
	['u', 16],
	['s', 32],
	['d', 128],
	['v', 256]
];

/** Letters of errors that have their own class. */
export const ERRORS: Readonly<Record<string, ErrorConstructor>> = {
	E: EvalError,
	R: RangeError,
	F: ReferenceError,
	S: SyntaxError,
	T: TypeError,
	U: URIError
};
