import { entryPathFault } from '../entry-path.ts';
import { EnvironmentError } from '../errors.ts';
import type { TreeEntry } from '../tree/entry.ts';

/** A line of `stat` output; longer numbers and lines cannot come from `stat`. */
const LINE =
	/^([0-9a-f]{1,8}) (\d{1,16}) (\d{1,20}) (\S{1,40} \S{1,40} \S{1,40}?)\/(\S{1,40} \S{1,40} \S{1,40})(?: ([\s\S]*))?$/;
const MAX_LINE = 8_192;
const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))? /;

/** Error for output that the remote tools never print, because they are broken or were replaced. */
export function invalidAnswer(what: string): EnvironmentError {
	return new EnvironmentError(
		'EIO',
		`The machine gave an invalid answer: ${what.slice(0, 200)}. Its tools are broken or replaced. Bring the session back to the tab, or move it to a new machine.`
	);
}

/**
 * Checks a real path that the other side sent.
 *
 * @throws EnvironmentError `EIO` if it is not absolute, not normalized, or outside the roots
 */
export function requirePlace(real: string, roots: readonly string[]): string {
	const isPath = real.startsWith('/') && (real === '/' || entryPathFault(real.slice(1), { restored: true }) === null);
	const isInside = roots.some((root) => root === '/' || real === root || real.startsWith(`${root}/`));
	if (isPath && isInside && real.length <= MAX_LINE) return real;
	throw invalidAnswer(`a path outside of its directories, ${JSON.stringify(real.slice(0, 100))}`);
}

/** Splits an answer into its null-terminated parts and the rest. */
export function splitParts(answer: Buffer): { parts: string[]; rest: string } {
	const parts = answer.toString().split('\0');
	return { rest: parts.pop() ?? '', parts };
}

/**
 * Parses the output of `stat` for one file. `undefined` if there is none, or if it is neither a file, a directory nor a
 * link.
 *
 * @throws EnvironmentError `EIO` for a line that `stat` cannot have printed
 */
export function toEntry(line: string): { entry: TreeEntry; path: string } | undefined {
	if (line === '') return undefined;
	const found = line.length <= MAX_LINE ? LINE.exec(line) : null;
	if (!found || !Number.isSafeInteger(Number(found[2]))) throw invalidAnswer(JSON.stringify(line.slice(0, 100)));
	const [, mode = '', size = '', inode = '', modified = '', changed = '', path = ''] = found;
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

/**
 * Parses the entries of the files below a directory, by path relative to it, sorted: parents before children.
 *
 * @throws EnvironmentError `EIO` for a path that is not below the directory
 */
export function toEntries(lines: string, directory: string): Map<string, TreeEntry> {
	const above = directory === '/' ? '/' : `${directory}/`;
	const found: [string, TreeEntry][] = [];
	for (const line of lines.split('\n')) {
		const read = toEntry(line);
		if (!read) continue;
		const below = read.path.slice(above.length);
		if (!read.path.startsWith(above) || entryPathFault(below, { restored: true }) !== null)
			throw invalidAnswer(`a path outside of the directory, ${JSON.stringify(read.path.slice(0, 100))}`);
		found.push([below, read.entry]);
	}
	return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parses the output of a script's `after`: entries of a path and of the directories above it in the workspace. */
export function toAfter(real: string, lines: string): [string, TreeEntry][] {
	const found: [string, TreeEntry][] = [];
	let place = real;
	for (const line of lines.split('\n')) {
		const read = toEntry(line);
		if (!read || place === '') continue;
		found.push([place, read.entry]);
		place = place.slice(0, place.lastIndexOf('/'));
	}
	return found;
}

function toNanoseconds(time: string): bigint {
	const [, day, clock, fraction = ''] = TIME.exec(time) ?? [];
	return BigInt(Date.parse(`${day}T${clock}Z`) || 0) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}
