import { fatal } from '../errors.ts';
import { NULL_ID } from '../objects/object.ts';
import type { Options } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import { inOrder } from './commit-order.ts';
import { patchId } from './patch-id.ts';
import { ancestors, type Range, type Revision } from './walk.ts';

/** Options for the sides of `a...b`, and for the commits between two ends. */
export const SIDE_OPTIONS = {
	leftRight: '--left-right',
	leftOnly: '--left-only',
	rightOnly: '--right-only',
	cherryPick: '--cherry-pick',
	cherryMark: '--cherry-mark',
	cherry: '--cherry',
	ancestryPath: '--ancestry-path ?'
};

type SideOptions = Options<keyof typeof SIDE_OPTIONS>;

/** Marks commits with their sides, and omits those excluded by the options. */
export function* markedSides(
	repository: Repository,
	options: SideOptions,
	revisions: Iterable<Revision>,
	names: readonly string[],
	pathspec: Pathspec
): Generator<Revision> {
	const isOneSided = options.has('leftOnly') || options.has('rightOnly');
	const comparesSides = options.has('cherryPick') || options.has('cherryMark') || options.has('cherry');
	if (!isOneSided && !comparesSides && !options.has('leftRight')) {
		yield* revisions;
		return;
	}
	const sides = sidesOf(repository, names);
	const isOnLeft = (id: string) => sides.has(id);
	if (comparesSides) {
		yield* withoutTwins(repository, options, [...revisions], isOnLeft, pathspec);
		return;
	}
	for (const revision of revisions) {
		const isLeft = isOnLeft(revision.id);
		if ((options.has('leftOnly') && !isLeft) || (options.has('rightOnly') && isLeft)) continue;
		yield { ...revision, mark: isLeft ? '<' : '>' };
	}
}

/** Commits reachable from the left end of `a...b`. */
function sidesOf(repository: Repository, names: readonly string[]): Set<string> {
	const lefts = names.filter((text) => text.includes('...')).map((text) => text.split('...')[0] || 'HEAD');
	return ancestors(
		repository,
		lefts.map((text) => resolveCommit(repository, text))
	);
}

/** Omits or marks commits whose change is on the other side too, for `--cherry-pick` and `--cherry-mark`. */
function* withoutTwins(
	repository: Repository,
	options: SideOptions,
	revisions: readonly Revision[],
	isOnLeft: (id: string) => boolean,
	pathspec: Pathspec
): Generator<Revision> {
	const patches = new Map(
		revisions
			.filter(({ commit }) => commit.parents.length < 2)
			.map(({ id }) => [id, patchId(repository, id, pathspec)] as const)
	);
	const changesOn = (left: boolean) =>
		new Set([...patches].flatMap(([id, change]) => (isOnLeft(id) === left ? [change] : [])));
	const [onLeft, onRight] = [changesOn(true), changesOn(false)];
	const isCherry = options.has('cherry');
	const marksTwins = options.has('cherryMark') || isCherry;
	for (const revision of revisions) {
		const isLeft = isOnLeft(revision.id);
		const change = patches.get(revision.id);
		const isTwin = change !== undefined && change !== NULL_ID && (isLeft ? onRight : onLeft).has(change);
		if (isTwin && !marksTwins) continue;
		if ((options.has('leftOnly') && !isLeft) || ((options.has('rightOnly') || isCherry) && isLeft)) continue;
		if (isCherry && revision.commit.parents.length > 1) continue;
		yield { ...revision, mark: isTwin ? '=' : isLeft ? '<' : '>' };
	}
}

/**
 * Creates the test of `--ancestry-path`: whether a commit lies between the excluded and the shown commits.
 *
 * @throws GitError if nothing is excluded and no commit is named
 */
export function isOnPath(
	repository: Repository,
	options: SideOptions,
	range: Range,
	revisions: readonly Revision[]
): (id: string) => boolean {
	const given = options.get('ancestryPath') ?? '';
	const bottoms =
		given === '' ? range.exclude : options.all('ancestryPath').map((text) => resolveCommit(repository, text));
	if (bottoms.length === 0) throw fatal('--ancestry-path given but there are no bottom commits');
	const sorted = inOrder(revisions, 'lines', ({ commit }) => commit.parents);
	const kept = new Set(bottoms);
	for (const { id, commit } of sorted.reverse()) if (commit.parents.some((parent) => kept.has(parent))) kept.add(id);
	const before = given === '' ? new Set<string>() : ancestors(repository, bottoms);
	return (id) => kept.has(id) || before.has(id);
}
