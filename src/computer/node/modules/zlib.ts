import { Buffer } from 'buffer';
import {
	Decompress,
	deflateSync,
	Gunzip,
	gunzipSync,
	gzipSync,
	Inflate,
	inflateSync,
	Unzlib,
	unzlibSync,
	zlibSync
} from 'fflate';
import { invalidArgument, unsupported } from '../runtime/errors.ts';
import { callable } from './callable.ts';
import streams from './stream.ts';
import { crc32 } from '#environment/crc32.ts';

type Convert = (bytes: Uint8Array, level: Level) => Uint8Array;
type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
interface Options {
	level?: number;
	finishFlush?: number;
}

/** Detects the format by the first bytes. */
const unzip: Convert = (bytes) => (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : unzlibSync(bytes));

const FORMATS: Record<string, Convert> = {
	gzip: (bytes, level) => gzipSync(bytes, { level }),
	gunzip: (bytes) => gunzipSync(bytes),
	deflate: (bytes, level) => zlibSync(bytes, { level }),
	inflate: (bytes) => unzlibSync(bytes),
	deflateRaw: (bytes, level) => deflateSync(bytes, { level }),
	inflateRaw: (bytes) => inflateSync(bytes),
	unzip
};

/** The formats that are read as their bytes arrive. */
const READERS: Record<string, () => Reader> = {
	gunzip: () => new Gunzip(),
	inflate: () => new Unzlib(),
	inflateRaw: () => new Inflate(),
	unzip: () => new Decompress()
};

type Reader = Gunzip | Unzlib | Inflate | Decompress;

const levelOf = (options?: Options): Level => {
	const level = options?.level ?? -1;
	return level >= 0 && level <= 9 ? (Math.trunc(level) as Level) : 6;
};

function input(data: unknown): Uint8Array {
	if (typeof data === 'string') return Buffer.from(data);
	if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	if (data instanceof ArrayBuffer) return new Uint8Array(data);
	throw invalidArgument(
		'buffer',
		'of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer',
		data
	);
}

function convert(format: Convert, data: unknown, options?: Options): Buffer {
	try {
		return Buffer.from(format(input(data), levelOf(options)));
	} catch (error) {
		throw zlibError(error);
	}
}

/** Messages of zlib by fflate's error number. */
const SENTENCES: Record<number, string> = {
	1: 'invalid block type',
	2: 'invalid literal/lengths set',
	3: 'invalid distance too far back'
};

/** The error of Node's zlib for one of fflate; another as it is. */
function zlibError(error: unknown): unknown {
	if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') return error;
	return error.code === 0 ? cutOff() : dataError(SENTENCES[error.code] ?? 'incorrect header check');
}

const cutOff = () => Object.assign(new Error('unexpected end of file'), { errno: -5, code: 'Z_BUF_ERROR' });
const dataError = (message: string) => Object.assign(new Error(message), { errno: -3, code: 'Z_DATA_ERROR' });

type Done = (error?: Error | null, data?: Buffer) => void;

const TRAILER_BYTES = 8;

/** Compares the checksum of what came out with the one behind the compressed bytes. */
function fitsTrailer(format: Checked, sum: number, last: Uint8Array): boolean {
	const view = new DataView(last.buffer, last.byteOffset, last.byteLength);
	if (format === 'gunzip') return view.getUint32(0, true) === sum;
	return view.getUint32(last.length - 4) === sum;
}

/** The formats with a checksum of their content at their end. */
type Checked = 'gunzip' | 'inflate';

const checkedFormat = (name: string): Checked | null => (name === 'gunzip' || name === 'inflate' ? name : null);

/** Parts that every stream of `node:zlib` has. */
class ZlibStream extends streams.Transform {
	bytesWritten = 0;

	/** Nothing waits inside that could be passed on sooner. */
	flush(kind?: unknown, done?: unknown): void {
		const after = typeof kind === 'function' ? kind : done;
		if (typeof after === 'function') queueMicrotask(() => void after());
	}

