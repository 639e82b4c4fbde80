import { Buffer } from 'buffer';
import * as brotli from 'virtual:brotli-bindings';
import { BROTLI, decoderErrorCode } from './brotli-constants.ts';
import type { Handle } from './codec-stream.ts';
import { zlibError } from './engine.ts';
import { StoredBlocks } from './brotli-stored.ts';
import { CODES } from './constants.ts';

const ASSET = 'brotli.wasm';
const SUCCESS = 1;
const NEEDS_INPUT = 2;
/**
 * Beyond this size data are compressed as they arrive: a writer that gets this far without a flush does not need one.
 */
const MOST_WAITING_BYTES = 1 << 20;

let isLoaded = false;

/** Loads Brotli, 1 MB of WebAssembly, on the first use. @param asset reads a file of the product */
export function loadBrotli(asset: (name: string) => Uint8Array): void {
	if (isLoaded) return;
	brotli.useModule(new WebAssembly.Module(new Uint8Array(asset(ASSET))), brotli);
	isLoaded = true;
}

type Emit = (output: Buffer) => void;

/**
 * Runs a function of the library until it has no more output.
 * @returns whether the end of the data was reached, and the remaining input
 */
function drain(
	call: (input: Uint8Array) => brotli.StreamResult,
	input: Uint8Array,
	emit: Emit
): { isAtEnd: boolean; rest: Uint8Array } {
	let rest = input;
	for (;;) {
		const result = call(rest);
		const { code, buf } = result;
		rest = rest.subarray(result.input_offset);
		if (buf.length > 0) emit(Buffer.from(buf));
		if (code === SUCCESS || code === NEEDS_INPUT) return { isAtEnd: code === SUCCESS, rest };
	}
}

/**
 * Compresses with brotli-wasm, which cannot flush: flushed data are written uncompressed, in blocks of the same format.
 */
export class BrotliEncoder implements Handle {
	isAtEnd = false;
	taken = 0;
	#stream: brotli.CompressStream | null = null;
	#stored: StoredBlocks | null = null;
	#waiting: Uint8Array[] = [];
	#waitingBytes = 0;

	constructor(
		private readonly quality: number,
		private readonly chunkSize: number
	) {}

	write(piece: Uint8Array, flush: number, emit: Emit): void {
		this.taken = piece.length;
		if (this.#stored) return this.#store(piece, flush, emit);
		if (piece.length > 0) {
			this.#waiting.push(piece.slice());
			this.#waitingBytes += piece.length;
		}
		const isFinish = flush === BROTLI.BROTLI_OPERATION_FINISH;
		if (flush === BROTLI.BROTLI_OPERATION_FLUSH && !this.#stream) {
			this.#stored = new StoredBlocks();
			return this.#store(this.#take(), flush, emit);
		}
		if (!isFinish && !this.#stream && this.#waitingBytes < MOST_WAITING_BYTES) return;
		const stream = (this.#stream ??= new brotli.CompressStream(this.quality));
		drain((input) => stream.compress(input, this.chunkSize), this.#take(), emit);
		if (isFinish) drain(() => stream.compress(undefined, this.chunkSize), new Uint8Array(0), emit);
	}

	#take(): Uint8Array {
		const all = Buffer.concat(this.#waiting);
		[this.#waiting, this.#waitingBytes] = [[], 0];
		return all;
	}

	#store(piece: Uint8Array, flush: number, emit: Emit): void {
		const isLast = flush === BROTLI.BROTLI_OPERATION_FINISH;
		const bytes = this.#stored?.write(piece, isLast);
		if (bytes && bytes.length > 0) emit(Buffer.from(bytes));
	}

	reset(): void {
		this.close();
		[this.#stored, this.#waiting, this.#waitingBytes] = [null, [], 0];
	}

	close(): void {
		this.#stream?.free();
		this.#stream = null;
	}
}

/** The decoder's code in the library's message. */
const ERROR = /Error code (-\d+)$/;

/** Decompresses with brotli-wasm. */
export class BrotliDecoder implements Handle {
	/** As in zlib, only set when bytes follow that are not part of the data. */
	isAtEnd = false;
	taken = 0;
	#stream: brotli.DecompressStream | null = null;
	#isWhole = false;

	constructor(private readonly chunkSize: number) {}

	/** @throws Error with the decoder's number and code, or zlib's if the data are truncated */
	write(piece: Uint8Array, flush: number, emit: Emit): void {
		this.taken = 0;
		let following = piece;
		if (!this.#isWhole) {
			const stream = (this.#stream ??= new brotli.DecompressStream());
			const { isAtEnd, rest } = drain((input) => this.#step(stream, input), piece, emit);
			this.#isWhole = isAtEnd;
			following = rest;
		}
		this.isAtEnd = this.#isWhole && following.length > 0;
		if (!this.#isWhole && flush === BROTLI.BROTLI_OPERATION_FINISH) {
			throw zlibError('unexpected end of file', CODES.Z_BUF_ERROR);
		}
	}

	#step(stream: brotli.DecompressStream, input: Uint8Array): brotli.StreamResult {
		try {
			const result = stream.decompress(input, this.chunkSize);
			this.taken += result.input_offset;
			return result;
		} catch (error) {
			const errno = Number(ERROR.exec(String((error as Error).message))?.[1]);
			if (Number.isNaN(errno)) throw error;
			throw Object.assign(new Error('Decompression failed'), { errno, code: decoderErrorCode(errno) });
		}
	}

	reset(): void {
		this.close();
		this.isAtEnd = this.#isWhole = false;
	}

	close(): void {
		this.#stream?.free();
		this.#stream = null;
	}
}
