import { Gunzip } from 'fflate';
import { crc32 } from '#environment/crc32.ts';
import { concat, encode, toLatin1 } from '#computer/process/text.ts';
import { compress, isGzip } from './compression.ts';

const [MAGIC_1, MAGIC_2, DEFLATE, UNIX] = [0x1f, 0x8b, 8, 3];
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
const HAS_NAME = 8;
const HAS_EXTRA = 4;
/** Code of fflate's error for input that ends early. */
const UNEXPECTED_END = 0;

/** A file that is damaged, or not in gzip's format; the message is gzip's. */
export class GzipError extends Error {
	/** @param readable what could be read of it */
	constructor(
		message: string,
		readonly readable: Uint8Array = new Uint8Array()
	) {
		super(message);
	}
}

export interface GzipContent {
	bytes: Uint8Array;
	/** Name and time that the first member has of the original file. */
	name: string | null;
	modifiedMs: number | null;
	/** Header and trailer of the first member. Bytes. */
	frame: number;
	/** Bytes behind the last member, which are ignored. */
	hasGarbage: boolean;
}

/** Bytes of a member around its content, with this name in its header. */
export const frameBytes = (name: string | null): number =>
	HEADER_BYTES + (name === null ? 0 : encode(name).length + 1) + TRAILER_BYTES;

/** Compresses into one member (RFC 1952). @param origin name and time to keep; null for none */
export async function packGzip(
	bytes: Uint8Array,
	origin: { name: string; modifiedMs: number } | null
): Promise<Uint8Array> {
	const header = new Uint8Array(HEADER_BYTES);
	header.set([MAGIC_1, MAGIC_2, DEFLATE, origin ? HAS_NAME : 0]);
	const view = new DataView(header.buffer);
	if (origin) view.setUint32(4, Math.floor(origin.modifiedMs / 1000), true);
	header[9] = UNIX;
	const trailer = new Uint8Array(TRAILER_BYTES);
	const end = new DataView(trailer.buffer);
	end.setUint32(0, crc32(bytes), true);
	end.setUint32(4, bytes.length % 2 ** 32, true);
	const name = origin ? encode(`${origin.name}\0`) : new Uint8Array();
	return concat([header, name, await compress(bytes, 'deflate-raw'), trailer]);
}

/**
 * Takes all members of a file apart and checks their sums.
 *
 * @param limit largest content in bytes
 * @throws GzipError
 */
export function unpackGzip(bytes: Uint8Array, limit: number): GzipContent {
	if (!isGzip(bytes)) throw new GzipError('not in gzip format');
	const members: Uint8Array[][] = [[]];
	const starts: number[] = [0];
	let size = 0;
	let hasGarbage = false;
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
	try {
		reader.push(bytes, true);
	} catch (error) {
		if (error instanceof GzipError) throw error;
		const isCut = error instanceof Error && 'code' in error && error.code === UNEXPECTED_END;
		if (isCut) throw new GzipError('unexpected end of file', concat(members.flat()));
		const [first] = members;
		if (!first?.length) throw new GzipError('invalid compressed data--format violated');
		hasGarbage = true;
	}
	const contents = members.map((pieces) => concat(pieces));
	if (!hasGarbage) checkSums(bytes, contents, starts);
	return { bytes: concat(contents), ...originOf(bytes), hasGarbage };
}

/** @throws GzipError when a member is not what its trailer says */
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

function originOf(bytes: Uint8Array): Pick<GzipContent, 'name' | 'modifiedMs' | 'frame'> {
	const flags = bytes[3] ?? 0;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const seconds = view.getUint32(4, true);
	const modifiedMs = seconds === 0 ? null : seconds * 1000;
	if ((flags & HAS_NAME) === 0) return { name: null, modifiedMs, frame: frameBytes(null) };
	let at = HEADER_BYTES;
	if (flags & HAS_EXTRA) at += 2 + view.getUint16(at, true);
	const end = bytes.indexOf(0, at);
	// A name, not a path: what comes from an archive stays in the directory.
	const name = toLatin1(bytes.subarray(at, end < 0 ? at : end)).replace(/^.*\//, '');
	const isUsable = name !== '' && name !== '.' && name !== '..';
	return { name: isUsable ? name : null, modifiedMs, frame: HEADER_BYTES + end + 1 - at + TRAILER_BYTES };
}
