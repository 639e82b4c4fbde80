import { concat } from '../concat.ts';
import { BLOCK, CHECKSUM_END, CHECKSUM_START, checksumOf, EMPTY_CHECKSUM, tarHeader } from './tar-header.ts';

/** A member of a tar archive (POSIX ustar, with long names of GNU and pax). */
export interface TarMember {
	name: string;
	/** Devices and named pipes are treated as files without content. */
	kind: 'file' | 'directory' | 'symlink' | 'hardlink';
	mode: number;
	modifiedMs: number;
	/** Path that a link points to. */
	target: string;
	bytes: Uint8Array;
}

/** A member as read from an archive. */
export interface ReadMember extends TarMember {
	/** False for devices, named pipes and other special types. */
	isRegular: boolean;
}

const SPACE = 0x20;
const DIGIT_ZERO = 0x30;
/** Owner of all written members. */
const OWNER = { userId: 1000, groupId: 1000, user: 'user', group: 'user' };
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const REGULAR = new Set(['0', '\0', '7']);
const KINDS = new Map<string, TarMember['kind']>([
	['1', 'hardlink'],
	['2', 'symlink'],
	['5', 'directory']
]);

/**
 * Reads the members of an archive in memory; their contents are views into it.
 *
 * @throws Error if the bytes are not an archive or end within a member
 */
export function readTar(bytes: Uint8Array): ReadMember[] {
	const members: ReadMember[] = [];
	const parser = new TarParser();
	for (let at = 0; at + BLOCK <= bytes.length;) {
		const size = parser.header(bytes.subarray(at, at + BLOCK));
		if (size === null) break;
		at += BLOCK;
		const content = bytes.subarray(at, at + size);
		if (content.length < size) throw new Error('Unexpected EOF in archive');
		at += size + paddingOf(size);
		const member = parser.content(content);
		if (member) members.push(member);
	}
	return members;
}

/** Padding between a content of this size and the next header, in bytes. */
export function paddingOf(size: number): number {
	return (BLOCK - (size % BLOCK)) % BLOCK;
}

/**
 * Parses an archive incrementally, for readers of whole archives and of streams alike: {@link header} takes a block and
 * returns the size of the content that follows, {@link content} takes that content.
 */
export class TarParser {
	/** Commit that `git archive` writes to the archive's comment. */
	commit: string | null = null;
	#header = new Uint8Array(BLOCK);
	#name: string | null = null;
	#target: string | null = null;
	#size: number | null = null;

	/**
	 * Takes the next header.
	 *
	 * @returns size of its content in bytes; `null` for the block of zeros that ends an archive
	 * @throws Error if it is not a header
	 */
	header(block: Uint8Array): number | null {
		const sum = checksumOf(block);
		if (sum === EMPTY_CHECKSUM && block.every((byte) => byte === 0)) return null;
		if (sum !== numberAt(block, CHECKSUM_START, CHECKSUM_END - CHECKSUM_START))
			throw new Error('This does not look like a tar archive');
		this.#header = block.slice();
		const size = this.#size ?? numberAt(block, 124, 12);
		if (!Number.isSafeInteger(size) || size < 0) throw new Error('This member has no valid size');
		return size;
	}

	/**
	 * Takes the content that follows the last header.
	 *
	 * @returns the member; `null` if the content describes the next member or the archive
	 */
	content(bytes: Uint8Array): ReadMember | null {
		const header = this.#header;
		const type = String.fromCharCode(header[156] ?? 0);
		if (type === 'L') this.#name = textAt(bytes, 0, bytes.length);
		else if (type === 'K') this.#target = textAt(bytes, 0, bytes.length);
		else if (type === 'x') {
			const records = paxRecords(bytes);
			this.#name = records.get('path') ?? this.#name;
			this.#target = records.get('linkpath') ?? this.#target;
			const size = records.get('size');
			if (size !== undefined) this.#size = Number(size);
		} else if (type === 'g') {
			const comment = paxRecords(bytes).get('comment') ?? '';
			if (/^[0-9a-f]{40}$/.test(comment)) this.commit = comment;
		} else return this.#member(header, type, bytes);
		return null;
	}

