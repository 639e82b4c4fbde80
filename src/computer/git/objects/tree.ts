import { Mode } from '#environment/mode.ts';
import { comparePaths, concat, decode, encode, fromHex, toHex } from '../bytes.ts';

export interface TreeEntry {
	mode: number;
	name: string;
	id: string;
}

export const isDirectory = (mode: number): boolean => mode === Mode.directory;
export const modeText = (mode: number): string => mode.toString(8).padStart(6, '0');
export const typeOfMode = (mode: number) => (isDirectory(mode) ? 'tree' : mode === Mode.commit ? 'commit' : 'blob');

/** Parses a tree. @throws RangeError if it is truncated */
export function parseTree(content: Uint8Array): TreeEntry[] {
	const entries: TreeEntry[] = [];
	for (let at = 0; at < content.length;) {
		const space = content.indexOf(0x20, at);
		const end = content.indexOf(0, space);
		if (space < 0 || end < 0 || end + 21 > content.length) throw new RangeError('a tree object ends early');
		entries.push({
			mode: Number.parseInt(decode(content.subarray(at, space)), 8),
			name: decode(content.subarray(space + 1, end)),
			id: toHex(content.subarray(end + 1, end + 21))
		});
		at = end + 21;
	}
	return entries;
}

/** Serializes a tree, sorted as in git: a directory as if its name ended with a slash. */
export function serializeTree(entries: readonly TreeEntry[]): Uint8Array {
	const key = (entry: TreeEntry) => (isDirectory(entry.mode) ? `${entry.name}/` : entry.name);
	const sorted = [...entries].sort((a, b) => comparePaths(key(a), key(b)));
	return concat(sorted.flatMap(({ mode, name, id }) => [encode(`${mode.toString(8)} ${name}\0`), fromHex(id)]));
}
