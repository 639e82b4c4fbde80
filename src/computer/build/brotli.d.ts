declare module 'virtual:brotli-module' {
	/** URL of the WebAssembly module. */
	const url: string;
	export default url;
}

declare module 'virtual:brotli-bindings' {
	export interface StreamResult {
		/** 1: at the end, 2: needs input, 3: needs output space. */
		code: number;
		buf: Uint8Array;
		/** Number of bytes consumed from the input. */
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
		/** @throws Error whose message ends with the decoder's code */
		decompress(input: Uint8Array, outputSize: number): StreamResult;
		free(): void;
	}
	/** @param bindings all exports of this module */
	export function useModule(module: WebAssembly.Module, bindings: object): void;
}
