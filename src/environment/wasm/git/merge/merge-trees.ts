import { binaryBytes, isBinary, splitLines } from '../diff/lines.ts';
import { Mode } from '../objects/tree.ts';
import type { Repository } from '../repository.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { mergeText } from './merge-text.ts';

/** One path both sides changed in ways that do not fit. */
export interface Conflict {
	path: string;
	kind: 'content' | 'add/add' | 'modify/delete' | 'binary';
	/** Who removed it, for `modify/delete`. */
	deletedBy: 'ours' | 'theirs' | null;
	stages: (TreeFile | null)[];
	/** What is to stand in the working tree: the text with markers, or the side that is left. */
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
	labels: { ours: string; theirs: string }
): Merged {
	const { objects } = repository;
	const base = treeFiles(objects, trees.base);
	const ours = treeFiles(objects, trees.ours);
	const theirs = treeFiles(objects, trees.theirs);
	const result: Merged = { files: new Map(), conflicts: [], merged: [] };
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
		const contents = [b, o, t].map((file) => (file ? objects.read(file.id, 'blob') : new Uint8Array(0)));
		const [before, mine, other] = contents;
		if (contents.some(isBinary) || mode === Mode.symlink) {
			result.conflicts.push({ path, kind: 'binary', deletedBy: null, stages, file: o });
			continue;
		}
		const text = mergeText(splitLines(before!), splitLines(mine!), splitLines(other!), labels);
		const file = { mode, id: objects.write('blob', binaryBytes(text.lines.join(''))) };
		result.merged.push(path);
		if (text.conflicts === 0) result.files.set(path, file);
		else result.conflicts.push({ path, kind: b ? 'content' : 'add/add', deletedBy: null, stages, file });
	}
	return result;
}
