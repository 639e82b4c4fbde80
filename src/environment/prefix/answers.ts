import type { TreeEntry } from '../tree/entry.ts';

const LINE = /^([0-9a-f]+) (\d+) (\d+) (\S+ \S+ \S+?)\/(\S+ \S+ \S+)(?: ([\s\S]*))?$/;
const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))? /;

/** Splits an answer into parts that end with a null character, and the rest. */
export function splitParts(answer: Buffer): { parts: string[]; rest: string } {
	const parts = answer.toString().split('\0');
	return { rest: parts.pop() ?? '', parts };
}

/** Parses the output of `stat` for one file. `undefined` if it is neither a file, a directory nor a link. */
export function toEntry(line: string): { entry: TreeEntry; path: string } | undefined {
	const [, mode = '', size = '', inode = '', modified = '', changed = '', path = ''] = LINE.exec(line) ?? [];
	const bits = Number.parseInt(mode, 16);
	const kind = ({ 0x8000: 'file', 0x4000: 'directory', 0xa000: 'symlink' } as const)[bits & 0xf000];
	if (kind === undefined) return undefined;
	return {
		path,
		entry: {
			kind,
			mode: bits & 0o777,
			size: Number(size),
			inode: BigInt(inode),
			modifiedNs: toNanoseconds(modified),
			changedNs: toNanoseconds(changed)
		}
	};
}

/** Entries of the files below a directory, by path relative to it, sorted: parents before children. */
export function toEntries(lines: string, directory: string): Map<string, TreeEntry> {
	const start = directory === '/' ? 1 : directory.length + 1;
	const found: [string, TreeEntry][] = [];
	for (const line of lines.split('\n')) {
		const read = toEntry(line);
		if (read) found.push([read.path.slice(start), read.entry]);
	}
	return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A place, and the entries of it and of the directories above it in the workspace, from a script's `after`. */
export function toAfter(real: string, lines: string): [string, TreeEntry][] {
	const found: [string, TreeEntry][] = [];
	let place = real;
	for (const line of lines.split('\n')) {
		const read = toEntry(line);
		if (!read) continue;
		found.push([place, read.entry]);
		place = place.slice(0, place.lastIndexOf('/'));
	}
	return found;
}

function toNanoseconds(time: string): bigint {
	const [, day, clock, fraction = ''] = TIME.exec(time) ?? [];
	return BigInt(Date.parse(`${day}T${clock}Z`) || 0) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}
