import { comparePaths, decode } from '../bytes.ts';
import { Mode } from '../objects/tree.ts';
import type { Repository } from '../repository.ts';
import { treeFiles } from './tree-files.ts';

/**
 * Writes a tree into a working tree that has nothing in it yet, and makes the index of it. With nothing
 * to overwrite there is nothing to look at: one call of the kernel a file, one a directory, one for all stats.
 */
export function checkOutFirst(repository: Repository, tree: string): void {
	const { files, index, objects, root } = repository;
	const wanted = [...treeFiles(objects, tree)].sort(([a], [b]) => comparePaths(a, b));
	const made = new Set(['']);
	const makeDirectory = (path: string): void => {
		if (made.has(path)) return;
		files.mkdir(repository.absolute(path), { recursive: true });
		for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) made.add(path.slice(0, end));
	};
	for (const [path, { mode, id }] of wanted) {
		makeDirectory(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
		// A submodule's place is kept; what belongs there is another repository's.
		if (mode === Mode.commit) {
			makeDirectory(path);
			continue;
		}
		const content = objects.read(id, 'blob');
		if (mode === Mode.symlink) files.symlink(decode(content), repository.absolute(path));
		else files.writeFile(repository.absolute(path), content, { mode: mode === Mode.executable ? 0o755 : 0o644 });
	}
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