	params(_level: unknown, _strategy: unknown, done?: () => void): void {
		if (done) queueMicrotask(done);
	}

	close(done?: () => void): void {
		if (done) queueMicrotask(done);
		this.destroy();
	}
}

/** A stream that converts when all its input is there. */
class CompressStream extends ZlibStream {
	readonly #chunks: Uint8Array[] = [];

	constructor(
		readonly format: Convert,
		readonly options?: Options
	) {
		super();
	}

	override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: Done): void {
		this.bytesWritten += chunk.length;
		this.#chunks.push(chunk);
		done();
	}

	override _flush(done: Done): void {
		let result: Buffer;
		try {
			result = convert(this.format, Buffer.concat(this.#chunks), this.options);
		} catch (error) {
			return done(error as Error);
		}
		done(null, result);
	}
}

/** Stream that emits output as early as possible, including data before an error. */
class DecompressStream extends ZlibStream {
	readonly #reader: Reader;
	/** A stream that is cut off is no error. */
	readonly #isLenient: boolean;
	readonly #checked: Checked | null;
	#sum: number;
	#last: Uint8Array = new Uint8Array(0);

	constructor(name: string, open: () => Reader, options: Options = {}) {
		super();
		this.#checked = checkedFormat(name);
		this.#sum = name === 'inflate' ? 1 : 0;
		this.#reader = open();
		this.#reader.ondata = (bytes) => {
			if (this.#checked) this.#sum = (this.#checked === 'gunzip' ? crc32 : adler32)(bytes, this.#sum);
			if (bytes.length > 0) this.push(Buffer.from(bytes));
		};
		// Each member has a checksum of its own.
		if (this.#reader instanceof Gunzip) this.#reader.onmember = (start) => void (start > 0 && (this.#sum = 0));
		this.#isLenient = options.finishFlush === CONSTANTS.Z_SYNC_FLUSH;
	}

	override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: Done): void {
		this.bytesWritten += chunk.length;
		this.#push(chunk, false, done);
	}

	override _flush(done: Done): void {
		if (this.bytesWritten === 0) return done();
		this.#push(new Uint8Array(0), true, done);
	}

	#push(bytes: Uint8Array, final: boolean, done: Done): void {
		try {
			// Where a checksum follows, all has been read by now; the last bits of raw data have not.
			if (!final || this.#reader instanceof Inflate) this.#reader.push(new Uint8Array(bytes), final);
		} catch (error) {
			// At the end all that it can miss is more of it.
			if (!final) return done(zlibError(error) as Error);
		}
		if (!final) {
			this.#last = Buffer.concat([this.#last, bytes.subarray(-TRAILER_BYTES)]).subarray(-TRAILER_BYTES);
			return done();
		}
		if (!isComplete(this.#reader)) return done(this.#isLenient ? null : cutOff());
		done(
			this.#checked && !fitsTrailer(this.#checked, this.#sum, this.#last) ? dataError('incorrect data check') : null
		);
	}
}

/**
 * Returns true if the compressed data is complete. fflate reports missing data only by an error, and not
 * always; its state shows it: a `Gunzip` is above 1 between two members, and the last block of an `Inflate` has
 * started and has no table any more.
 */
function isComplete(reader: Reader): boolean {
	const inner: unknown = reader instanceof Decompress ? Reflect.get(reader, 's') : reader;
	if (inner instanceof Gunzip) return Number(Reflect.get(inner, 'v')) > 1;
	const state: object = Object(Reflect.get(Object(inner), 's'));
	return Boolean(Reflect.get(state, 'f')) && !Reflect.get(state, 'l');
}

/** Return codes of zlib's functions (zlib.h). */
const CODES = {
	Z_OK: 0,
	Z_STREAM_END: 1,
	Z_NEED_DICT: 2,
	Z_ERRNO: -1,
	Z_STREAM_ERROR: -2,
	Z_DATA_ERROR: -3,
	Z_MEM_ERROR: -4,
	Z_BUF_ERROR: -5,
	Z_VERSION_ERROR: -6
};

/** Parameters of zlib's functions (zlib.h), and Node's limits for them. */
const CONSTANTS = {
	Z_NO_FLUSH: 0,
	Z_PARTIAL_FLUSH: 1,
	Z_SYNC_FLUSH: 2,
	Z_FULL_FLUSH: 3,
	Z_FINISH: 4,
	Z_BLOCK: 5,
	Z_NO_COMPRESSION: 0,
	Z_BEST_SPEED: 1,
	Z_BEST_COMPRESSION: 9,
	Z_DEFAULT_COMPRESSION: -1,
	Z_FILTERED: 1,
	Z_HUFFMAN_ONLY: 2,
	Z_RLE: 3,
	Z_FIXED: 4,
	Z_DEFAULT_STRATEGY: 0,
	Z_MIN_WINDOWBITS: 8,
	Z_MAX_WINDOWBITS: 15,
	Z_DEFAULT_WINDOWBITS: 15,
	Z_MIN_CHUNK: 64,
	Z_MAX_CHUNK: Infinity,
	Z_DEFAULT_CHUNK: 16_384,
	Z_MIN_MEMLEVEL: 1,
	Z_MAX_MEMLEVEL: 9,
	Z_DEFAULT_MEMLEVEL: 8,
	Z_MIN_LEVEL: -1,
	Z_MAX_LEVEL: 9,
	Z_DEFAULT_LEVEL: -1
};

const readerClass = (name: string, open: () => Reader) =>
	class extends DecompressStream {
		constructor(options?: Options) {
			super(name, open, options);
		}
	};

const writerClass = (format: Convert) =>
	class extends CompressStream {
		constructor(options?: Options) {
			super(format, options);
		}
	};

/** `node:zlib` over fflate. Brotli and zstd are not there. */
export function createZlib(): Record<string, unknown> {
	const zlib: Record<string, unknown> = {
		constants: { ...CODES, ...CONSTANTS },
		codes: { ...CODES, ...Object.fromEntries(Object.entries(CODES).map(([name, code]) => [code, name])) },
		crc32: (data: unknown, start = 0) => crc32(input(data), start)
	};
	for (const [name, format] of Object.entries(FORMATS)) {
		const title = name[0]?.toUpperCase() + name.slice(1);
		zlib[`${name}Sync`] = (data: unknown, options?: Options) => convert(format, data, options);
		zlib[name] = (data: unknown, ...rest: unknown[]) => {
			const done = rest.at(-1) as (error: Error | null, result?: Buffer) => void;
			queueMicrotask(() => {
				let result: Buffer;
				try {
					result = convert(format, data, rest.length > 1 ? (rest[0] as Options) : {});
				} catch (error) {
					return done(error as Error);
				}
				done(null, result);
			});
		};
		const open = READERS[name] ?? null;
		const Stream = open ? readerClass(name, open) : writerClass(format);
		zlib[title] = callable(Object.defineProperty(Stream, 'name', { value: title }));
		zlib[`create${title}`] = (options?: Options) => new Stream(options);
	}
	for (const format of ['Brotli', 'Zstd']) {
		for (const title of [`${format}Compress`, `${format}Decompress`]) {
			const name = title[0]?.toLowerCase() + title.slice(1);
			// Libraries bind and list these when they are loaded, long before they would call one.
			for (const call of [name, `${name}Sync`, `create${title}`]) {
				zlib[call] = () => {
					throw unsupported(`zlib.${call}()`, 'Use gzip.');
				};
			}
		}
	}
	return zlib;
}

function adler32(bytes: Uint8Array, start: number): number {
	let low = start & 0xffff;
	let high = start >>> 16;
	for (const byte of bytes) {
		low = (low + byte) % 65_521;
		high = (high + low) % 65_521;
	}
	return ((high << 16) | low) >>> 0;
}
