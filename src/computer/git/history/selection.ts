import { fatal } from '../errors.ts';
import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import { decorationsOf, type Decorations } from './decorations.ts';
import { historyFilter, HISTORY_OPTIONS, touches } from './filter.ts';
import { patchText } from './patch-text.ts';
import { namedHistory } from './simplified.ts';
import { ancestors, parseRange, topological, walkHistory, type Mark, type Range, type Revision } from './walk.ts';

/** Options of `log` and `rev-list` for which commits are shown, in which order and with which mark. */
export const SELECTION_OPTIONS = {
	...HISTORY_OPTIONS,
	order: '--topo-order --date-order --author-date-order',
	noWalk: '--no-walk ?',
	leftRight: '--left-right',
	leftOnly: '--left-only',
	rightOnly: '--right-only',
	cherryPick: '--cherry-pick',
	cherryMark: '--cherry-mark',
	cherry: '--cherry',
	ancestryPath: '--ancestry-path ?',
	boundary: '--boundary',
	fullHistory: '--full-history',
	byDecoration: '--simplify-by-decoration',
	parents: '--parents',
	children: '--children'
};

/** A commit that is shown. */
export interface Selected extends Revision {
	mark: Mark;
}

type SelectionOptions = Options<keyof typeof SELECTION_OPTIONS>;

/** Mark in front of a commit's id: the side only where sides are asked for. */
export function shownMark(mark: Mark, options: Options<'leftRight' | 'cherryMark' | 'cherry'>): string {
	if (mark === '-' || mark === '=') return mark;
	if (options.has('leftRight')) return mark;
	return options.has('cherryMark') || options.has('cherry') ? '+' : '';
}

/** Start of a selection. */
export interface Beginning {
	/** Names of commits and ranges, as given. */
	names: readonly string[];
	pathspec: Pathspec;
	/** Chooses in place of paths, as `--follow` does. */
	isTouched?: ((revision: Revision) => boolean) | undefined;
	/** Leaves out commits of which no change is shown. */
	isShown?: ((revision: Revision) => boolean) | undefined;
	/** People are looked for under their proper names. */
	isMapped?: boolean | undefined;
	/** Names of commits, by which history is simplified where that is asked for. */
	decorations?: Decorations | undefined;
	/** Commits to choose from in place of those that the names lead to. */
	walked?: Iterable<Revision> | undefined;
}

/** Commits that names, paths and options select, in the order in which they are shown. */
export function* selectHistory(
	repository: Repository,
	options: SelectionOptions,
	{ names, pathspec, isTouched, isShown, walked, isMapped, decorations }: Beginning
): Generator<Selected> {
	const wanted = historyFilter(repository, options, { pathspec, isMapped });
	const isWhole = options.has('fullHistory');
	const limit = Number(options.get('count') ?? Infinity);
	let skip = Number(options.get('skip') ?? 0);
	let left = limit < 0 ? Infinity : limit;
	const shown = new Set<string>();
	const walk = walked ?? marked(repository, options, parseRange(repository, names), names, pathspec);
	const named = decorations ?? decorationsOf(repository);
	const all = options.has('byDecoration') ? namedHistory(repository, [...walk], (id) => named.has(id)) : walk;
	for (const found of all) {
		const revision: Selected = { ...found, mark: found.mark ?? '' };
		if (left <= 0) break;
		if (!(isTouched ? isTouched(revision) : touches(repository, revision, pathspec, isWhole))) continue;
		if (!wanted(revision) || isShown?.(revision) === false || skip-- > 0) continue;
		left--;
		shown.add(revision.id);
		yield revision;
	}
	if (options.has('boundary')) yield* boundary(repository, shown);
}

/** Parents of shown commits that are not shown themselves. */
function* boundary(repository: Repository, shown: ReadonlySet<string>): Generator<Selected> {
	const found = new Set([...shown].flatMap((id) => repository.parents(id)).filter((id) => !shown.has(id)));
	for (const id of found) yield { id, commit: repository.commit(id), mark: '-' };
}

