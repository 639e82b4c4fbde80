import { concat } from '../concat.ts';

/** A member of a tar archive (POSIX ustar, with GNU's and pax's long names). */
export interface TarMember {
	name: string;
	kind: 'file' | 'directory' | 'symlink' | 'hardlink';
	mode: number;
	modifiedMs: number;
	/** Where a link leads. */
	target: string;
	bytes: Uint8Array;
}

const BLOCK = 512;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const TYPES: Record<string, TarMember['kind']> = { '0': 'file', '\0': 'file', '7': 'file', '1': 'hardlink', '2': 'symlink', '5': 'directory' }; // prettier-ignore

/** @throws Error when the bytes are no archive */
export function readTar(bytes: Uint8Array): TarMember[] {
	const members: TarMember[] = [];
	let at = 0;
	let longName: string | null = null;
	let longTarget: string | null = null;
	while (at + BLOCK <= bytes.length) {
		const header = bytes.subarray(at, at + BLOCK);
		at += BLOCK;
		if (header.every((byte) => byte === 0)) break;
		const text = (from: number, length: number) =>
			decoder.decode(header.subarray(from, from + length)).split('\0', 1)[0] ?? '';
		const number = (from: number, length: number) => {
			// Sizes too large for octal digits are written as a number in base 256.
			if ((header[from] ?? 0) & 0x80)
				return [...header.subarray(from + 1, from + length)].reduce((sum, byte) => sum * 256 + byte, 0);
			return parseInt(text(from, length).trim() || '0', 8);
		};
		const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
		if (sum !== number(148, 8)) throw new Error('This does not look like a tar archive');
		const size = number(124, 12);
		const content = bytes.subarray(at, at + size);
		if (content.length < size) throw new Error('Unexpected EOF in archive');
		at += Math.ceil(size / BLOCK) * BLOCK;
		const type = String.fromCharCode(header[156] ?? 0);
		if (type === 'L') longName = decoder.decode(content).replace(/\0.*$/s, '');
		else if (type === 'K') longTarget = decoder.decode(content).replace(/\0.*$/s, '');
		else if (type === 'x') {
			const pax = paxValues(content);
			longName = pax.get('path') ?? longName;
			longTarget = pax.get('linkpath') ?? longTarget;
		} else if (type !== 'g') {
			const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
			const name = longName ?? (prefix ? `${prefix}/${text(0, 100)}` : text(0, 100));
			const kind = TYPES[type] ?? 'file';
			members.push({
				name,
				kind: kind === 'file' && name.endsWith('/') ? 'directory' : kind,
				mode: number(100, 8) & 0o7777,
				modifiedMs: number(136, 12) * 1000,
				target: longTarget ?? text(157, 100),
				bytes: content
			});
			longName = longTarget = null;
		}
	}
	return members;
}

/** `27 path=some/name\n` and the like. */
function paxValues(bytes: Uint8Array): Map<string, string> {
	const values = new Map<string, string>();
	for (let at = 0; at < bytes.length;) {
		const space = bytes.indexOf(32, at);
		const length = Number(decoder.decode(bytes.subarray(at, space)));
		if (space < 0 || !(length > 0)) break;
		const [, name = '', value = ''] =
			/^([^=]*)=(.*)\n$/s.exec(decoder.decode(bytes.subarray(space + 1, at + length))) ?? [];
		values.set(name, value);
		at += length;
	}
	return values;
}

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
			pieces.push(header({ ...member, name: '././@LongLink', kind: 'file', target: '' }, long.length + 1, type));
			padded(concat([long, new Uint8Array(1)]));
		}
		const size = member.kind === 'file' ? member.bytes.length : 0;
		pieces.push(header(member, size, { file: '0', hardlink: '1', symlink: '2', directory: '5' }[member.kind]));
		if (size) padded(member.bytes);
	}
	const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
	// Two empty blocks, and up to a whole record as GNU writes it.
	pieces.push(new Uint8Array(Math.ceil((size + 2 * BLOCK) / 10240) * 10240 - size));
	return concat(pieces);
}

function header(member: TarMember, size: number, type: string): Uint8Array {
	const block = new Uint8Array(BLOCK);
	const put = (text: string, at: number, length: number) => block.set(encoder.encode(text).subarray(0, length), at);
	const octal = (value: number, width: number) =>
		`${Math.floor(value)
			.toString(8)
			.padStart(width - 1, '0')}\0`;
	put(member.name, 0, 100);
	put(octal(member.mode, 8), 100, 8);
	put(octal(1000, 8), 108, 8);
	put(octal(1000, 8), 116, 8);
	put(octal(size, 12), 124, 12);
	put(octal(member.modifiedMs / 1000, 12), 136, 12);
	put('        ', 148, 8);
	put(type, 156, 1);
	put(member.target, 157, 100);
	put('ustar  \0user', 257, 40);
	put('user', 297, 32);
	const sum = block.reduce((total, byte) => total + byte, 0);
	put(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8);
	return block;
}
