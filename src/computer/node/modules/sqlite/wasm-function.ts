/** Value types of WebAssembly, by the letters of a signature: `i` is also a pointer. */
const TYPES: Record<string, number> = { i: 0x7f, j: 0x7e, d: 0x7c };

/** Function that WebAssembly calls; `i` is a number, `j` a BigInt. */
export type Callback = (...args: never[]) => number | void;

/**
 * Wraps a function so that it can be put into a function table, which takes only functions of WebAssembly: a module
 * that imports it and exports it again.
 *
 * @param signature types of the arguments, after that of the result (`v`: none)
 */
export function wasmFunction(signature: string, callback: Callback): CallableFunction {
	const [result = 'v', ...args] = signature;
	const types = args.map(typeOf);
	const results = result === 'v' ? [] : [typeOf(result)];
	const type = [1, 0x60, types.length, ...types, results.length, ...results];
	const bytes = [
		...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
		...[1, type.length, ...type],
		// Imports function `f` of module `e`, and exports it.
		...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0],
		...[7, 5, 1, 1, 0x66, 0, 0]
	];
	const module = new WebAssembly.Module(Uint8Array.from(bytes));
	return new WebAssembly.Instance(module, { e: { f: callback } }).exports['f'] as CallableFunction;
}

function typeOf(letter: string): number {
	const type = TYPES[letter];
	if (type === undefined) throw new Error(`Signatures have no type ${letter}.`);
	return type;
}
