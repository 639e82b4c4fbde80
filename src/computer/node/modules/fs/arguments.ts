import { Buffer } from 'buffer';
import { inspect } from 'node-inspect-extracted';
import { invalidArgument, invalidValue, nodeError } from '../../runtime/errors.ts';
import { fileURLToPath } from '../file-url.ts';

export type PathLike = string | URL | Uint8Array;
export type Encoding = BufferEncoding | 'buffer' | null | undefined;
export interface FsOptions {
	encoding?: Encoding;
	flag?: string | number;
	flags?: string | number;
	mode?: number | string;
	recursive?: boolean;
	force?: boolean;
	withFileTypes?: boolean;
	throwIfNoEntry?: boolean;
	bigint?: boolean;
	signal?: AbortSignal;
}

const text = new TextDecoder();

/** Path as the program wrote it, for error messages. */
export function pathText(path: PathLike, name = 'path'): string {
	if (typeof path === 'string') {
		if (path.includes('\0')) throw badPath(name, path);
		return path;
	}
	if (path instanceof URL) {
		return pathText(fileURLToPath(path), name);
	}
	if (path instanceof Uint8Array) {
		if (path.includes(0)) throw badPath(name, path);
		return text.decode(path);
	}
	throw invalidArgument(name, 'of type string or an instance of Buffer or URL', path);
}

const badPath = (name: string, value: unknown): Error =>
	invalidValue(name, value, 'must be a string, Uint8Array, or URL without null bytes');

/** Parses options, which may also be just an encoding. */
export function fsOptions(options: unknown): FsOptions {
	if (typeof options === 'string') {
		checkEncoding(options);
		return { encoding: options as BufferEncoding };
	}
	if (typeof options !== 'object' || options === null) return {};
	const known: FsOptions = options;
	if (typeof known.encoding === 'string') checkEncoding(known.encoding);
	if (known.signal?.aborted) throw aborted(known.signal);
	return known;
}

export function aborted(signal: AbortSignal): Error {
	const error = nodeError(Error, 'ABORT_ERR', 'The operation was aborted');
	return Object.assign(error, { name: 'AbortError', cause: signal.reason });
}

/** @throws ERR_INVALID_ARG_VALUE for an unknown encoding */
export function checkEncoding(encoding: string): void {
	if (encoding === 'buffer' || Buffer.isEncoding(encoding)) return;
	const words = `The argument 'encoding' is invalid encoding. Received '${encoding}'`;
	throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
}

/** Converts data to write to bytes. */
export function bytesOf(data: unknown, encoding?: Encoding): Uint8Array {
	if (typeof data === 'string') return Buffer.from(data, encoding === 'buffer' || !encoding ? 'utf8' : encoding);
	if (data instanceof Uint8Array) return data;
	if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	throw invalidArgument('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
}

/** Encodes the name of a file as requested by a call's options. */
export function encodedName(name: string, options: unknown): string | Buffer {
	const { encoding } = fsOptions(options);
	return !encoding || encoding === 'utf8' || encoding === 'utf-8' ? name : decoded(Buffer.from(name), encoding);
}

/**
 * Converts a time passed to `utimes` to milliseconds: a date, or seconds as a number or a string.
 * @throws ERR_INVALID_ARG_TYPE
 */
export function fileTime(value: unknown, name = 'time'): number {
	if (typeof value === 'number')
		return Number.isFinite(value) ? (value < 0 ? Date.now() : value * 1000) : noTime(value, name);
	if (typeof value === 'string' && String(Number(value)) === value.replace(/^\+/, '')) return Number(value) * 1000;
	if (value instanceof Date) return value.getTime();
	return noTime(value, name);
}

function noTime(value: unknown, name: string): never {
	throw invalidArgument(name, 'an instance of Date or an Time in seconds', value);
}

/** Decodes bytes as requested by the program. */
export function decoded(bytes: Uint8Array, encoding: Encoding): string | Buffer {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (!encoding || encoding === 'buffer') return buffer;
	return encoding === 'utf8' || encoding === 'utf-8' ? text8.decode(bytes) : buffer.toString(encoding);
}

const text8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function modeOf(mode: number | string | undefined | null): number | undefined {
	return mode === undefined || mode === null ? undefined : typeof mode === 'string' ? parseInt(mode, 8) : mode;
}

/** Parsed flags of `open`. */
export interface OpenFlags {
	read: boolean;
	write: boolean;
	append: boolean;
	create: boolean;
	exclusive: boolean;
	truncate: boolean;
}

/** All flags in Node's documentation of file system flags, and the same with letters in another order. */
const OPEN_FLAGS = /^(r|rs|sr|[wa]|[wa]x|x[wa]|as|sa)\+?$/;

export function openFlags(flags: string | number | null | undefined): OpenFlags {
	if (typeof flags === 'number') {
		const access = flags & 3;
		return {
			read: access !== 1,
			write: access !== 0,
			append: (flags & 0o2000) !== 0,
			create: (flags & 0o100) !== 0,
			exclusive: (flags & 0o200) !== 0,
			truncate: (flags & 0o1000) !== 0
		};
	}
	const given = flags ?? 'r';
	if (!OPEN_FLAGS.test(given)) {
		const words = `The argument 'flags' is invalid. Received ${inspect(flags)}`;
		throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
	}
	const letters = given.replace('s', '');
	const kind = letters.replace('x', '')[0];
	const plus = letters.includes('+');
	return {
		read: kind === 'r' || plus,
		write: kind !== 'r' || plus,
		append: kind === 'a',
		create: kind !== 'r',
		exclusive: letters.includes('x'),
		truncate: kind === 'w'
	};
}
