import { Buffer } from 'buffer';
import type { EventLoop } from '../../runtime/event-loop.ts';
import { nodeError } from '../../runtime/errors.ts';
import streams from '../stream.ts';
import { PARAMETERS } from './constants.ts';

type Done = (error?: Error | null) => void;
type After = () => void;

/** Empty pieces that stand for a flush in the queue of writes, and the kind of each. */
const flushPieces = new WeakMap<Uint8Array, number>();
/** Flushes by how much they bring out. */
const ORDER = [
	PARAMETERS.Z_NO_FLUSH,
	PARAMETERS.Z_BLOCK,
	PARAMETERS.Z_PARTIAL_FLUSH,
	PARAMETERS.Z_SYNC_FLUSH,
	PARAMETERS.Z_FULL_FLUSH,
	PARAMETERS.Z_FINISH
] as readonly number[];

const stronger = (one: number, other: number) => (ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other);

/** State of one stream of data in a format: takes pieces and says what comes out. */
export interface Handle {
	/** The data have come to their end: what follows is no part of them. */
	isAtEnd: boolean;
	/** Bytes that the format has taken of the last piece. */
	taken: number;
	/**
	 * Takes a piece of data.
	 *
	 * @param flush how much of it has to come out
	 * @param emit called with each piece of output
	 * @throws Error with the library's number and code
	 */
	write(piece: Uint8Array, flush: number, emit: (output: Buffer) => void): void;
	/** As before the first byte. */
	reset(): void;
	/** Gives memory back that is not the engine's to collect. */
	close?(): void;
}

/** Settings of a stream of any format. */
export interface CodecSettings {
	flush: number;
	finishFlush: number;
	/** Kind of a flush that names none. */
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

	/** Its name from before it was called `bytesWritten`. */
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
			// The last piece: what is left can come out with it.
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

	/** Gives a piece to the format, and counts what it takes before others see what comes out. */
	_count(engine: Handle, piece: Uint8Array, kind: number, emit: (output: Buffer) => void): void {
		const before = this.bytesWritten;
		engine.write(piece, kind, (output) => {
			this.bytesWritten = before + engine.taken;
			emit(output);
		});
		this.bytesWritten = before + engine.taken;
	}

	/** Takes bytes in at once. @returns what comes out; null when that is nothing. @throws Error of zlib */
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

	/** Ends the use of the state. */
	_free(): void {
		this._handle?.close?.();
		this._handle = null;
	}

	override _destroy(error: Error | null, done: Done): void {
		this._free();
		done(error);
	}
}

/** Options of a stream of bytes, whatever the options say. */
const PLAIN_BYTES = {
	encoding: null,
	objectMode: false,
	readableObjectMode: false,
	writableObjectMode: false,
	// Its own ones, which the stream would take for its methods.
	flush: undefined
};
