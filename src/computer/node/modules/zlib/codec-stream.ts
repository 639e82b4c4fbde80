import { Buffer } from 'buffer';
import type { EventLoop } from '../../runtime/event-loop.ts';
import { nodeError } from '../../runtime/errors.ts';
import streams from '../stream.ts';
import { PARAMETERS } from './constants.ts';

type Done = (error?: Error | null) => void;
type After = () => void;

/** Empty chunks that represent a flush in the queue of writes, and the kind of each. */
const flushPieces = new WeakMap<Uint8Array, number>();
/** Kinds of flush, from least to most output. */
const ORDER = [
	PARAMETERS.Z_NO_FLUSH,
	PARAMETERS.Z_BLOCK,
	PARAMETERS.Z_PARTIAL_FLUSH,
	PARAMETERS.Z_SYNC_FLUSH,
	PARAMETERS.Z_FULL_FLUSH,
	PARAMETERS.Z_FINISH
] as readonly number[];

const stronger = (one: number, other: number) => (ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other);

/** State of one stream in a format: consumes chunks and emits output. */
export interface Handle {
	/** Set at the end of the data: what follows is not part of it. */
	isAtEnd: boolean;
	/** Number of bytes consumed from the last chunk. */
	taken: number;
	/**
	 * Consumes a chunk of data.
	 *
	 * @param flush kind of flush
	 * @param emit called with each piece of output
	 * @throws Error with the library's number and code
	 */
	write(piece: Uint8Array, flush: number, emit: (output: Buffer) => void): void;
	/** Resets to the initial state. */
	reset(): void;
	/** Frees memory that is not garbage-collected. */
	close?(): void;
}

/** Settings of a stream of any format. */
export interface CodecSettings {
	flush: number;
	finishFlush: number;
	/** Default kind of flush. */
	fullFlush: number;
	maxOutputLength: number;
}

/** Base of every stream of `node:zlib`. Its fields are public: packages call the classes without `new`. */
export class CodecStream<Own extends Handle = Handle> extends streams.Transform {
	declare static loop: EventLoop;
	bytesWritten = 0;
	_settings: CodecSettings;
	_handle: Own | null;

	constructor(handle: Own, settings: CodecSettings, options?: object | null) {
		super({ autoDestroy: true, ...options, ...PLAIN_BYTES } as object);
		this._settings = settings;
		this._handle = handle;
	}

	/** Older name of `bytesWritten`. */
	get bytesRead(): number {
		return this.bytesWritten;
	}

	set bytesRead(value: number) {
		this.bytesWritten = value;
	}

	get _closed(): boolean {
		return this._handle === null;
	}

	override _transform(piece: Uint8Array, _encoding: BufferEncoding, done: Done): void {
		let kind = flushPieces.get(piece);
		if (kind === undefined) {
			kind = this._settings.flush;
			// The last chunk: it can be flushed together with the end.
			if (this.writableEnded && this.writableLength === piece.byteLength) {
				kind = stronger(kind, this._settings.finishFlush);
			}
		}
		this._process(piece, kind, done);
	}

	override _flush(done: Done): void {
		this._process(new Uint8Array(0), this._settings.finishFlush, done);
	}

	_process(piece: Uint8Array, kind: number, done: Done): void {
		CodecStream.loop.perform('Zlib', () => {
			const { _handle: engine } = this;
			if (!engine) return done();
			try {
				this._count(engine, piece, kind, (output) => void this.push(output));
			} catch (error) {
				this.destroy(error as Error);
				return;
			}
			if (engine.isAtEnd && !this.readableEnded) this.push(null);
			done();
		});
	}

	/** Passes a chunk to the format, and counts consumed bytes before others see the output. */
	_count(engine: Handle, piece: Uint8Array, kind: number, emit: (output: Buffer) => void): void {
		const before = this.bytesWritten;
		engine.write(piece, kind, (output) => {
			this.bytesWritten = before + engine.taken;
			emit(output);
		});
		this.bytesWritten = before + engine.taken;
	}

	/**
	 * Processes bytes synchronously and returns the output; with `done`, processes them later. @throws Error of zlib
	 */
	_processChunk(piece: Uint8Array, kind: number, done?: Done): Buffer | undefined {
		if (typeof done === 'function') {
			this._process(piece, kind, done);
			return undefined;
		}
		return this._convert(piece, kind);
	}

	/** @throws Error of zlib, ERR_BUFFER_TOO_LARGE */
	_convert(piece: Uint8Array, kind = this._settings.finishFlush): Buffer {
		const outputs: Buffer[] = [];
		const most = this._settings.maxOutputLength;
		let length = 0;
		const { _handle: engine } = this;
		if (!engine) return Buffer.alloc(0);
		this._count(engine, piece, kind, (output) => {
			length += output.length;
			if (length > most) {
				const words = `Cannot create a Buffer larger than ${most} bytes`;
				throw nodeError(RangeError, 'ERR_BUFFER_TOO_LARGE', words);
			}
			outputs.push(output);
		});
		return outputs.length === 1 && outputs[0] ? outputs[0] : Buffer.concat(outputs);
	}

	flush(given?: number | After, callback?: After): void {
		const after = typeof given === 'function' ? given : callback;
		const kind = typeof given === 'number' ? given : this._settings.fullFlush;
		if (this.writableFinished) {
			if (after) CodecStream.loop.nextTick(after, []);
		} else if (this.writableEnded) {
			if (after) this.once('end', after);
		} else {
			const piece = Buffer.alloc(0);
			flushPieces.set(piece, kind);
			this.write(piece, '' as BufferEncoding, after);
		}
	}

	reset(): void {
		if (!this._handle) throw nodeError(Error, 'ERR_INTERNAL_ASSERTION', 'zlib binding closed');
		this._handle.reset();
	}

	close(done?: After): void {
		if (done) streams.finished(this, () => done());
		this.destroy();
	}

	/** Releases the state. */
	_free(): void {
		this._handle?.close?.();
		this._handle = null;
	}

	override _destroy(error: Error | null, done: Done): void {
		this._free();
		done(error);
	}
}

/** Options that ensure a stream of bytes, overriding the program's. */
const PLAIN_BYTES = {
	encoding: null,
	objectMode: false,
	readableObjectMode: false,
	writableObjectMode: false,
	// Options with these names, which the stream would treat as its methods.
	flush: undefined
};
