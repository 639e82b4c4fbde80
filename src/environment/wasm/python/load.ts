import { loadPyodide, type PyodideInterface } from 'pyodide';
import createPyodideModule from 'pyodide/pyodide.asm.mjs';
import type { Prepared } from '../process/wire.ts';
import { installLibrary } from './library.ts';

/** No packages: they are installed into the volume by `pip`. */
const NO_PACKAGES = {
	info: { abi_version: '2026_0', arch: 'wasm32', platform: 'emscripten', python: '3.14.2', version: '314.0.7' },
	packages: {}
};

const ADDRESS = 'https://python.invalid/';

/** Starts the interpreter, up to the point where it needs to know what it shall run. */
export async function loadInterpreter({ modules, files }: Prepared): Promise<PyodideInterface> {
	const module = modules['pyodide.asm.wasm'];
	const library = files['python_stdlib.zip'];
	if (!module || !library) throw new Error('A part of Python is missing. Reload the page.');
	const undo = answerRequests(module, library);
	try {
		const python = await loadPyodide({
			indexURL: ADDRESS,
			lockFileContents: JSON.stringify(NO_PACKAGES),
			createPyodideModule,
			env: { HOME: '/home/user', PYTHONINSPECT: '', PYTHONDONTWRITEBYTECODE: '1' },
			stdout: () => {},
			stderr: () => {}
		} as unknown as Parameters<typeof loadPyodide>[0]);
		installLibrary(python);
		return python;
	} finally {
		undo();
	}
}

/** Pyodide fetches its parts by address and compiles as it loads; here they have come with the worker's preparation. */
function answerRequests(module: WebAssembly.Module, library: Uint8Array): () => void {
	const { fetch } = globalThis;
	const { instantiateStreaming } = WebAssembly;
	const wasm = new Response(new Uint8Array());
	globalThis.fetch = async (input) => (String(input).endsWith('.wasm') ? wasm : new Response(new Uint8Array(library)));
	WebAssembly.instantiateStreaming = async (source, imports) => {
		await source;
		return { module, instance: await WebAssembly.instantiate(module, imports) };
	};
	return () => {
		globalThis.fetch = fetch;
		WebAssembly.instantiateStreaming = instantiateStreaming;
	};
}
