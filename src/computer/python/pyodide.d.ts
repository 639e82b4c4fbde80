declare module 'pyodide/pyodide.asm.mjs' {
	/** Parts of Emscripten's module used when starting from a memory snapshot. */
	export interface PyodideModule {
		API: {
			restoreSnapshot(snapshot: Uint8Array): unknown;
			/** Called with the error that ended the interpreter. */
			on_fatal?: (error: Error) => void;
		};
		HEAPU32: Uint32Array;
		/** Address of the interpreter's state. */
		__PyRuntime: number;
		/** Address of the number that says where in it the trampoline's number is. */
		__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: number;
		/** Address of two addresses: the names of the time zone, in winter and in summer. */
		___tzname: number;
		___timezone: number;
		___daylight: number;
		/** Address at which the stack in memory begins; it grows towards 0. */
		_emscripten_stack_get_base(): number;
		/** Address of the running thread's state. */
		_PyThreadState_Get(): number;
		/** Sets between which addresses a thread may use the stack. Returns 0, or -1 with an exception. */
		_PyUnstable_ThreadState_SetStackProtection(thread: number, lowest: number, size: number): number;
		/** Writes the time zone's values to these addresses. */
		__tzset_js(timezone: number, daylight: number, standardName: number, summerName: number): void;
	}

	/** Emscripten's module factory, which `loadPyodide` takes as `createPyodideModule`. */
	const create: (settings: Record<string, unknown>) => Promise<PyodideModule>;
	export default create;
}

declare module 'pyodide/pyodide.asm.wasm?url' {
	/** Address of the WebAssembly module. */
	const url: string;
	export default url;
}

declare module 'virtual:python-library' {
	/** Address of the archive with the standard library and our own modules. */
	const url: string;
	export default url;
}

declare module 'virtual:python-snapshot' {
	/** Address of the interpreter's memory, packed by gzip. */
	const url: string;
	export default url;
}

declare module '*.py?raw' {
	/** A Python module's source. */
	const source: string;
	export default source;
}
