declare module 'pyodide/pyodide.asm.mjs' {
	/** Emscripten's module factory, which `loadPyodide` takes as `createPyodideModule`. */
	const create: (settings: Record<string, unknown>) => Promise<unknown>;
	export default create;
}

declare module 'pyodide/pyodide.asm.wasm?url' {
	/** Address of the WebAssembly module. */
	const url: string;
	export default url;
}

declare module 'pyodide/python_stdlib.zip?url' {
	/** Address of the standard library. */
	const url: string;
	export default url;
}

declare module '*.py?raw' {
	/** A Python module's source. */
	const source: string;
	export default source;
}
