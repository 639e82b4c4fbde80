import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../../runtime/errors.ts';

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

/** The path as the program wrote it; errors name it so. */
export function pathText(path: PathLike, name = 'path'): string {
	if (typeof path === 'string') {
		if (path.includes('\0')) throw badPath(name);
		return path;
	}
	if (path instanceof URL) {
		if (path.protocol !== 'file:')
			throw nodeError(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
		return decodeURIComponent(path.pathname);
	}
	if (path instanceof Uint8Array) return text.decode(path);
	throw invalidArgument(name, 'of type string or an instance of Buffer or URL', path);
}

function badPath(name: string): Error {
	const words = `The argument '${name}' must be a string, Uint8Array, or URL without null bytes.`;
	return nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
}

/** Options may be given as an encoding alone. */
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

function checkEncoding(encoding: string): void {
	if (encoding === 'buffer' || Buffer.isEncoding(encoding)) return;
	const words = `The argument 'encoding' is invalid encoding. Received '${encoding}'`;
	throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
}

/** What a program gives to be written. */
export function bytesOf(data: unknown, encoding?: Encoding): Uint8Array {
	if (typeof data === 'string') return Buffer.from(data, encoding === 'buffer' || !encoding ? 'utf8' : encoding);
	if (data instanceof Uint8Array) return data;
	if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	throw invalidArgument('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
}

/** Bytes as the program asked for them. */
export function decoded(bytes: Uint8Array, encoding: Encoding): string | Buffer {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (!encoding || encoding === 'buffer') return buffer;
	return encoding === 'utf8' || encoding === 'utf-8' ? text8.decode(bytes) : buffer.toString(encoding);
}

const text8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Where a read puts what it reads: from `offset` on, at most `length` bytes, of the file at `position`. */
export interface ReadTarget {
	target: Uint8Array;
	offset: number;
	length: number;
	/** Where the last read ended, unless it is a number from 0 on. */
	position: unknown;
}

/** What `fs.read` puts its bytes into when the program gives it nothing, in bytes. */
const READ_SIZE = 16_384;

/** @param args of `fs.read` after the descriptor: a buffer and numbers, a buffer and options, or options alone */
export function readTarget(args: readonly unknown[]): ReadTarget {
	const [first, ...others] = args;
	const given = ArrayBuffer.isView(first) ? others : args;
	const options = (typeof given[0] === 'object' && given[0] !== null ? given[0] : null) as {
		buffer?: Uint8Array;
		offset?: number | null;
		length?: number | null;
		position?: unknown;
	} | null;
	const [offset, length, position] = options ? [options.offset, options.length, options.position] : given;
	const target = ArrayBuffer.isView(first) ? (first as Uint8Array) : (options?.buffer ?? Buffer.alloc(READ_SIZE));
	const from = Number(offset ?? 0);
	return { target, offset: from, length: Number(length ?? target.byteLength - from), position };
}

export function modeOf(mode: number | string | undefined | null): number | undefined {
	return mode === undefined || mode === null ? undefined : typeof mode === 'string' ? parseInt(mode, 8) : mode;
}

/** Flags of `open`, as what they mean. */
export interface OpenFlags {
	read: boolean;
	write: boolean;
	append: boolean;
	create: boolean;
	exclusive: boolean;
	truncate: boolean;
}

export function openFlags(flags: string | number | undefined): OpenFlags {
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
	const letters = (flags ?? 'r').replace(/s/g, '');
	if (!/^(r|w|a)x?\+?x?$/.test(letters)) {
		const words = `The argument 'flags' is invalid. Received '${flags}'`;
		throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
	}
	const [kind] = letters;
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
