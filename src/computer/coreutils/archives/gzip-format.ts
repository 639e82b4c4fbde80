import { Gunzip } from 'fflate';
import { endOfMember, hasSum, TRAILER_BYTES } from '#environment/archive/gzip-member.ts';
import { crc32 } from '#environment/crc32.ts';
import { concat, encode, toLatin1 } from '#computer/process/text.ts';
import { compress, isGzip } from './compression.ts';
import { type Content, GzipError, MethodError } from './unpacked-content.ts';

const [MAGIC_1, MAGIC_2, DEFLATE, UNIX] = [0x1f, 0x8b, 8, 3];
const HEADER_BYTES = 10;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const IS_ENCRYPTED = 0x20;
const RESERVED = 0xc0;
/** fflate's error code for input that ends early. */
const UNEXPECTED_END = 0;
/** Latest time a header can contain, in seconds since 1970; 0 means none. */
const MOST_SECONDS = 2 ** 32 - 1;

export interface GzipContent extends Content {
	/** Name and time of the original file in the first member. */
	name: string | null;
	modifiedMs: number | null;
	/** Bytes after the last member. */
	trailing: Uint8Array;
}

/** Number of bytes of a member besides its content, with this name in its header. */
export const frameBytes = (name: string | null): number =>
	HEADER_BYTES + (name === null ? 0 : encode(name).length + 1) + TRAILER_BYTES;

/** Returns whether the time of a file fits into a header. */
export const fitsHeader = (modifiedMs: number): boolean => {
	const seconds = Math.floor(modifiedMs / 1000);
	return seconds > 0 && seconds <= MOST_SECONDS;
};

/** Compresses into one member (RFC 1952). @param origin name and time to store; null for none */
export async function packGzip(
	bytes: Uint8Array,
	origin: { name: string; modifiedMs: number } | null
): Promise<Uint8Array> {
	const header = new Uint8Array(HEADER_BYTES);
	header.set([MAGIC_1, MAGIC_2, DEFLATE, origin ? HAS_NAME : 0]);
	const view = new DataView(header.buffer);
	if (origin && fitsHeader(origin.modifiedMs)) view.setUint32(4, Math.floor(origin.modifiedMs / 1000), true);
	header[9] = UNIX;
	const trailer = new Uint8Array(TRAILER_BYTES);
	const end = new DataView(trailer.buffer);
	end.setUint32(0, crc32(bytes), true);
	end.setUint32(4, bytes.length % 2 ** 32, true);
	const name = origin ? encode(`${origin.name}\0`) : new Uint8Array();
	return concat([header, name, await compress(bytes, 'deflate-raw'), trailer]);
}

/**
 * Decompresses all members of a file and verifies their checksums.
 *
 * @param limit maximum size of the content in bytes
 * @throws GzipError
 */
export function unpackGzip(bytes: Uint8Array, limit: number): GzipContent {
	checkHeader(bytes);
	const members: Uint8Array[][] = [[]];
	const starts: number[] = [0];
	let size = 0;
	const reader = new Gunzip((piece) => {
		size += piece.length;
		if (size > limit) throw new GzipError('File too large');
		members.at(-1)?.push(piece);
	});
	reader.onmember = (at) => {
		if (at <= 0) return;
		starts.push(at);
		members.push([]);
	};
	let end = bytes.length;
	try {
		reader.push(bytes, true);
	} catch (error) {
		if (error instanceof GzipError) throw error;
		end = endOfMember(bytes, starts.at(-1) ?? 0, concat(members.at(-1) ?? [])) ?? -1;
		const isMember = end >= 0 && isGzip(bytes.subarray(end));
		if (end < 0 || isMember) throw gzipError(error, concat(members.flat()));
	}
	const contents = members.map((pieces) => concat(pieces));
	const last = contents.at(-1) ?? new Uint8Array();
	// The decompressor also consumes some bytes of the trailer.
	if (!hasSum(bytes.subarray(0, end), last)) end = endOfMember(bytes, starts.at(-1) ?? 0, last) ?? end;
	checkSums(bytes.subarray(0, end), contents, starts);
	return { bytes: concat(contents), ...originOf(bytes), trailing: bytes.subarray(end) };
}

/** @throws GzipError for a header with unknown flags */
function checkHeader(bytes: Uint8Array): void {
	if (!isGzip(bytes)) throw new GzipError('not in gzip format');
	const [, , method = DEFLATE, flags = 0] = bytes;
	if (method !== DEFLATE) throw new MethodError(`: unknown method ${method} -- not supported`);
	if (flags & IS_ENCRYPTED) throw new MethodError(' is encrypted -- not supported');
	if (flags & RESERVED) throw new MethodError(` has flags 0x${flags.toString(16)} -- not supported`);
}

function gzipError(error: unknown, readable: Uint8Array): GzipError {
	const isCut = error instanceof Error && 'code' in error && error.code === UNEXPECTED_END;
	if (isCut) return new GzipError('unexpected end of file', readable);
	return new GzipError('invalid compressed data--format violated', readable);
}

/** @throws GzipError if a member does not match its trailer */
function checkSums(bytes: Uint8Array, contents: readonly Uint8Array[], starts: readonly number[]): void {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	for (const [index, content] of contents.entries()) {
		const end = starts[index + 1] ?? bytes.length;
		if (end < TRAILER_BYTES) throw new GzipError('unexpected end of file');
		if (view.getUint32(end - 8, true) !== crc32(content))
			throw new GzipError('invalid compressed data--crc error', concat(contents));
		if (view.getUint32(end - 4, true) !== content.length % 2 ** 32)
			throw new GzipError('invalid compressed data--length error', concat(contents));
	}
}

function originOf(bytes: Uint8Array): Omit<GzipContent, 'bytes' | 'trailing'> {
	const flags = bytes[3] ?? 0;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const seconds = view.getUint32(4, true);
	const modifiedMs = seconds === 0 ? null : seconds * 1000;
	const crc = view.byteLength < TRAILER_BYTES ? 0 : view.getUint32(view.byteLength - 8, true);
	if ((flags & HAS_NAME) === 0) return { name: null, modifiedMs, frame: frameBytes(null), crc };
	let at = HEADER_BYTES;
	if (flags & HAS_EXTRA) at += 2 + view.getUint16(at, true);
	const end = bytes.indexOf(0, at);
	// A name, not a path: files from an archive stay in the directory.
	const name = toLatin1(bytes.subarray(at, end < 0 ? at : end)).replace(/^.*\//, '');
	const isUsable = name !== '' && name !== '.' && name !== '..';
	return { name: isUsable ? name : null, modifiedMs, frame: HEADER_BYTES + end + 1 - at + TRAILER_BYTES, crc };
}
