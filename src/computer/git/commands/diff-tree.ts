import { binaryBytes } from '../diff/lines.ts';
import { DIFF_OPTIONS, diffFormat, showsChanges } from '../diff/options.ts';
import { printChanges } from '../diff/print.ts';
import { selectChanges } from '../diff/select.ts';
import { compareTrees } from '../diff/change.ts';
import { fatal } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';

/** `git diff-tree`: changes of a commit, or between two, for scripts. */
export const diffTree: Command = (git, args) => {
	const options = parseOptions('diff-tree [<options>] <tree-ish> [<tree-ish>] [<path>...]', args, {
		...DIFF_OPTIONS,
		deep: '-r -t',
		noId: '--no-commit-id',
		root: '--root',
		verbose: '-v'
	});
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const [first, second] = revisions;
	if (first === undefined || revisions.length > 2) throw fatal('diff-tree takes one commit or two');
	const format = diffFormat(options, false);
	const isRaw = !showsChanges({ ...format, raw: false });
	if ((isRaw || format.nameOnly || format.nameStatus) && !options.has('deep'))
		throw fatal('whole directories are not compared here: git diff-tree -r lists the files in them');
	const id = resolveCommit(repository, first);
	const commit = repository.commit(id);
	const parent = commit.parents[0];
	if (second === undefined && (commit.parents.length > 1 || (parent === undefined && !options.has('root')))) return 0;
	const [before, after] =
		second === undefined
			? [parent === undefined ? null : repository.commit(parent).tree, commit.tree]
			: [commit.tree, repository.commit(resolveCommit(repository, second)).tree];
	const changes = selectChanges(
		repository,
		compareTrees(repository.objects, before, after),
		new Pathspec(repository, paths),
		options
	);
	if (changes.length === 0) return 0;
	if (second === undefined && !options.has('noId')) git.out(`${id}\n`);
	git.out(
		binaryBytes(
			printChanges(repository, changes, { ...format, raw: isRaw || format.raw, fullIds: isRaw || format.fullIds })
		)
	);
	return 0;
};
