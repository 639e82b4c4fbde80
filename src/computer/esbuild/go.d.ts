/** Global of Go's `wasm_exec.js`: the JavaScript side of a program compiled from Go. */
declare class Go {
	argv: string[];
	env: Record<string, string>;
	importObject: WebAssembly.Imports;
	/** Called once, with the program's exit code. */
	exit: (code: number) => void;
	/** Resolves when the program has ended. */
	run(instance: WebAssembly.Instance): Promise<void>;
}

declare module 'esbuild-wasm/wasm_exec.js';

declare module 'esbuild-wasm/esbuild.wasm?url' {
	/** URL of the WebAssembly module. */
	const url: string;
	export default url;
}
