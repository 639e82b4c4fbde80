import { loadPyodide, type PyodideInterface } from 'pyodide';
import createPyodideModule, { type PyodideModule } from 'pyodide/pyodide.asm.mjs';
import type { Prepared } from '#computer/abi/wire.ts';
import { withLocks } from './filesystem/locks.ts';
import { readZone } from './local-time.ts';
import { LIBRARY, SETTINGS, SNAPSHOT } from './settings.ts';
import { SuspendedFrames } from './suspended-frames.ts';

const ADDRESS = 'https://python.invalid/';

/** `error` is set once an error has ended the interpreter, such as one of WebAssembly. */
export const fate: { error?: Error } = {};

/** Starts the interpreter from its memory snapshot, up to the point where it needs the program to run. */
export async function loadInterpreter({ modules, files }: Prepared): Promise<PyodideInterface> {
	const module = modules['pyodide.asm.wasm'];
	const library = files[LIBRARY];
	const snapshot = files[SNAPSHOT];
	if (!module || !library || !snapshot) throw new Error('A part of Python is missing. Reload the page.');
	const frames = new SuspendedFrames();
	const undo = answerRequests(module, library, frames);
	try {
		return await loadPyodide({
			...SETTINGS,
			indexURL: ADDRESS,
			createPyodideModule: async (settings: Record<string, unknown>) =>
				settleIn(await createPyodideModule(settings), frames),
			_loadSnapshot: snapshot
		} as unknown as Parameters<typeof loadPyodide>[0]);
	} finally {
		undo();
	}
}

/** Replaces parts of the snapshot that depend on where it was created by current values. */
function settleIn(module: PyodideModule, frames: SuspendedFrames): PyodideModule {
	frames.start(module);
	module.API.on_fatal = (error) => void (fate.error = error);
	const restore = module.API.restoreSnapshot;
	module.API.restoreSnapshot = (snapshot) => {
		// Index of the function that calls C functions with a different number of arguments. It depends on the engine.
		const offset = module.HEAPU32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2] ?? 0;
		const trampoline = (module.__PyRuntime + offset) >>> 2;
		const ours = module.HEAPU32[trampoline] ?? 0;
		const restored = restore(snapshot);
		module.HEAPU32[trampoline] = ours;
		readZone(module);
		return restored;
	};
	return module;
}

/**
 * Pyodide fetches its parts by URL and compiles them while loading; here they have been sent with the worker's
 * preparation.
 */
function answerRequests(module: WebAssembly.Module, library: Uint8Array, frames: SuspendedFrames): () => void {
	const { fetch } = globalThis;
	const { instantiateStreaming } = WebAssembly;
	const wasm = new Response(new Uint8Array());
	globalThis.fetch = async (input) => (String(input).endsWith('.wasm') ? wasm : new Response(new Uint8Array(library)));
	WebAssembly.instantiateStreaming = async (source, imports) => {
		await source;
		const { exports } = await WebAssembly.instantiate(module, withLocks(imports ?? {}));
		return { module, instance: { exports: frames.exportsOf(exports) } };
	};
	return () => {
		globalThis.fetch = fetch;
		WebAssembly.instantiateStreaming = instantiateStreaming;
	};
}
