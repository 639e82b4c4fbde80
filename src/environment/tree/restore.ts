import type { Snapshot } from '../contract.ts';
import type { TreeEntry } from './entry.ts';
import { Mode } from '../mode.ts';

/** Steps that make a directory equal to a snapshot, in this order. */
export interface RestorePlan {
	/** Relative paths to remove recursively. */
	remove: string[];
	directories: string[];
	/** Files to write or replace. */
	write: { path: string; mode: number; blob: string }[];
}

/**
 * Plans how to turn the present tree into a snapshot.
 *
 * @param tree everything currently in the directory, parents before children
 * @param present snapshot of the directory
 */
export function planRestore(wanted: Snapshot, present: Snapshot, tree: Map<string, TreeEntry>): RestorePlan {
	const directories = new Set<string>();
	const write: RestorePlan['write'] = [];
	for (const [path, { mode, blob }] of wanted.entries) {
		for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
			directories.add(path.slice(0, end));
		const now = present.entries.get(path);
		if (mode === Mode.directory) directories.add(path);
		else if (now?.blob !== blob || now.mode !== mode) write.push({ path, mode, blob });
	}
	const written = new Set(write.map(({ path }) => path));
	const remove: string[] = [];
	for (const [path, { kind }] of tree) {
		const above = remove.at(-1);
		if (above !== undefined && path.startsWith(`${above}/`)) continue;
		// A link that is to be replaced must be removed first: writing would follow it.
		const isKept =
			kind === 'directory'
				? directories.has(path)
				: isContent(wanted, path) && !(kind === 'symlink' && written.has(path));
		if (!isKept) remove.push(path);
	}
	return { remove, directories: [...directories].sort(), write };
}

function isContent(snapshot: Snapshot, path: string): boolean {
	const entry = snapshot.entries.get(path);
	return entry !== undefined && entry.mode !== Mode.directory;
}
