import { Mode } from '#environment/mode.ts';
import { paddingOf, paxRecord } from '#environment/archive/tar-format.ts';
import { BLOCK, tarHeader } from '#environment/archive/tar-header.ts';
import { concat, decode, encode } from '../bytes.ts';
import { isDirectory } from '../objects/tree.ts';
import type { ArchiveEntry, ArchiveHead } from './archive-entry.ts';

/** Archives are padded to a multiple of the record size. */
const RECORD_BYTES = 20 * BLOCK;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
/** The largest time or size that fits into eleven octal digits. */
const MOST_OCTAL = 0o77777777777;
const OWNER = { userId: 0, groupId: 0, user: 'root', group: 'root' };
const KINDS = { file: '0', link: '2', directory: '5', extended: 'x', global: 'g' };

/**
 * Writes an archive in ustar format, with pax headers for values that do not fit (`pax`(1)).
 *
 * @param umask bits to clear in all modes
 */
export function writeTar(entries: Iterable<ArchiveEntry>, head: ArchiveHead, umask: number): Uint8Array {
	const parts: Uint8Array[] = [];
	const seconds = Math.min(head.seconds, MOST_OCTAL);
	const header = (
		fields: Pick<Parameters<typeof tarHeader>[0], 'name' | 'prefix' | 'target' | 'type' | 'mode' | 'size'>
	) => parts.push(tarHeader({ format: 'git', seconds, ...OWNER, ...fields }));
	const pad = (content: Uint8Array) => parts.push(content, new Uint8Array(paddingOf(content.length)));
	const extended = (name: string, kind: 'extended' | 'global', records: Uint8Array[]): void => {
		const text = concat(records);
		header({ name, target: '', type: KINDS[kind], mode: 0o666, size: text.length });
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
		header({
			...(place ?? { name: `${id}.data` }),
			target: target.length > NAME_BYTES ? `see ${id}.paxheader` : target,
			...{ type: KINDS[kind], mode: bits, size: kind === 'file' ? content.length : 0 }
		});
		if (kind === 'file') pad(content);
	}
	const size = parts.reduce((sum, part) => sum + part.length, 0);
	const whole = Math.ceil((size + 2 * BLOCK) / RECORD_BYTES) * RECORD_BYTES;
	return concat([...parts, new Uint8Array(whole - size)]);
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
