import type { Commit } from '../objects/commit.ts';
import { objectId } from '../objects/object.ts';
import { Mode } from '#environment/mode.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { contentOf, modeOf } from '../worktree/file-state.ts';
import { findInTree, type TreeFile } from '../worktree/tree-files.ts';
import { compareTrees, pathOf } from './change.ts';
import { combinedDiff, type CombinedFile } from './combined.ts';
import { isBinary, splitLines } from './lines.ts';

/** The working tree's version of a path in conflict against both sides; null where one of them is missing. */
export function conflictPatch(repository: Repository, path: string): string | null {
	const { index, objects, files } = repository;
	const sides = [index.get(path, 2), index.get(path, 3)];
	const full = repository.absolute(path);
	const stat = lstatOrNull(repository, full);
	const [ours, theirs] = sides;
	if (!ours || !theirs || !stat || stat.kind === 'directory') return null;
	const content = contentOf(files, full, stat);
	const read = (file: TreeFile) => objects.read(file.id, 'blob');
	if ([content, read(ours), read(theirs)].some(isBinary)) return null;
	const file = (side: TreeFile) => ({ id: side.id, mode: side.mode, lines: splitLines(read(side)) });
	const short = objects.abbreviate(ours.id);
	return combinedDiff({
		path,
		always: true,
		parents: [file(ours), file(theirs)],
		result: { id: objectId('blob', content), mode: modeOf(stat), lines: splitLines(content) },
		shown: { parents: [short, objects.abbreviate(theirs.id)], result: '0'.repeat(short.length) }
	});
}

/** Changes made by a merge commit itself: places that differ from each of its parents. */
export function mergePatch(repository: Repository, commit: Commit): string {
	const { objects } = repository;
	const trees = commit.parents.map((parent) => repository.commit(parent).tree);
	const changed = trees.map((tree) => compareTrees(objects, tree, commit.tree).map(pathOf));
	const paths = (changed[0] ?? []).filter((path) => changed.every((others) => others.includes(path)));
	const find = (tree: string, path: string) => findInTree(objects, tree, path);
	let text = '';
	for (const path of paths) {
		const before = trees.map((tree) => find(tree, path));
		const after = find(commit.tree, path);
		const all = [...before, after];
		if (before.some((file) => file === null)) continue;
		if (all.some((file) => file && (file.mode === Mode.commit || isBinary(objects.read(file.id, 'blob'))))) continue;
		const read = (file: TreeFile) => ({ ...file, lines: splitLines(objects.read(file.id, 'blob')) });
		const combined: CombinedFile = {
			path,
			parents: before.flatMap((file) => (file ? [read(file)] : [])),
			result: after && read(after),
			shown: {
				parents: before.map((file) => objects.abbreviate(file?.id ?? '')),
				result: after ? objects.abbreviate(after.id) : '0'.repeat(7)
			}
		};
		text += combinedDiff(combined);
	}
	return text;
}
