import { comparePaths, concat } from '../bytes.ts';
import { Mode } from '#environment/mode.ts';
import { newEntry } from '../index/index-file.ts';
import type { Repository } from '../repository.ts';
import { conversionOf } from './conversion.ts';
import { prefetchTracked } from './prefetch-files.ts';
import { worktreeFiles } from './verify-path.ts';

/** Size of the contents passed to the kernel at once: one call per file would take longer than the writing. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_FILES = 2000;

/**
 * Writes a tree into an empty working tree, and creates its index. Since no file can be overwritten, nothing
 * is checked: a few kernel calls write all files, and one returns all stats.
 */
export function checkOutFirst(repository: Repository, tree: string): void {
	const { files, index, objects, root } = repository;
	const wanted = [...worktreeFiles(objects, tree)].sort(([a], [b]) => comparePaths(a, b));
	// Attributes are read from the index, since there are no files yet.
	index.replace(wanted.map(([path, file]) => newEntry(path, file)));
	const conversion = conversionOf(repository);
	let batch: { path: string; mode: number; size: number }[] = [];
	let contents: Uint8Array[] = [];
	let bytes = 0;
	const write = (): void => {
		if (batch.length > 0) files.load(root, batch, concat(contents));
		[batch, contents, bytes] = [[], [], 0];
	};
	const isLeftOut = (path: string) => !repository.sparse.has(path);
	prefetchTracked(repository, wanted);
	for (const [path, { mode, id }] of wanted) {
		if (isLeftOut(path)) continue;
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
			const times = { size: stat?.size ?? 0, modifiedMs: stat?.modifiedMs ?? 0 };
			return { ...newEntry(path, file), ...times, ...(isLeftOut(path) ? { skipWorktree: true } : {}) };
		})
	);
}
