import { comparePaths, concat } from '../bytes.ts';
import { Mode } from '#environment/mode.ts';
import { newEntry } from '../index/index-file.ts';
import type { Repository } from '../repository.ts';
import { conversionOf } from './conversion.ts';
import { worktreeFiles } from './verify-path.ts';

/** Contents handed to the kernel at once: a call for each file would take longer than writing it. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_FILES = 2000;

/**
 * Writes a tree into a working tree that has nothing in it yet, and makes the index of it. With nothing
 * to overwrite there is nothing to look at: a few calls of the kernel for all files, one for all stats.
 */
export function checkOutFirst(repository: Repository, tree: string): void {
	const { files, index, objects, root } = repository;
	const wanted = [...worktreeFiles(objects, tree)].sort(([a], [b]) => comparePaths(a, b));
	// Attributes are read from the index before there are files.
	index.replace(wanted.map(([path, file]) => newEntry(path, file)));
	const conversion = conversionOf(repository);
	let batch: { path: string; mode: number; size: number }[] = [];
	let contents: Uint8Array[] = [];
	let bytes = 0;
	const write = (): void => {
		if (batch.length > 0) files.load(root, batch, concat(contents));
		[batch, contents, bytes] = [[], [], 0];
	};
	for (const [path, { mode, id }] of wanted) {
		// The directory of a submodule is created; its contents belong to another repository.
		if (mode === Mode.commit) {
			files.mkdir(repository.absolute(path), { recursive: true });
			continue;
		}
		const stored = objects.read(id, 'blob');
		const content = mode === Mode.symlink ? stored : conversion.toWorktree(path, stored, 'index');
		batch.push({ path, mode, size: content.length });
		contents.push(content);
		bytes += content.length;
		if (bytes >= BATCH_BYTES || batch.length === BATCH_FILES) write();
	}
	write();
	const stats = new Map(
		files.walk(root, { skip: ['.git'] }).map(({ path, stat }) => [path.slice(root.length + 1), stat])
	);
	index.replace(
		wanted.map(([path, file]) => {
			const stat = file.mode === Mode.commit ? undefined : stats.get(path);
			return { path, ...file, stage: 0, size: stat?.size ?? 0, modifiedMs: stat?.modifiedMs ?? 0, intentToAdd: false };
		})
	);
}
