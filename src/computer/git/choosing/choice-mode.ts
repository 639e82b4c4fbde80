import { indexToWorktree, treeToIndex, treeToWorktree } from '../diff/sides.ts';
import type { Change } from '../diff/change.ts';
import type { Repository } from '../repository.ts';
import type { PatchPlace } from '../patch/patch-sources.ts';
import { statesOfSubmodules } from '../worktree/status.ts';

/** Purpose that hunks are chosen for. */
export interface ChoiceMode {
	/** Word for the act, as `Stage this hunk` begins, and for its place, with a blank in front. */
	verb: string;
	place: string;
	/** Word for the purpose that an edited hunk is marked for. */
	marked: string;
	changes: (repository: Repository) => Change[];
	/** Changes are shown from the other side. */
	isTurned: boolean;
	/** The working tree has nothing to do with it. */
	isIndexAlone?: boolean;
	/** Hunks are undone. */
	isReverse: boolean;
	/** Files that hunks go to; `both` where they fit, asking about those that only fit the working tree. */
	target: PatchPlace;
	/** Files by which edited hunks are checked. */
	checked: Exclude<PatchPlace, 'both'>;
}

const worktreeChanges = (repository: Repository): Change[] =>
	indexToWorktree(repository, undefined, statesOfSubmodules(repository, 'dirty'));

const changesSince = (tree: string) => (repository: Repository) =>
	treeToWorktree(repository, tree, statesOfSubmodules(repository, 'dirty'));

/** Hunks of the working tree for the index. */
export const STAGING: ChoiceMode = {
	...{ verb: 'Stage', place: '', marked: 'staging' },
	...{ changes: worktreeChanges, isTurned: false, isReverse: false, target: 'index', checked: 'index' }
};

/** Hunks that are taken back from the index to a tree; of another commit than HEAD, hunks that bring the index there. */
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

/** Hunks of files that are discarded: since the index, or since a tree. */
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

/** Explanation of the letters that say what happens to a hunk. */
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

/** Explanations of letters that are there for some hunks only. */
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
