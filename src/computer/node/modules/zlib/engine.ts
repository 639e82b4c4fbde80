import { Buffer } from 'buffer';
import * as deflater from 'pako/lib/zlib/deflate.js';
import * as inflater from 'pako/lib/zlib/inflate.js';
import ZStream from 'pako/lib/zlib/zstream.js';
import { CODES, codeName, MODES, PARAMETERS } from './constants.ts';
import type { Settings } from './settings.ts';

const { Z_STREAM_END, Z_NEED_DICT, Z_DATA_ERROR, Z_BUF_ERROR, Z_OK } = CODES;
const METHOD_DEFLATED = 8;
const GZIP_MAGIC = [0x1f, 0x8b];
/** Empty stored block (RFC 1951, 3.2.4), byte-aligned. */
const EMPTY_BLOCK = [0, 0, 0, 0xff, 0xff];
/** Fields of a deflate state that depend on level and strategy. */
const TUNED = ['level', 'strategy', 'max_lazy_match', 'good_match', 'nice_match', 'max_chain_length'] as const;

/** Error of zlib, with its number and code. */
export function zlibError(message: string, errno: number): Error {
	return Object.assign(new Error(message), { errno, code: codeName(errno) });
}

/** zlib's state for one stream: compresses or decompresses its input, and emits output. */
export class Engine {
	readonly #settings: Settings;
	readonly #isWriter: boolean;
	#stream: ZStream;
	/** Format detected in the data, for `UNZIP`. */
	#mode: number;
	/** First bytes, while they do not yet determine the format. */
	#start: Uint8Array = new Uint8Array(0);
	/** Set at the end of the data: what follows is not part of it. */
	isAtEnd = false;
	/** Number of bytes consumed from the last chunk. */
	taken = 0;

	constructor(settings: Settings) {
		this.#settings = settings;
		this.#mode = settings.mode;
		const { DEFLATE, GZIP, DEFLATERAW } = MODES;
		this.#isWriter = ([DEFLATE, GZIP, DEFLATERAW] as number[]).includes(settings.mode);
		this.#stream = this.#open(settings.level, settings.strategy);
	}

	/** Resets to the initial state. */
	reset(): void {
		const { level, strategy } = this.#settings;
		this.#stream = this.#open(level, strategy);
		this.#mode = this.#settings.mode;
		this.#start = new Uint8Array(0);
		this.isAtEnd = false;
	}

