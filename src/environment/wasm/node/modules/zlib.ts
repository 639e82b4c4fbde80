import { Buffer } from 'buffer';
import { deflateSync, gunzipSync, gzipSync, inflateSync, unzlibSync, zlibSync } from 'fflate';
import { invalidArgument, unsupported } from '../runtime/errors.ts';
import streams from './stream.ts';

type Convert = (bytes: Uint8Array, level: Level) => Uint8Array;
type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
interface Options {
	level?: number;
}

/** Either of the three formats, told by the first bytes. */
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
		if (error instanceof Error && 'code' in error && typeof error.code === 'number') {
			throw Object.assign(new Error('incorrect header check'), { errno: -3, code: 'Z_DATA_ERROR' });
		}
		throw error;
	}
}

/** A stream that converts when all its input is there. */
class ZlibStream extends streams.Transform {
	readonly #chunks: Uint8Array[] = [];

	constructor(
		readonly format: Convert,
		readonly options?: Options
	) {
		super();
	}

	override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
		this.#chunks.push(chunk);
		done();
	}

	override _flush(done: (error?: Error | null, data?: Buffer) => void): void {
		let result: Buffer;
		try {
			result = convert(this.format, Buffer.concat(this.#chunks), this.options);
		} catch (error) {
			return done(error as Error);
		}
		done(null, result);
	}

	close(done?: () => void): void {
		if (done) queueMicrotask(done);
		this.destroy();
	}
}

/** What zlib's functions return (zlib.h). */
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

/** What zlib's functions are told (zlib.h), and the bounds Node sets them. */
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
		const Stream = class extends ZlibStream {
			constructor(options?: Options) {
				super(format, options);
			}
		};
		zlib[title] = Object.defineProperty(Stream, 'name', { value: title });
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

function crc32(bytes: Uint8Array, start: number): number {
	let crc = ~start;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}
