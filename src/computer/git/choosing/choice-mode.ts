import { indexToWorktree, treeToIndex, treeToWorktree } from '../diff/sides.ts';
import type { Change } from '../diff/change.ts';
import type { Repository } from '../repository.ts';
import type { PatchPlace } from '../patch/patch-sources.ts';
import { statesOfSubmodules } from '../worktree/status.ts';

/** Purpose for which hunks are chosen. */
export interface ChoiceMode {
	/** Verb of the action, as in `Stage this hunk`, and its place, with a leading space. */
	verb: string;
	place: string;
	/** Word for what an edited hunk is marked for. */
	marked: string;
	changes: (repository: Repository) => Change[];
	/** Shows changes in the opposite direction. */
	isTurned: boolean;
	/** Does not involve the working tree. */
	isIndexAlone?: boolean;
	/** Reverts the hunks. */
	isReverse: boolean;
	/** Destination of the hunks; `both` asks about hunks that apply only to the working tree. */
	target: PatchPlace;
	/** Files that edited hunks are checked against. */
	checked: Exclude<PatchPlace, 'both'>;
}

const worktreeChanges = (repository: Repository): Change[] =>
	indexToWorktree(repository, undefined, statesOfSubmodules(repository, 'dirty'));

const changesSince = (tree: string) => (repository: Repository) =>
	treeToWorktree(repository, tree, statesOfSubmodules(repository, 'dirty'));

/** Stages hunks of the working tree. */
export const STAGING: ChoiceMode = {
	...{ verb: 'Stage', place: '', marked: 'staging' },
	...{ changes: worktreeChanges, isTurned: false, isReverse: false, target: 'index', checked: 'index' }
};

/** Selects hunks of the working tree for a stash. @param head tree that the files are compared with */
export const stashing = (head: string): ChoiceMode => ({
	...{ verb: 'Stash', place: '', marked: 'stashing' },
	...{ changes: changesSince(head), isTurned: false, isReverse: false, target: 'index', checked: 'index' }
});

/**
 * Unstages hunks, that is, restores the index to HEAD; for another tree, applies hunks that change the index to that
 * tree.
 */
export function unstaging(tree: string, isHead: boolean): ChoiceMode {
	const words = isHead
		? { verb: 'Unstage', place: '', marked: 'unstaging' }
		: { verb: 'Apply', place: ' to index', marked: 'applying' };
	return {
		...words,
		...{ changes: (repository) => treeToIndex(repository, tree), isTurned: !isHead, isReverse: isHead },
		...{ target: 'index', checked: 'index', isIndexAlone: true }
	};
}

/**
 * Discards changes of files since the index, or since a tree; for a tree other than HEAD, applies hunks that lead to
 * that tree.
 */
export function discarding(tree: string | null, isHead: boolean, withIndex: boolean): ChoiceMode {
	const isDiscarded = tree === null || isHead;
	const place = withIndex && tree !== null ? 'index and worktree' : 'worktree';
	const words = isDiscarded
		? { verb: 'Discard', place: ` from ${place}`, marked: 'discarding' }
		: { verb: 'Apply', place: ` to ${place}`, marked: 'applying' };
	return {
		...words,
		...{
			changes: tree === null ? worktreeChanges : changesSince(tree),
			isTurned: !isDiscarded,
			isReverse: isDiscarded
		},
		...{ target: withIndex && tree !== null ? 'both' : 'files', checked: 'files' }
	};
}

/** Help text for the keys that are available for all hunks. */
export function helpText({ verb, place }: ChoiceMode): string {
	const act = verb.toLowerCase();
	return [
		`y - ${act} this hunk${place}`,
		`n - do not ${act} this hunk${place}`,
		`q - quit; do not ${act} this hunk or any of the remaining ones`,
		`a - ${act} this hunk and all later hunks in the file`,
		`d - do not ${act} this hunk or any of the later hunks in the file`
	]
		.map((line) => `${line}\n`)
		.join('');
}

/** Help text for keys that are available for some hunks only. */
export const MORE_HELP = [
	'j - leave this hunk undecided, see next undecided hunk',
	'J - leave this hunk undecided, see next hunk',
	'k - leave this hunk undecided, see previous undecided hunk',
	'K - leave this hunk undecided, see previous hunk',
	'g - select a hunk to go to',
	'/ - search for a hunk matching the given regex',
	's - split the current hunk into smaller hunks',
	'e - manually edit the current hunk',
	'? - print help'
];
