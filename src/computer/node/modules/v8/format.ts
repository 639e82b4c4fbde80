/**
 * V8's format of serialized values, version 15, as Node 20 and 22 write it. Programs keep it in files (caches of test
 * runners and bundlers) and send it to other processes.
 */
export const VERSION = 15;
export const VERSION_TAG = 0xff;

/** The kinds of typed arrays by the number Node gives them where a view is written as a host object. */
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

/** Number of a Buffer among {@link VIEWS}. */
export const BUFFER_VIEW = 10;

/** The kinds of typed arrays by the letter V8 gives them where a view is written after its buffer. */
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

/** Letters of the errors that are a class of their own. */
export const ERRORS: Readonly<Record<string, ErrorConstructor>> = {
	E: EvalError,
	R: RangeError,
	F: ReferenceError,
	S: SyntaxError,
	T: TypeError,
	U: URIError
};
