import { readFile, readlink } from 'node:fs/promises';
import { isMissing } from '../node-errors.ts';
import type { TreeEntry } from '../tree/entry.ts';
import type { JournalTree } from '../tree/journal.ts';
import { statOrNothing, walkTree } from './tree.ts';
import type { WorkspaceTree } from './workspace-tree.ts';

/**
 * Adapts this machine's files for the journal.
 *
 * @param root absolute real path of the workspace
 * @param tree walks the workspace itself
 */
export function journalTree(root: string, tree: WorkspaceTree): JournalTree {
	return {
		walk: (directory) =>
			directory === root ? tree.walk() : walkTree(directory).catch(() => new Map<string, TreeEntry>()),
		stat: statOrNothing,
		async read(path, kind) {
			try {
				if (kind === 'symlink') return new TextEncoder().encode(await readlink(path));
				return new Uint8Array(await readFile(path));
			} catch (error) {
				if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'EACCES'))
					return undefined;
				throw error;
			}
		}
	};
}
