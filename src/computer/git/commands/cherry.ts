import { EMPTY_TREE } from '../objects/object.ts';
import { compareTrees } from '../diff/change.ts';
import { NO_DIFF } from '../diff/format.ts';
import { printPatch } from '../diff/print.ts';
import { GitError } from '../errors.ts';
import { mergeBases, parseRange, walkHistory, type Revision } from '../history/walk.ts';
import type { Command } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

/** `git cherry`: lists commits without an equivalent on the other side (`+`) and with one (`-`). */
export const cherry: Command = (git, args) => {
	const options = parseOptions('cherry [-v] [<upstream> [<head> [<limit>]]]', args, { verbose: '-v --verbose' });
	const { repository } = git;
	const branch = repository.refs.currentBranch();
	const followed = branch === null ? null : repository.upstream(branch);
	const [upstream = followed, head = 'HEAD', limit] = options.operands;
	if (upstream === null)
		throw new GitError('Could not find a tracked remote branch, please specify <upstream> manually.', 129);
	const [theirs, ours] = [resolveCommit(repository, upstream), resolveCommit(repository, head)];
	const bases = mergeBases(repository, theirs, ours);
	const known = new Set(
		[...walkHistory(repository, { include: [theirs], exclude: bases })].map((revision) =>
			changeOf(repository, revision)
		)
	);
	const exclude = [theirs, ...(limit === undefined ? [] : parseRange(repository, [limit]).include)];
	const commits = [...walkHistory(repository, { include: [ours], exclude })].filter(
		({ commit }) => commit.parents.length < 2
	);
	for (const revision of commits.reverse()) {
		const sign = known.has(changeOf(repository, revision)) ? '-' : '+';
		git.out(`${sign} ${revision.id}${options.has('verbose') ? ` ${subjectOf(revision.commit.message)}` : ''}\n`);
	}
	return 0;
};

/** Patch of a commit without line numbers and whitespace; equal for commits with the same change. */
function changeOf(repository: Repository, { commit }: Revision): string {
	const parent = commit.parents[0];
	const before = parent === undefined ? EMPTY_TREE : repository.commit(parent).tree;
	return compareTrees(repository.objects, before, commit.tree)
		.map((change) => printPatch(repository, change, NO_DIFF))
		.join('')
		.replace(/^(?:index .*|@@ .*)\n/gm, '')
		.replace(/[ \t]+/g, '');
}
