import { encode } from '../bytes.ts';
import { mergeAction, mergeSummary, noteSquash, STOPPED, type MergeHow } from './merge-outcome.ts';
import { GitError } from '../errors.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { isAncestor, mergeBasesOfAll } from '../history/walk.ts';
import { runHook } from '../hooks.ts';
import type { Invocation } from '../invocation.ts';
import { serializeCommit } from '../objects/commit.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { applyMerged, mergedTree } from './apply.ts';
import { rememberResolutions } from '../rerere/rerere.ts';
import { mergeTrees } from './merge-trees.ts';

/** A commit to merge, and its name as given. */
interface Named {
	id: string;
	name: string;
}

/**
 * Merges several commits one after the other into a commit that has all of them as parents.
 *
 * @throws GitError if any but the last one conflicts: an octopus merge is only for commits that merge cleanly
 */
export function mergeOctopus(
	git: Invocation,
	others: readonly Named[],
	head: string,
	how: Omit<MergeHow, 'id' | 'name'>
): number {
	const { repository } = git;
	const ours = repository.commit(head).tree;
	const { tree, hasConflicts } = mergeAll(git, others, head);
	repository.refs.note('ORIG_HEAD', head);
	const message = cleanMessage(how.message ?? '');
	const heads = others.map(({ id }) => `${id}\n`).join('');
	if (how.squash)
		noteSquash(
			git,
			others.map(({ id }) => id),
			head
		);
	else if (hasConflicts || how.noCommit) {
		repository.files.writeFile(`${repository.gitDir}/MERGE_HEAD`, encode(heads));
		repository.files.writeFile(`${repository.gitDir}/MERGE_MSG`, encode(message));
	}
	if (hasConflicts) {
		rememberResolutions(git, how.autoupdate);
		git.out('Automatic merge failed; fix conflicts and then commit the result.\n');
		return 1;
	}
	if (how.squash || how.noCommit) {
		if (!how.quiet) git.err(STOPPED);
		return 0;
	}
	const { objects, refs } = repository;
	const isSubsumed = !how.noFastForward && others.some(({ id }) => isAncestor(repository, head, id));
	const parents = [...(isSubsumed ? [] : [head]), ...others.map(({ id }) => id)];
	const people = { author: repository.author(), committer: repository.committer() };
	const made = "Merge made by the 'octopus' strategy.";
	const names = others.map(({ name }) => name).join(' ');
	const id = objects.write('commit', serializeCommit({ tree, parents, ...people, message }));
	refs.update('HEAD', id, `${mergeAction(git, names)}: ${made}`);
	if (!how.quiet) git.out(`${made}\n`);
	runHook(git, 'post-merge', ['0']);
	if (!how.quiet && how.showsStat !== false) git.out(mergeSummary(git, ours, tree));
	return 0;
}

/** Applies the changes of all commits to index and files. Returns the tree, and whether the last one conflicts. */
function mergeAll(git: Invocation, others: readonly Named[], head: string): { tree: string; hasConflicts: boolean } {
	const { repository } = git;
	const merged = [head];
	let tree = repository.commit(head).tree;
	let hasConflicts = false;
	let isMoved = true;
	for (const { id, name } of others) {
		if (hasConflicts) {
			git.out('Automated merge did not work.\nShould not be doing an octopus.\n');
			throw new GitError('Merge with strategy octopus failed.', 2);
		}
		const [base] = mergeBasesOfAll(repository, id, merged);
		const theirs = repository.commit(id).tree;
		const isNext = isMoved && merged.length === 1 && base === merged[0];
		git.out(isNext ? `Fast-forwarding to: ${name}\n` : `Trying simple merge with ${name}\n`);
		const sides = { base: base === undefined ? EMPTY_TREE : repository.commit(base).tree, ours: tree, theirs };
		const labels = { ours: 'HEAD', theirs: name, base: 'base', options: { renames: false } };
		const result = mergeTrees(git, sides, labels);
		if (result.notices.length > 0) git.out('Simple merge did not work, trying automatic merge.\n');
		applyMerged(git, tree, result);
		tree = mergedTree(git, result);
		hasConflicts = !result.isClean;
		if (isNext) merged[0] = id;
		else {
			merged.push(id);
			isMoved = false;
		}
	}
	return { tree, hasConflicts };
}
