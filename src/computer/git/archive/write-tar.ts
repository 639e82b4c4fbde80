import { Mode } from '#environment/mode.ts';
import { BLOCK, checksumOf, paddingOf, paxRecord } from '#environment/archive/tar-format.ts';
import { concat, decode, encode } from '../bytes.ts';
import { isDirectory } from '../objects/tree.ts';
import type { ArchiveEntry, ArchiveHead } from './archive-entry.ts';

/** Archives are padded to a multiple of the record size. */
const RECORD_BYTES = 20 * BLOCK;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
/** The largest time or size that fits into eleven octal digits. */
const MOST_OCTAL = 0o77777777777;
const KINDS = { file: '0', link: '2', directory: '5', extended: 'x', global: 'g' };

/**
 * Writes an archive in ustar format, with pax headers for values that do not fit (`pax`(1)). @param umask bits to clear
 * in all modes
 */
export function writeTar(entries: Iterable<ArchiveEntry>, head: ArchiveHead, umask: number): Uint8Array {
	const parts: Uint8Array[] = [];
	const seconds = Math.min(head.seconds, MOST_OCTAL);
	const pad = (content: Uint8Array) => parts.push(content, new Uint8Array(paddingOf(content.length)));
	const extended = (name: string, kind: 'extended' | 'global', records: Uint8Array[]): void => {
		const text = concat(records);
		parts.push(header({ name, prefix: '', target: '', kind, mode: 0o666, size: text.length, seconds }));
		pad(text);
	};
	const all = [
		...(head.commit === null ? [] : [paxRecord('comment', head.commit)]),
		...(head.seconds > MOST_OCTAL ? [paxRecord('mtime', String(head.seconds))] : [])
	];
	if (all.length > 0) extended('pax_global_header', 'global', all);
	for (const { path, mode, id, content } of entries) {
		const kind = isDirectory(mode) || mode === Mode.commit ? 'directory' : mode === Mode.symlink ? 'link' : 'file';
		const place = splitPath(path);
		const target = kind === 'link' ? content : new Uint8Array(0);
		const records = [
			...(place ? [] : [paxRecord('path', path)]),
			...(target.length > NAME_BYTES ? [paxRecord('linkpath', decode(target))] : [])
		];
		if (records.length > 0) extended(`${id}.paxheader`, 'extended', records);
		const bits = kind === 'link' ? 0o777 : (kind === 'directory' || (mode & 0o100) !== 0 ? 0o777 : 0o666) & ~umask;
		parts.push(
			header({
				...(place ?? { name: `${id}.data`, prefix: '' }),
				target: target.length > NAME_BYTES ? `see ${id}.paxheader` : target,
				...{ kind, mode: bits, size: kind === 'file' ? content.length : 0, seconds }
			})
		);
		if (kind === 'file') pad(content);
	}
	const size = parts.reduce((sum, part) => sum + part.length, 0);
	const whole = Math.ceil((size + 2 * BLOCK) / RECORD_BYTES) * RECORD_BYTES;
	return concat([...parts, new Uint8Array(whole - size)]);
}

interface HeaderFields {
	name: string;
	prefix: string;
	target: string | Uint8Array;
	kind: keyof typeof KINDS;
	mode: number;
	size: number;
	seconds: number;
}

/** Splits a path that is too long for one field at a slash; null if no split fits. */
function splitPath(path: string): { name: string; prefix: string } | null {
	const bytes = encode(path);
	if (bytes.length <= NAME_BYTES) return { name: path, prefix: '' };
	for (let at = path.lastIndexOf('/', path.length - 2); at > 0; at = path.lastIndexOf('/', at - 1)) {
		const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
		if (encode(prefix).length > PREFIX_BYTES) continue;
		return encode(name).length <= NAME_BYTES ? { name, prefix } : null;
	}
	return null;
}

function header({ name, prefix, target, kind, mode, size, seconds }: HeaderFields): Uint8Array {
	const block = new Uint8Array(BLOCK);
	const put = (text: string | Uint8Array, at: number, length: number) =>
		block.set((typeof text === 'string' ? encode(text) : text).subarray(0, length), at);
	const octal = (value: number, digits: number) => `${Math.floor(value).toString(8).padStart(digits, '0')}\0`;
	put(name, 0, NAME_BYTES);
	put(octal(mode, 7), 100, 8);
	put(octal(0, 7), 108, 8);
	put(octal(0, 7), 116, 8);
	put(octal(size, 11), 124, 12);
	put(octal(seconds, 11), 136, 12);
	put('        ', 148, 8);
	put(KINDS[kind], 156, 1);
	put(target, 157, NAME_BYTES);
	put('ustar\x0000root', 257, 40);
	put('root', 297, 32);
	put(octal(0, 7), 329, 8);
	put(octal(0, 7), 337, 8);
	put(prefix, 345, PREFIX_BYTES);
	put(octal(checksumOf(block), 7), 148, 8);
	return block;
}
