import { readFile, readlink } from 'node:fs/promises';
import type { TreeEntry } from '../tree/entry.ts';
import type { JournalTree } from '../tree/journal.ts';
import { isMissing } from '../node-errors.ts';
import { statOrNothing, walkTree } from './tree.ts';

/** This machine's files, as the journal reads them. */
export const journalTree: JournalTree = {
	walk: (directory) => walkTree(directory).catch(() => new Map<string, TreeEntry>()),
	stat: statOrNothing,
	async read(path, kind) {
		try {
			return kind === 'symlink' ? new TextEncoder().encode(await readlink(path)) : new Uint8Array(await readFile(path));
		} catch (error) {
			if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'EACCES')) return undefined;
			throw error;
		}
	}
};
