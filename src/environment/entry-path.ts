import type { LoadEntry } from './contract.ts';
import { EnvironmentError } from './errors.ts';
import { Mode } from './mode.ts';

/** Matches a path that begins with a drive, `C:\` or `C:/`, or that is only a drive. */
const DRIVE = /^[A-Za-z]:([\\/]|$)/;

export interface EntryPathRules {
	/** The entries are files that an environment had before: programs may have given them any name that POSIX allows. */
	restored?: boolean | undefined;
}

/**
 * Checks the path of imported content: an entry of `load`, a member of an archive, a file of a share or of a git tree.
 * It must be relative and stay below the destination directory. A backslash may be part of a name, but a path that
 * would climb out or be absolute on platforms where it is a separator is refused too, unless it is restored.
 *
 * @returns reason why the path is refused, for use in a sentence; `null` if it is valid
 */
export function entryPathFault(path: string, { restored = false }: EntryPathRules = {}): string | null {
	if (path === '') return 'it is empty';
	if (path.includes('\0')) return 'it holds a null character';
	if (path.startsWith('/')) return 'it is absolute';
	for (const name of path.split('/')) {
		if (name === '..') return 'it climbs out with ".."';
		if (name === '' || name === '.') return 'a part of it is empty or "."';
	}
	if (restored) return null;
	if (path.startsWith('\\')) return 'it is absolute';
	if (DRIVE.test(path)) return 'it names a drive';
	return path.split(/[\\/]/).includes('..') ? 'it climbs out with ".."' : null;
}

/** @throws EnvironmentError `EINVAL` for a path that {@link entryPathFault} refuses */
export function requireEntryPath(path: string, rules?: EntryPathRules): string {
	const fault = entryPathFault(path, rules);
	if (fault === null) return path;
	throw new EnvironmentError('EINVAL', `This path cannot be imported, because ${fault}: ${path}`, path);
}

/** Code points that HFS+ ignores in a name. */
export const IGNORED_BY_HFS = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g;

/**
 * Returns true if some file system treats a name as `.git`: in any case, with characters that HFS+ ignores, or
 * in NTFS's forms (`git~1`, trailing dots and spaces, a stream after a colon). The rule of `core.protectHFS`
 * and `core.protectNTFS`.
 */
export function isGitDirectoryName(name: string): boolean {
	if (name.replace(IGNORED_BY_HFS, '').toLowerCase() === '.git') return true;
	return name.split('\\').some((part) => /^(\.git|git~1)[ .]*(:.*)?$/i.test(part));
}

/**
 * Passes on the entries of a load and checks each one when it is its turn: for implementations that write many at once
 * and therefore cannot check what earlier entries created.
 *
 * @throws EnvironmentError `EINVAL` as {@link requireEntryPath}, `EACCES` for a path below a link of the same load
 */
export async function* checkedEntries(
	entries: AsyncIterable<LoadEntry>,
	rules: EntryPathRules
): AsyncGenerator<LoadEntry> {
	const links = new Set<string>();
	for await (const entry of entries) {
		const path = requireEntryPath(entry.path, rules);
		for (let end = path.indexOf('/'); links.size > 0 && end > 0; end = path.indexOf('/', end + 1))
			if (links.has(path.slice(0, end))) throw leadsThroughLink(path);
		if ((entry.mode & 0o170000) === Mode.symlink) links.add(path);
		else links.delete(path);
		yield entry;
	}
}

/**
 * Refuses a path that leads through a symbolic link.
 *
 * @param place intended location of the entry, absolute
 * @param real the same with every link on the way resolved, except in the last part
 * @throws EnvironmentError `EACCES` if the two differ
 */
export function refuseLinkOnTheWay(path: string, place: string, real: string): void {
	if (real !== place) throw leadsThroughLink(path);
}

const leadsThroughLink = (path: string): EnvironmentError =>
	new EnvironmentError(
		'EACCES',
		`This path cannot be imported, because it leads through a symbolic link: ${path}`,
		path
	);
