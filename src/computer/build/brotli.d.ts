declare module 'virtual:brotli-module' {
	/** Address of the WebAssembly module. */
	const url: string;
	export default url;
}

declare module 'virtual:brotli-bindings' {
	export interface StreamResult {
		/** 1: at the end, 2: wants input, 3: wants room for output. */
		code: number;
		buf: Uint8Array;
		/** Bytes taken from the input. */
		input_offset: number;
		free(): void;
	}
	export class CompressStream {
		constructor(quality?: number);
		/** @param input undefined ends the data */
		compress(input: Uint8Array | undefined, outputSize: number): StreamResult;
		free(): void;
	}
	export class DecompressStream {
		/** @throws Error with the decoder's code at its end */
		decompress(input: Uint8Array, outputSize: number): StreamResult;
		free(): void;
	}
	/** @param bindings all exports of this module */
	export function useModule(module: WebAssembly.Module, bindings: object): void;
}
