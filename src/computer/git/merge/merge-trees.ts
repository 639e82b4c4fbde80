import { binaryBytes, isBinary, splitLines } from '../diff/lines.ts';
import { compareTrees } from '../diff/change.ts';
import { findRenames } from '../diff/renames.ts';
import { Mode } from '#environment/mode.ts';
import type { Repository } from '../repository.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { conflictStyle } from './conflict-style.ts';
import { mergeText, type Labels } from './merge-text.ts';

/** One path with conflicting changes of both sides. */
export interface Conflict {
	path: string;
	kind: 'content' | 'add/add' | 'modify/delete' | 'binary' | 'submodule';
	/** Side that removed it, for `modify/delete`. */
	deletedBy: 'ours' | 'theirs' | null;
	stages: (TreeFile | null)[];
	/** Content for the working tree: the text with markers, or the remaining side. */
	file: TreeFile;
}

export interface Merged {
	files: Map<string, TreeFile>;
	conflicts: Conflict[];
	/** Paths whose text was merged line by line, with or without conflict. */
	merged: string[];
}

/** Merges two trees that came from `base`. Contents merged by line become blobs of the store. */
export function mergeTrees(
	repository: Repository,
	trees: { base: string; ours: string; theirs: string },
	labels: Labels
): Merged {
	const { objects } = repository;
	const base = treeFiles(objects, trees.base);
	const ours = treeFiles(objects, trees.ours);
	const theirs = treeFiles(objects, trees.theirs);
	const result: Merged = { files: new Map(), conflicts: [], merged: [] };
	const style = labels.style ?? conflictStyle(repository);
	const named = carryRenames(repository, trees, { base, ours, theirs });
	const same = (a?: TreeFile, b?: TreeFile) => a?.id === b?.id && a?.mode === b?.mode;
	for (const path of [...new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])].sort()) {
		const [b, o, t] = [base.get(path), ours.get(path), theirs.get(path)];
		const settled = same(o, t) || same(b, t) ? { file: o } : same(b, o) ? { file: t } : null;
		if (settled) {
			if (settled.file) result.files.set(path, settled.file);
			continue;
		}
		const stages = [b ?? null, o ?? null, t ?? null];
		if (!o || !t) {
			const file = (o ?? t)!;
			result.conflicts.push({ path, kind: 'modify/delete', deletedBy: o ? 'theirs' : 'ours', stages, file });
			continue;
		}
		const mode = o.mode === b?.mode ? t.mode : o.mode;
		if ([b, o, t].some((file) => file?.mode === Mode.commit)) {
			result.conflicts.push({ path, kind: 'submodule', deletedBy: null, stages, file: o });
			continue;
		}
		const contents = [b, o, t].map((file) => (file ? objects.read(file.id, 'blob') : new Uint8Array(0)));
		const [before, mine, other] = contents;
		if (labels.favour && (contents.some(isBinary) || mode === Mode.symlink)) {
			result.files.set(path, labels.favour === 'ours' ? o : t);
			continue;
		}
		if (contents.some(isBinary) || mode === Mode.symlink) {
			result.conflicts.push({ path, kind: 'binary', deletedBy: null, stages, file: o });
			continue;
		}
		const text = mergeText(splitLines(before!), splitLines(mine!), splitLines(other!), {
			ours: labels.ours + (named.get(path)?.ours ?? ''),
			theirs: labels.theirs + (named.get(path)?.theirs ?? ''),
			base: labels.base,
			style,
			favour: labels.favour
		});
		const file = { mode, id: objects.write('blob', binaryBytes(text.lines.join(''))) };
		result.merged.push(path);
		if (text.conflicts === 0) result.files.set(path, file);
		else result.conflicts.push({ path, kind: b ? 'content' : 'add/add', deletedBy: null, stages, file });
	}
	return result;
}

type Files = Map<string, TreeFile>;

/**
 * If one side renamed a file and the other changed it, applies the change to the renamed file.
 * @returns suffixes of the labels in the markers of such a file: `:old`, `:new`
 */
function carryRenames(
	repository: Repository,
	trees: { base: string; ours: string; theirs: string },
	{ base, ours, theirs }: { base: Files; ours: Files; theirs: Files }
): Map<string, { ours: string; theirs: string }> {
	const names = new Map<string, { ours: string; theirs: string }>();
	const renamesOf = (tree: string) =>
		findRenames(repository, compareTrees(repository.objects, trees.base, tree)).flatMap(({ status, before, after }) =>
			status === 'R' && before && after ? [{ from: before.path, to: after.path }] : []
		);
	const move = (files: Files, from: string, to: string): void => {
		const file = files.get(from);
		if (!file) return;
		files.delete(from);
		files.set(to, file);
	};
	for (const side of ['ours', 'theirs'] as const) {
		const other = side === 'ours' ? theirs : ours;
		for (const { from, to } of renamesOf(trees[side])) {
			const before = base.get(from);
			if (!before || base.has(to)) continue;
			const changed = other.get(from);
			if (changed && !other.has(to)) {
				move(other, from, to);
				move(base, from, to);
				names.set(
					to,
					side === 'ours' ? { ours: `:${to}`, theirs: `:${from}` } : { ours: `:${from}`, theirs: `:${to}` }
				);
			} else if (!changed && other.has(to)) move(base, from, to);
		}
	}
	return names;
}
