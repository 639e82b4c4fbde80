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
		/** Address of the field that contains the trampoline's offset in the interpreter's state. */
		__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: number;
		/** Address of two pointers: the names of the time zone, standard and daylight saving time. */
		___tzname: number;
		___timezone: number;
		___daylight: number;
		/** Address at which the stack in memory starts; it grows towards 0. */
		_emscripten_stack_get_base(): number;
		/** Address of the running thread's state. */
		_PyThreadState_Get(): number;
		/** Sets the addresses between which a thread may use the stack. Returns 0, or -1 with an exception. */
		_PyUnstable_ThreadState_SetStackProtection(thread: number, lowest: number, size: number): number;
		/** Writes the time zone's values to these addresses. */
		__tzset_js(timezone: number, daylight: number, standardName: number, summerName: number): void;
	}

	/** Emscripten's module factory, accepted by `loadPyodide` as `createPyodideModule`. */
	const create: (settings: Record<string, unknown>) => Promise<PyodideModule>;
	export default create;
}

declare module 'pyodide/pyodide.asm.wasm?url' {
	/** URL of the WebAssembly module. */
	const url: string;
	export default url;
}

declare module 'virtual:python-library' {
	/** URL of the archive with the standard library and our own modules. */
	const url: string;
	export default url;
}

declare module 'virtual:python-snapshot' {
	/** URL of the interpreter's memory, gzipped. */
	const url: string;
	export default url;
}

declare module '*.py?raw' {
	/** Source of a Python module. */
	const source: string;
	export default source;
}
