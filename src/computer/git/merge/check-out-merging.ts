import { failure, fatal } from '../errors.ts';
import { headTree, treeToIndex } from '../diff/sides.ts';
import { newEntry } from '../index/index-file.ts';
import { pathOf } from '../diff/change.ts';
import type { Invocation } from '../invocation.ts';
import { objectId } from '../objects/object.ts';
import { binaryBytes, splitLines } from '../diff/lines.ts';
import { buildTrees } from '../index/write-tree.ts';
import { Mode } from '#environment/mode.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull, placeFile } from '../worktree/checkout.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { modeFor, storedContent } from '../worktree/file-state.ts';
import { entriesOf, treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { applyMerged } from './apply.ts';
import { mergeText, type ConflictStyle } from './merge-text.ts';
import { mergeTrees } from './merge-trees.ts';

/**
 * Checks out a tree and merges the changes of the working tree into it. Conflicts are recorded in the index; other
 * changes are left unstaged.
 *
 * @throws GitError if changes are staged
 */
export function checkOutMerging(
	git: Invocation,
	tree: string,
	names: { to: string; from: string; style: ConflictStyle }
): void {
	const { repository } = git;
	const { index, objects } = repository;
	const old = headTree(repository);
	const staged = treeToIndex(repository, old).map(pathOf);
	if (staged.length > 0)
		throw fatal(`cannot continue with staged changes in the following files:\n${staged.join('\n')}`);
	const local = worktreeTree(repository);
	switchTree(repository, old, tree, { force: true });
	const labels = { ours: names.to, theirs: 'local', base: names.from, style: names.style };
	const merged = mergeTrees(git, { base: old, ours: tree, theirs: local }, labels);
	applyMerged(git, tree, merged, 'all');
	const unmerged = index.entries().filter(({ stage }) => stage > 0);
	const now = new Map(index.entries().map((entry) => [entry.path, entry]));
	const inConflict = new Set(unmerged.map(({ path }) => path));
	const clean = [...treeFiles(objects, tree)].filter(([path]) => !inConflict.has(path));
	index.replace([
		...clean.map(([path, file]) => {
			const entry = now.get(path);
			return entry?.id === file.id && entry.mode === file.mode ? entry : newEntry(path, file);
		}),
		...unmerged
	]);
	index.save();
}

/** Writes the tracked files of the working tree as a tree. */
function worktreeTree(repository: Repository): string {
	const { index, objects } = repository;
	const found = new Map<string, TreeFile>();
	for (const entry of index.entries()) {
		if (entry.mode === Mode.commit) {
			found.set(entry.path, entry);
			continue;
		}
		const stat = lstatOrNull(repository, repository.absolute(entry.path));
		if (stat?.kind !== 'file' && stat?.kind !== 'symlink') continue;
		const content = storedContent(repository, entry.path, stat);
		const id = objectId('blob', content) === entry.id ? entry.id : objects.write('blob', content);
		found.set(entry.path, { mode: modeFor(index, stat, entry), id });
	}
	return buildTrees(entriesOf(found), (content) => objects.write('tree', content)).id;
}

/**
 * Writes a file in conflict again, with markers for its sides.
 *
 * @throws GitError if one of the two sides does not have it
 */
export function recreateConflict(repository: Repository, path: string, style: ConflictStyle): void {
	const { index, objects } = repository;
	const [base, ours, theirs] = [1, 2, 3].map((stage) => index.get(path, stage));
	if (!ours || !theirs) throw failure(`path '${path}' does not have necessary versions`);
	const lines = (entry: { id: string } | undefined) => (entry ? splitLines(objects.read(entry.id, 'blob')) : []);
	const labels = { ours: 'ours', theirs: 'theirs', base: 'base', style };
	const merged = mergeText(lines(base), lines(ours), lines(theirs), labels);
	placeFile(repository, path, ours.mode, binaryBytes(merged.lines.join('')));
}
