import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '../contract.ts';
import { foldersAbove } from '../folders.ts';
import { Mode } from '../mode.ts';
import type { TreeEntry } from '../tree/entry.ts';
import { replaceLink, writeAtomically } from './files.ts';
import { statOrNothing } from './tree.ts';
import { isBelowLeftOut, type WorkspaceTree } from './workspace-tree.ts';

/** A workspace and the walk over it. */
interface Place {
	root: string;
	tree: WorkspaceTree;
}

/**
 * Makes the workspace equal the wanted snapshot, changing only what differs from the present one. Directories that the
 * walk leaves out are not touched, even if an older snapshot has files in them.
 */
export async function restoreTree(
	{ root, tree }: Place,
	wanted: Snapshot,
	present: Snapshot,
	read: (blob: string) => Promise<Uint8Array>
): Promise<void> {
	const before = await tree.walk();
	/** Left-out directories and those above them: a file must not replace them. */
	const protectedFolders = new Set(
		[...before].flatMap(([path, { isLeftOut }]) => (isLeftOut ? [path, ...foldersAbove(path)] : []))
	);
	const isUntouched = (path: string, mode: number): boolean =>
		isBelowLeftOut(path, before) || (mode !== Mode.directory && protectedFolders.has(path));
	const entries = [...wanted.entries].filter(([path, { mode }]) => !isUntouched(path, mode));
	// All blobs are read first: a missing one must not leave half a restore.
	const writes: { path: string; mode: number; bytes: Uint8Array }[] = [];
	for (const [path, { mode, blob }] of entries) {
		const now = present.entries.get(path);
		if (mode !== Mode.directory && (now?.blob !== blob || now.mode !== mode))
			writes.push({ path, mode, bytes: await read(blob) });
	}
	for (const [path, now] of present.entries) {
		const kept = wanted.entries.get(path);
		if (!kept || (kept.mode === Mode.directory) !== (now.mode === Mode.directory))
			await removeUnlessDirectory(join(root, path));
	}
	const directoriesToKeep = new Set<string>();
	for (const [path, { mode }] of entries) {
		if (mode === Mode.directory) directoriesToKeep.add(path);
		for (const folder of foldersAbove(path)) directoriesToKeep.add(folder);
	}
	for (const path of emptyDirectories(await tree.walk(), directoriesToKeep))
		await rm(join(root, path), { recursive: true, force: true });
	for (const { path, mode, bytes } of writes) {
		const place = join(root, path);
		if (mode === Mode.symlink) await replaceLink(new TextDecoder().decode(bytes), place);
		else {
			await clearForFile(place);
			await writeAtomically(place, bytes);
			await chmod(place, mode === Mode.executable ? 0o755 : 0o644);
		}
	}
	for (const path of directoriesToKeep) await mkdir(join(root, path), { recursive: true });
}

/** Directories without any file or left-out directory in them, deepest first, except the kept ones. */
function emptyDirectories(tree: ReadonlyMap<string, TreeEntry>, kept: ReadonlySet<string>): string[] {
	const needed = new Set<string>(kept);
	for (const [path, { kind, isLeftOut }] of tree)
		if (kind !== 'directory' || isLeftOut) for (const folder of foldersAbove(path)) needed.add(folder);
	return [...tree]
		.filter(([path, { kind, isLeftOut }]) => kind === 'directory' && !isLeftOut && !needed.has(path))
		.map(([path]) => path)
		.sort((a, b) => b.length - a.length);
}

async function removeUnlessDirectory(place: string): Promise<void> {
	if ((await statOrNothing(place))?.kind !== 'directory') await rm(place, { force: true });
}

/** Removes a link or directory where a file should be: a link would be followed, a directory would be in the way. */
async function clearForFile(place: string): Promise<void> {
	const entry = await statOrNothing(place);
	if (entry && entry.kind !== 'file') await rm(place, { recursive: true, force: true });
}