/** Walks what a range holds, and gives each commit its mark. */
function* marked(
	repository: Repository,
	options: SelectionOptions,
	range: Range,
	names: readonly string[],
	pathspec: Pathspec
): Generator<Selected> {
	if (options.has('noWalk') && range.exclude.length === 0) {
		yield* named(repository, range, options.get('noWalk') === 'unsorted');
		return;
	}
	const isOneSided = options.has('leftOnly') || options.has('rightOnly');
	const comparesSides = options.has('cherryPick') || options.has('cherryMark') || options.has('cherry');
	const wantsSides = isOneSided || comparesSides || options.has('leftRight');
	const isWhole = options.has('fullHistory') || options.has('ancestryPath');
	const walked = walkHistory(repository, range, options.has('firstParent'), isWhole ? undefined : pathspec);
	const isSorted = options.has('order') || options.has('ancestryPath');
	const ordered = isSorted ? topological([...walked]) : walked;
	const sides = wantsSides ? sidesOf(repository, names) : null;
	const isOnLeft = (id: string) => sides?.has(id) ?? false;
	const revisions = onPath(repository, options, range, ordered);
	if (!comparesSides) {
		for (const revision of revisions) {
			const isLeft = isOnLeft(revision.id);
			if ((options.has('leftOnly') && !isLeft) || (options.has('rightOnly') && isLeft)) continue;
			yield { ...revision, mark: sides === null ? '' : isLeft ? '<' : '>' };
		}
		return;
	}
	yield* withoutTwins(repository, options, [...revisions], isOnLeft, pathspec);
}

/** The commits that were named, the newest first or as they were named. */
function named(repository: Repository, { include }: Range, isUnsorted: boolean): Selected[] {
	const found = [...new Set(include)].map((id): Selected => ({ id, commit: repository.commit(id), mark: '' }));
	return isUnsorted ? found : found.sort((a, b) => b.commit.committer.seconds - a.commit.committer.seconds);
}

/** Commits that the left end of `a...b` reaches. */
function sidesOf(repository: Repository, names: readonly string[]): Set<string> {
	const lefts = names.filter((text) => text.includes('...')).map((text) => text.split('...')[0] || 'HEAD');
	return ancestors(
		repository,
		lefts.map((text) => resolveCommit(repository, text))
	);
}

/** Leaves out or marks commits whose change is on the other side too, by `--cherry-pick` and `--cherry-mark`. */
function* withoutTwins(
	repository: Repository,
	options: SelectionOptions,
	revisions: readonly Revision[],
	isOnLeft: (id: string) => boolean,
	pathspec: Pathspec
): Generator<Selected> {
	const patches = new Map(
		revisions
			.filter(({ commit }) => commit.parents.length < 2)
			.map(({ id }) => [id, patchText(repository, id, pathspec)] as const)
	);
	const textsOn = (left: boolean) =>
		new Set([...patches].flatMap(([id, text]) => (isOnLeft(id) === left ? [text] : [])));
	const [onLeft, onRight] = [textsOn(true), textsOn(false)];
	const isCherry = options.has('cherry');
	const marksTwins = options.has('cherryMark') || isCherry;
	for (const revision of revisions) {
		const isLeft = isOnLeft(revision.id);
		const text = patches.get(revision.id);
		const isTwin = text !== undefined && text !== '' && (isLeft ? onRight : onLeft).has(text);
		if (isTwin && !marksTwins) continue;
		if ((options.has('leftOnly') && !isLeft) || ((options.has('rightOnly') || isCherry) && isLeft)) continue;
		if (isCherry && revision.commit.parents.length > 1) continue;
		yield { ...revision, mark: isTwin ? '=' : isLeft ? '<' : '>' };
	}
}

/** Leaves out commits that do not lead from what is excluded to what is shown, by `--ancestry-path`. */
function onPath(
	repository: Repository,
	options: SelectionOptions,
	range: Range,
	ordered: Iterable<Revision>
): Iterable<Revision> {
	if (!options.has('ancestryPath')) return ordered;
	const given = options.get('ancestryPath') ?? '';
	const bottoms =
		given === '' ? range.exclude : options.all('ancestryPath').map((text) => resolveCommit(repository, text));
	if (bottoms.length === 0) throw fatal('--ancestry-path given but there are no bottom commits');
	const all = [...ordered];
	const kept = new Set(bottoms);
	for (const { id, commit } of [...all].reverse()) if (commit.parents.some((parent) => kept.has(parent))) kept.add(id);
	const before = given === '' ? new Set<string>() : ancestors(repository, bottoms);
	return all.filter(({ id }) => kept.has(id) || before.has(id));
}
