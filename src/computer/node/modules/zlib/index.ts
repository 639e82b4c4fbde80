import { Buffer } from 'buffer';
import { crc32 } from '#environment/crc32.ts';
import { invalidArgument, outOfRange, unsupported } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { callable } from '../callable.ts';
import { loadBrotli } from './brotli.ts';
import { BROTLI } from './brotli-constants.ts';
import { type BrotliOptions, BrotliStream } from './brotli-stream.ts';
import { CodecStream } from './codec-stream.ts';
import { CODES, MODES, PARAMETERS } from './constants.ts';
import type { Options } from './settings.ts';
import { ZlibStream } from './stream.ts';

type Done = (error: Error | null, result?: unknown) => void;
type Stream = new (options?: Options) => CodecStream;

/** Functions and their classes. */
const CLASSES: Record<string, [title: string, mode: number]> = {
	deflate: ['Deflate', MODES.DEFLATE],
	inflate: ['Inflate', MODES.INFLATE],
	gzip: ['Gzip', MODES.GZIP],
	gunzip: ['Gunzip', MODES.GUNZIP],
	deflateRaw: ['DeflateRaw', MODES.DEFLATERAW],
	inflateRaw: ['InflateRaw', MODES.INFLATERAW],
	unzip: ['Unzip', MODES.UNZIP]
};

/** @throws ERR_INVALID_ARG_TYPE */
function bytesOf(data: unknown, name = 'buffer'): Uint8Array {
	if (typeof data === 'string') return Buffer.from(data);
	if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	if (data instanceof ArrayBuffer) return new Uint8Array(data);
	throw invalidArgument(name, 'of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer', data);
}

const BROTLI_CLASSES: Record<string, [title: string, mode: number]> = {
	brotliCompress: ['BrotliCompress', BROTLI.BROTLI_ENCODE],
	brotliDecompress: ['BrotliDecompress', BROTLI.BROTLI_DECODE]
};

/** Creates the stream class of one format, which can be called without `new`. */
function streamClass(title: string, mode: number): Stream {
	const made = class extends ZlibStream {
		constructor(options?: Options) {
			super(mode, options);
		}
	};
	return callable(Object.defineProperty(made, 'name', { value: title }));
}

function brotliClass(title: string, mode: number, runtime: Runtime): Stream {
	const made = class extends BrotliStream {
		constructor(options?: BrotliOptions) {
			loadBrotli(runtime.sys.asset);
			super(mode, options);
		}
	};
	return callable(Object.defineProperty(made, 'name', { value: title }));
}

/** Converts all data at once. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE, Error of zlib */
function convert(Stream: Stream, data: unknown, options?: Options): unknown {
	const bytes = bytesOf(data);
	const engine = new Stream(options);
	const buffer = engine._convert(bytes);
	if (options?.info) return { buffer, engine };
	engine._free();
	return buffer;
}

function convertLater({ loop }: Runtime, Stream: Stream, [data, ...rest]: unknown[]): void {
	const done = rest.at(-1);
	if (typeof done !== 'function') throw invalidArgument('callback', 'of type function', done);
	const options = rest.length > 1 ? (rest[0] as Options) : undefined;
	bytesOf(data);
	// Invalid options throw synchronously.
	const engine = new Stream(options);
	loop.perform('Zlib', () => {
		let result: unknown;
		try {
			const buffer = engine._convert(bytesOf(data));
			result = options?.info ? { buffer, engine } : buffer;
		} catch (error) {
			return (done as Done)(error as Error);
		}
		(done as Done)(null, result);
	});
}

/** `crc32` of a chunk, continuing from a previous one. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
function checksum(data: unknown, start: unknown = 0): number {
	if (typeof data !== 'string' && !ArrayBuffer.isView(data)) {
		throw invalidArgument('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
	}
	if (typeof start !== 'number') throw invalidArgument('value', 'of type number', start);
	if (!Number.isInteger(start)) throw outOfRange('value', 'an integer', start);
	if (start < 0 || start > 2 ** 32 - 1) throw outOfRange('value', '>= 0 && <= 4294967295', start);
	return crc32(bytesOf(data), start);
}

/** `node:zlib`, without Zstd. */
export function createZlib(runtime: Runtime): Record<string, unknown> {
	CodecStream.loop = runtime.loop;
	const constants = { ...PARAMETERS, ...CODES, ...MODES, ...BROTLI };
	const codes = { ...CODES, ...Object.fromEntries(Object.entries(CODES).map(([name, code]) => [code, name])) };
	const zlib: Record<string, unknown> = { crc32: checksum };
	const define = (name: string, title: string, Stream: Stream) => {
		zlib[title] = Stream;
		zlib[`create${title}`] = (options?: Options) => new Stream(options);
		zlib[`${name}Sync`] = (data: unknown, options?: Options) => convert(Stream, data, options);
		const { [name]: call } = { [name]: (...args: unknown[]) => convertLater(runtime, Stream, args) };
		zlib[name] = call;
	};
	for (const [name, [title, mode]] of Object.entries(CLASSES)) define(name, title, streamClass(title, mode));
	for (const [name, [title, mode]] of Object.entries(BROTLI_CLASSES)) {
		define(name, title, brotliClass(title, mode, runtime));
	}
	for (const name of ['zstdCompress', 'zstdDecompress']) {
		const title = `${name[0]?.toUpperCase()}${name.slice(1)}`;
		// Libraries bind and list these when they are loaded, long before they would call one.
		for (const call of [name, `${name}Sync`, `create${title}`]) {
			zlib[call] = () => {
				throw unsupported(`zlib.${call}()`, 'Use gzip or Brotli.');
			};
		}
	}
	for (const [name, value] of Object.entries({ constants, codes })) {
		Object.defineProperty(zlib, name, { value: Object.freeze(value), enumerable: true });
	}
	// Properties from before `constants` existed.
	for (const [name, value] of Object.entries(constants)) Object.defineProperty(zlib, name, { value });
	return zlib;
}
