import { lstat, readdir } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { TreeEntry } from '../tree/entry.ts';
import { isMissing } from '../node-errors.ts';

/** Prefix of the name of a file that is still being written. */
export const UNFINISHED = '.sandglass-write-';

export function toTreeEntry(stats: BigIntStats): TreeEntry | undefined {
	const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : null;
	if (!kind) return undefined;
	return {
		kind,
		mode: Number(stats.mode & 0o777n),
		size: Number(stats.size),
		inode: stats.ino,
		modifiedNs: stats.mtimeNs,
		changedNs: stats.ctimeNs
	};
}

/** Everything below a directory, by path relative to it, parents before children. */
export async function walkTree(root: string): Promise<Map<string, TreeEntry>> {
	const entries = new Map<string, TreeEntry>();
	const visit = async (directory: string): Promise<void> => {
		const names = (await readdir(join(root, directory)).catch(emptyWhenMissing)).sort();
		const stats = await Promise.all(names.map((name) => statOrNothing(join(root, directory, name))));
		for (const [index, name] of names.entries()) {
			const entry = stats[index];
			if (!entry || name.startsWith(UNFINISHED)) continue;
			const path = directory === '' ? name : `${directory}/${name}`;
			entries.set(path, entry);
			if (entry.kind === 'directory') await visit(path);
		}
	};
	await visit('');
	return entries;
}

/** A process may remove entries during the walk; a directory that may not be read has no known content. */
function emptyWhenMissing(error: unknown): string[] {
	if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'EACCES')) return [];
	throw error;
}

export async function statOrNothing(path: string): Promise<TreeEntry | undefined> {
	try {
		return toTreeEntry(await lstat(path, { bigint: true }));
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}
