import { UsageAsked } from '../options.ts';
import { GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { applyMerged } from '../merge/apply.ts';
import { mergeCommits } from '../merge/merge-commits.ts';
import { requireUnstaged } from '../merge/require-unstaged.ts';
import { strategyOptions } from '../merge/strategy.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { findRevision, peel } from '../refs/revision.ts';

const USAGE = 'usage: git merge-recursive <base>... -- <head> <remote> ...';

const RENAME_DELETE = 'CONFLICT (rename/delete)';

/** `git merge-recursive`: merges into the index and worktree with the given merge bases, without a commit. */
export const mergeRecursive: Command = (git, args) => {
	if (args.length === 1 && args[0] === '-h') throw new UsageAsked(`${USAGE}\n`);
	const { repository } = git;
	const end = args.indexOf('--');
	const given = end < 0 ? args : args.slice(0, end);
	const heads = end < 0 ? [] : args.slice(end + 1);
	if (args.length < 3) throw new GitError(USAGE, 129);
	const options = strategyOptions(given.filter((one) => one.startsWith('--')).map((one) => one.slice(2)));
	const bases = given.filter((one) => !one.startsWith('--')).map((name) => resolved(git, name));
	if (heads.length !== 2) throw new GitError('fatal: not handling anything other than two heads merge.', 128);
	const [ours, theirs] = heads.map((name) => resolved(git, name)) as [string, string];
	const label = (name: string, id: string) => git.env[`GITHEAD_${id}`] ?? git.env[`GITHEAD_${name}`] ?? name;
	const tree = peel(repository, ours, 'tree') ?? EMPTY_TREE;
	requireUnstaged(repository, tree);
	const names = { ours: label(heads[0]!, ours), theirs: label(heads[1]!, theirs) };
	const merged = mergeCommits(git, ours, theirs, { ...names, options }, bases);
	// Unlike `git merge`, this command has no base stage for a file that one side renamed and the other deleted.
	const renamed = new Set(
		merged.notices.flatMap(({ kind, paths }) => (kind === RENAME_DELETE ? paths.slice(0, 1) : []))
	);
	for (const { path, stages } of merged.conflicts) if (renamed.has(path)) stages[0] = null;
	applyMerged(git, tree, merged);
	return merged.isClean ? 0 : 1;
};

function resolved({ repository }: Invocation, name: string): string {
	const id = findRevision(repository, name);
	if (id === null) throw new GitError(`fatal: could not resolve ref '${name}'`, 128);
	return id;
}