	#member(header: Uint8Array, type: string, bytes: Uint8Array): ReadMember {
		const prefix = textAt(header, 257, 5) === 'ustar' ? textAt(header, 345, 155) : '';
		const short = textAt(header, 0, 100);
		const name = this.#name ?? (prefix ? `${prefix}/${short}` : short);
		const kind = KINDS.get(type) ?? (name.endsWith('/') ? 'directory' : 'file');
		const target = this.#target ?? textAt(header, 157, 100);
		this.#name = this.#target = this.#size = null;
		return {
			name,
			kind,
			isRegular: kind === 'file' && REGULAR.has(type),
			mode: numberAt(header, 100, 8) & 0o7777,
			modifiedMs: numberAt(header, 136, 12) * 1000,
			target,
			bytes
		};
	}
}

function textAt(block: Uint8Array, offset: number, length: number): string {
	const field = block.subarray(offset, offset + length);
	const end = field.indexOf(0);
	return decoder.decode(end < 0 ? field : field.subarray(0, end));
}

/**
 * Parses octal digits, or GNU's base 256 for numbers that are too large for them; `NaN` for anything else. Works on
 * bytes, since an archive has five numbers per file and decoding each as text would take longer than everything else.
 */
export function numberAt(block: Uint8Array, offset: number, length: number): number {
	const end = offset + length;
	let value = 0;
	if ((block[offset] ?? 0) & 0x80) {
		if ((block[offset] ?? 0) & 0x40) value = -1;
		for (let at = offset + 1; at < end; at++) value = value * 256 + (block[at] ?? 0);
		return value;
	}
	let at = offset;
	while (at < end && block[at] === SPACE) at++;
	for (; at < end && block[at] !== SPACE && block[at] !== 0; at++) {
		const digit = (block[at] ?? 0) - DIGIT_ZERO;
		if (digit < 0 || digit > 7) return Number.NaN;
		value = value * 8 + digit;
	}
	return value;
}

/**
 * Parses the records of a pax header, such as `27 path=some/name\n`; the number is the record's length in bytes.
 *
 * @throws Error if a record has no valid length
 */
export function paxRecords(bytes: Uint8Array): Map<string, string> {
	const records = new Map<string, string>();
	for (let at = 0; at < bytes.length;) {
		const space = bytes.indexOf(32, at);
		const length = space < 0 ? Number.NaN : Number(decoder.decode(bytes.subarray(at, space)));
		if (!Number.isSafeInteger(length) || length <= space - at) throw new Error('A record of a pax header is damaged');
		const [key = '', ...value] = decoder.decode(bytes.subarray(space + 1, at + length - 1)).split('=');
		records.set(key, value.join('='));
		at += length;
	}
	return records;
}

/** Encodes a record of a pax header, which begins with its own length in bytes. */
export function paxRecord(key: string, value: string): Uint8Array {
	const rest = encoder.encode(` ${key}=${value}\n`);
	let length = rest.length + 1;
	while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
	return concat([encoder.encode(String(length)), rest]);
}

/** Writes an archive in GNU format, padded to a whole record of 10 KiB as GNU tar does. */
export function writeTar(members: readonly TarMember[]): Uint8Array {
	const pieces: Uint8Array[] = [];
	const padded = (bytes: Uint8Array) => {
		pieces.push(bytes);
		if (bytes.length % BLOCK) pieces.push(new Uint8Array(BLOCK - (bytes.length % BLOCK)));
	};
	for (const member of members) {
		const name = encoder.encode(member.name);
		const target = encoder.encode(member.target);
		for (const [type, long] of [
			['K', target],
			['L', name]
		] as const) {
			if (long.length <= 100) continue;
			pieces.push(gnuHeader({ ...member, name: '././@LongLink', target: '' }, long.length + 1, type));
			padded(concat([long, new Uint8Array(1)]));
		}
		const size = member.kind === 'file' ? member.bytes.length : 0;
		pieces.push(gnuHeader(member, size, { file: '0', hardlink: '1', symlink: '2', directory: '5' }[member.kind]));
		if (size) padded(member.bytes);
	}
	const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
	// Two empty blocks, then padding to a whole record, as GNU tar writes.
	pieces.push(new Uint8Array(Math.ceil((size + 2 * BLOCK) / 10240) * 10240 - size));
	return concat(pieces);
}

const gnuHeader = ({ name, target, mode, modifiedMs }: TarMember, size: number, type: string): Uint8Array =>
	tarHeader({ format: 'gnu', name, target, type, mode, size, seconds: modifiedMs / 1000, ...OWNER });
