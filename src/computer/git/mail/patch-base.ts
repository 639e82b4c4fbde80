import { fatal } from '../errors.ts';
import { patchId } from '../history/patch-id.ts';
import { mergeBases, walkHistory, isAncestor, parseRange, octopusBases } from '../history/walk.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

/**
 * Describes the base commit of a series and the patches between it and the series.
 *
 * @param series commits of the series, the oldest first
 * @throws GitError if the commit cannot be the base of the series
 */
export function baseText(repository: Repository, base: string, series: readonly string[]): string {
	const ids = new Set(series);
	if (ids.has(base)) throw fatal("base commit shouldn't be in revision list");
	for (const id of series)
		if (!isAncestor(repository, base, id)) throw fatal('base commit should be the ancestor of revision list');
	const range = parseRange(repository, [...series, `^${base}`]);
	const before = [...walkHistory(repository, range)]
		.filter(({ id, commit }) => !ids.has(id) && commit.parents.length < 2)
		.reverse();
	return [
		`\nbase-commit: ${base}\n`,
		...before.map(({ id }) => `prerequisite-patch-id: ${patchId(repository, id)}\n`)
	].join('');
}

/** Finds the base: the commit where the branch left its upstream. @throws GitError if there is none */
export function automaticBase(repository: Repository, series: readonly string[]): string {
	const branch = repository.refs.currentBranch();
	const upstream = branch === null ? null : repository.upstream(branch);
	if (upstream === null)
		throw fatal(
			'failed to get upstream, if you want to record base commit automatically,\nplease use git branch --set-upstream-to to track a remote branch.\nOr you could specify base commit by --base=<base-commit-id> manually'
		);
	const commit = resolveCommit(repository, upstream);
	const [base, ...others] = mergeBases(repository, commit, octopusBases(repository, series)[0] ?? commit);
	const [end] = series.slice(-1);
	const bases = end === undefined ? [] : mergeBases(repository, commit, end);
	if (base === undefined || others.length > 0 || bases.length !== 1) throw fatal('could not find exact merge base');
	return bases[0]!;
}
