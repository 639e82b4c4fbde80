import { compareTrees, type Change } from '../diff/change.ts';
import { selectChanges } from '../diff/select.ts';
import { namedStarts } from '../history/named-starts.ts';
import { ancestors, parseRange, walkHistory, type Range, type Revision } from '../history/walk.ts';
import { patchId } from '../history/patch-id.ts';
import { fatal } from '../errors.ts';
import { NULL_ID } from '../objects/object.ts';
import type { Invocation } from '../invocation.ts';
import type { DIFF_OPTIONS } from '../diff/options.ts';
import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';

export const SERIES_OPTIONS = {
	count: '-<number> --max-count =',
	root: '--root',
	ignoresUpstream: '--ignore-if-in-upstream'
};

type SeriesOptions = Options<keyof typeof SERIES_OPTIONS | keyof typeof DIFF_OPTIONS>;

/** Commits to send, the oldest first, and the changes of each. */
export interface PatchSeries {
	commits: Revision[];
	/** Revisions as given. */
	names: readonly string[];
	changesOf: (revision: Revision) => Change[];
	/** Changes of all commits together; null if there are no commits. */
	allChanges: () => Change[] | null;
}

/** Replaces options such as `--all` with the commits they name. */
export const seriesArguments = (git: Invocation, args: readonly string[]): string[] => namedStarts(git, args).args;

/** Selects the commits, without merges and without those that change no given path. */
export function patchSeries(repository: Repository, options: SeriesOptions): PatchSeries {
	const { revisions, paths } = splitRevisions(repository, options);
	const names = revisions.length === 0 ? ['HEAD'] : revisions;
	const count = Number(options.get('count') || Infinity);
	const [only = ''] = names;
	const isSince = count === Infinity && names.length === 1 && !/\.\.|^\^|\^[!@-]/.test(only) && !options.has('root');
	const pathspec = new Pathspec(repository, paths);
	const between = (before: string | null, after: string) =>
		selectChanges(repository, compareTrees(repository.objects, before, after), pathspec, options);
	const changesOf = ({ commit }: Revision) => {
		const [parent] = commit.parents;
		return between(parent === undefined ? null : repository.commit(parent).tree, commit.tree);
	};
	const range = parseRange(repository, isSince ? [`${only}..HEAD`] : names);
	const upstream = options.has('ignoresUpstream') ? upstreamChanges(repository, range) : null;
	const commits = [...walkHistory(repository, range)]
		.filter((revision) => revision.commit.parents.length < 2 && (paths.length === 0 || changesOf(revision).length > 0))
		.slice(0, count)
		.filter(({ id }) => upstream === null || !upstream.has(patchId(repository, id)))
		.reverse();
	const allChanges = () => {
		const [first] = commits;
		const last = commits.at(-1);
		if (!first || !last) return null;
		const [parent] = first.commit.parents;
		return between(parent === undefined ? null : repository.commit(parent).tree, last.commit.tree);
	};
	return { commits, names, changesOf, allChanges };
}

/** Patches on the other side of a range. */
function upstreamChanges(repository: Repository, { include, exclude }: Range): Set<string> {
	if (include.length !== 1 || exclude.length === 0) throw fatal('need exactly one range');
	const own = ancestors(repository, include);
	const others = [...walkHistory(repository, { include: exclude, exclude: [] })];
	return new Set(
		others
			.filter(({ id, commit }) => !own.has(id) && commit.parents.length < 2)
			.map(({ id }) => patchId(repository, id))
			.filter((change) => change !== NULL_ID)
	);
}
