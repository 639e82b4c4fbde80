import { Mode } from '#environment/mode.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import { mergeBlobs } from './merge-blobs.ts';
import { mergeSubmodule } from './merge-submodule.ts';
import type { MergePlan, OfSides } from './merge-plan.ts';

/** Versions of one file to merge. */
interface MergedFile {
	file: TreeFile | null;
	isClean: boolean;
}

const TYPE = 0o170000;
const REGULAR = 0o100000;

/**
 * Merges mode and content of a file that both sides have with the same type.
 *
 * @param path used to look up attributes
 * @param extra additional length of conflict markers
 */
export function mergeContent(
	plan: MergePlan,
	path: string,
	[given, ours, theirs]: OfSides<TreeFile | null>,
	names: OfSides<string>,
	extra: number
): MergedFile {
	if (!ours || !theirs) return { file: ours ?? theirs, isClean: true };
	const isModeTaken = ours.mode === theirs.mode || ours.mode === given?.mode;
	const mode = isModeTaken ? theirs.mode : ours.mode;
	const isModeClean = isModeTaken || theirs.mode === given?.mode;
	if (ours.id === theirs.id || ours.id === given?.id) return { file: { mode, id: theirs.id }, isClean: isModeClean };
	if (theirs.id === given?.id) return { file: { mode, id: ours.id }, isClean: isModeClean };
	// A base of another type cannot be used.
	const base = given && (given.mode & TYPE) === (ours.mode & TYPE) ? given : null;
	if ((ours.mode & TYPE) === REGULAR) {
		const { id, isClean } = mergeBlobs(plan, path, [base?.id ?? null, ours.id, theirs.id], names, extra);
		plan.say('Auto-merging', [path], `Auto-merging ${path}`);
		return { file: { mode, id }, isClean: isClean && isModeClean };
	}
	if (ours.mode === Mode.commit) {
		const { id, isClean } = mergeSubmodule(plan, names[0], [base?.id ?? null, ours.id, theirs.id]);
		if (plan.depth > 0 && !base && !isClean) return { file: given, isClean };
		return { file: id === null ? given : { mode, id }, isClean };
	}
	if (plan.depth > 0) return { file: given, isClean: false };
	const favour = plan.how.options?.favour;
	return { file: { mode, id: favour === 'theirs' ? theirs.id : ours.id }, isClean: favour !== undefined };
}