	/** Changes the compression parameters from now on. All previous data must be flushed. */
	tune(level: number, strategy: number): void {
		if (!this.#isWriter) return;
		Object.assign(this.#settings, { level, strategy });
		const [state, model] = [this.#stream.state, this.#open(level, strategy).state];
		for (const field of TUNED) state[field] = model[field];
	}

	/**
	 * Consumes a chunk of data.
	 *
	 * @param flush kind of flush
	 * @param emit called with each piece of output
	 * @throws Error with zlib's number and code
	 */
	write(piece: Uint8Array, flush: number, emit: (output: Buffer) => void): void {
		this.taken = 0;
		if (this.isAtEnd) return;
		const input = this.#mode === MODES.UNZIP ? this.#detect(piece) : piece;
		if (input.length === 0 && this.#mode === MODES.UNZIP && flush !== PARAMETERS.Z_FINISH) {
			this.taken = piece.length;
			return;
		}
		const stream = this.#stream;
		Object.assign(stream, { input, next_in: 0, avail_in: input.length });
		for (;;) {
			stream.output = new Uint8Array(this.#settings.chunkSize);
			stream.next_out = 0;
			stream.avail_out = this.#settings.chunkSize;
			const status = this.#step(flush);
			// The first bytes of an undetected format came with an earlier chunk.
			this.taken = Math.max(0, piece.length - stream.avail_in);
			if (stream.next_out > 0) emit(Buffer.from(stream.output.buffer, 0, stream.next_out));
			if (status === Z_OK && this.#lacksMark(flush)) emit(Buffer.from(EMPTY_BLOCK));
			if (status === Z_STREAM_END) {
				// The rest is not part of the data; another member of a gzip file may still follow.
				this.isAtEnd = stream.avail_in > 0;
				return;
			}
			this.#check(status, flush);
			if (stream.avail_out > 0) return;
		}
	}

	#step(flush: number): number {
		const stream = this.#stream;
		if (this.#isWriter) return deflater.deflate(stream, flush);
		const { dictionary } = this.#settings;
		let status = inflater.inflate(stream, flush);
		if (status === Z_NEED_DICT && dictionary && this.#mode === MODES.INFLATE) {
			const isRight = inflater.inflateSetDictionary(stream, dictionary) === Z_OK;
			status = isRight ? inflater.inflate(stream, flush) : Z_NEED_DICT;
		}
		// A gzip file may consist of several members; zeros after it are padding.
		while (
			status === Z_STREAM_END &&
			this.#mode === MODES.GUNZIP &&
			stream.avail_in > 0 &&
			stream.input[stream.next_in] !== 0
		) {
			inflater.inflateReset(stream);
			status = inflater.inflate(stream, flush);
		}
		return status;
	}

	/** Without compression, pako omits the empty block that marks a flush. */
	#lacksMark(flush: number): boolean {
		const { state, avail_in: left, avail_out: room } = this.#stream;
		const isFlush = flush === PARAMETERS.Z_SYNC_FLUSH || flush === PARAMETERS.Z_FULL_FLUSH;
		return this.#isWriter && isFlush && state.level === 0 && left === 0 && room > 0;
	}

	#check(status: number, flush: number): void {
		const stream = this.#stream;
		if (status === Z_OK || status === Z_BUF_ERROR) {
			const isCut = stream.avail_out !== 0 && flush === PARAMETERS.Z_FINISH;
			if (isCut) throw zlibError('unexpected end of file', Z_BUF_ERROR);
		} else if (status === Z_NEED_DICT) {
			throw zlibError(this.#settings.dictionary ? 'Bad dictionary' : 'Missing dictionary', status);
		} else throw zlibError(stream.msg || 'Zlib error', status);
	}

	/** Detects the format by the first two bytes. @returns the complete input as soon as the format is known */
	#detect(piece: Uint8Array): Uint8Array {
		const input = this.#start.length > 0 ? Buffer.concat([this.#start, piece]) : piece;
		const isGzip = GZIP_MAGIC.every((byte, at) => at >= input.length || input[at] === byte);
		if (input.length < 2 && (isGzip || input.length === 0)) {
			this.#start = input.slice();
			return new Uint8Array(0);
		}
		this.#mode = isGzip ? MODES.GUNZIP : MODES.INFLATE;
		return input;
	}

	#open(level: number, strategy: number): ZStream {
		const stream = new ZStream();
		const { mode, windowBits, memLevel, dictionary } = this.#settings;
		const { GZIP, GUNZIP, UNZIP, DEFLATERAW, INFLATERAW } = MODES;
		const isRaw = mode === DEFLATERAW || mode === INFLATERAW;
		const extra = mode === GZIP || mode === GUNZIP ? 16 : mode === UNZIP ? 32 : 0;
		const bits = isRaw ? -windowBits : windowBits + extra;
		let status: number = this.#isWriter
			? deflater.deflateInit2(stream, level, METHOD_DEFLATED, bits, memLevel, strategy)
			: inflater.inflateInit2(stream, bits);
		if (dictionary && status === Z_OK) {
			if (mode === MODES.DEFLATE || mode === DEFLATERAW) status = deflater.deflateSetDictionary(stream, dictionary);
			else if (mode === INFLATERAW) status = inflater.inflateSetDictionary(stream, dictionary);
			if (status !== Z_OK) throw zlibError('Failed to set dictionary', Z_DATA_ERROR);
		}
		if (status !== Z_OK) throw zlibError('Init error', status);
		return stream;
	}
}
