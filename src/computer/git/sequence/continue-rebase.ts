import { forgetConflicts } from '../rerere/rerere.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import { GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import {
	endMelting,
	forgetLastMelted,
	isMeltingUnderWay,
	meltsSquash,
	messageThatStays,
	resetMessageOfAll
} from './squash-message.ts';
import { runRebase } from './rebase.ts';
import { commitStep } from './rebase-commit.ts';
import { checkDropped } from './rebase-list.ts';
import { directoryOf, notedAuthor, storedSteps, type RebaseState } from './rebase-state.ts';
import { isMelting } from './rebase-steps.ts';
import { forget } from './replay.ts';
import { rewritten } from './rewritten.ts';

/** Commits the resolved changes and continues. */
export function continueRebase(git: Invocation, state: RebaseState): number {
	const { repository } = git;
	const unmerged = repository.index.unmerged();
	if (unmerged.length > 0 || indexToWorktree(repository).length > 0) {
		git.out(unmerged.map((path) => `${path}: needs merge\n`).join(''));
		git.out('You must edit all merge conflicts and then\nmark them as resolved using git add\n');
		return 1;
	}
	if (state.isApply) return commitMail(git, state) ? runRebase(git, state) : 1;
	state.todo = storedSteps(repository);
	checkDropped(git, state.todo);
	if (!commitsStaged(git, state)) return 1;
	noteRewritten(repository, state);
	return runRebase(git, state);
}

/** Records the commit that the rebase stopped at as rewritten. */
function noteRewritten(repository: Repository, state: RebaseState): void {
	const stopped = repository.note('rebase-merge/stopped-sha')?.trim();
	if (stopped !== undefined) rewritten(repository, stopped, isMelting(state.todo[0]));
}

/** Commits the resolved changes for `--apply`. Returns false if nothing is staged. */
function commitMail(git: Invocation, state: RebaseState): boolean {
	const { repository } = git;
	const step = state.done.at(-1);
	if (!step) return true;
	const { message, author } = repository.commit(step.id);
	if (!state.quiet) git.out(`Applying: ${subjectOf(message)}\n`);
	if (treeToIndex(repository, headTree(repository)).length === 0) {
		git.out(
			"No changes - did you forget to use 'git add'?\nIf there is nothing left to stage, chances are that something else\n" +
				'already introduced the same changes; you might want to skip this patch.\n'
		);
		return false;
	}
	commitStep(git, state, { message, author: notedAuthor(repository, state) ?? author, action: 'pick' });
	forget(repository, 'REBASE_HEAD');
	return true;
}

/** Commits staged changes, if any. Reports the reason and returns false if that is not possible. */
function commitsStaged(git: Invocation, state: RebaseState): boolean {
	const { repository } = git;
	const head = repository.head() ?? '';
	const amend = repository.note(`${directoryOf(state)}/amend`)?.trim();
	const isClean = treeToIndex(repository, headTree(repository)).length === 0 && repository.note('MERGE_HEAD') === null;
	if (amend !== undefined && !isClean && amend !== head) {
		git.err(
			'error: \nYou have uncommitted changes in your working tree. Please, commit them\n' +
				"first and then run 'git rebase --continue' again.\n"
		);
		return false;
	}
	const closes = amend !== undefined && isClean && isMeltingUnderWay(repository) && closesMelting(git, state, amend);
	if (isClean) {
		forget(repository, 'CHERRY_PICK_HEAD', 'MERGE_MSG');
		if (!closes) return true;
	}
	const step = state.done.at(-1);
	if (!isClean && amend === undefined && !step) return false;
	const old = repository.commit(head);
	const said = repository.note(`${directoryOf(state)}/message`);
	const author = amend === undefined ? notedAuthor(repository, state) : old.author;
	if (author === null) {
		git.err(STAGED_ADVICE);
		return false;
	}
	const isMelted = amend !== undefined && isMeltingUnderWay(repository);
	const isEdited = closes ? meltsSquash(repository) : true;
	const message = closes ? (messageThatStays(repository) ?? old.message) : (said ?? old.message);
	const merged = repository.note('MERGE_HEAD')?.trim().split('\n') ?? [];
	const how = { message, author, amends: amend !== undefined, edits: isEdited, merged, action: 'continue' };
	if (!isCommitted(git, () => commitStep(git, state, { ...how, cleanup: 'strip' }))) return false;
	forget(repository, `${directoryOf(state)}/amend`);
	if (isMelted || closes) endMelting(repository);
	return true;
}

/** Ends a series of squashed commits whose last one was skipped. Returns whether its message must be finalized. */
function closesMelting(git: Invocation, state: RebaseState, amend: string): boolean {
	const { repository } = git;
	const isNextMelting = isMelting(state.todo[0]);
	const isOther = amend !== repository.head() || repository.note('rebase-merge/stopped-sha') === null;
	if (isOther) {
		if (!isNextMelting) endMelting(repository);
		return false;
	}
	const left = forgetLastMelted(repository);
	if (isNextMelting) resetMessageOfAll(repository, repository.commit(amend).message);
	if (!isNextMelting && left === 0) endMelting(repository);
	return left > 0 && !isNextMelting;
}

function isCommitted(git: Invocation, commit: () => string | null): boolean {
	try {
		if (commit() !== null) return true;
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		git.err(`${error.message}\n`);
	}
	git.err('error: could not commit staged changes.\n');
	return false;
}

const STAGED_ADVICE = `error: you have staged changes in your working tree
If these changes are meant to be squashed into the previous commit, run:

  git commit --amend 

If they are meant to go into a new commit, run:

  git commit 

In both cases, once you're done, continue with:

  git rebase --continue

error: could not commit staged changes.
`;

/** Skips the commit that the rebase stopped at. */
export function skipRebase(git: Invocation, state: RebaseState): number {
	const { repository } = git;
	forgetConflicts(repository);
	switchTree(repository, headTree(repository), headTree(repository), { force: true });
	repository.index.save();
	forget(repository, 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'SQUASH_MSG');
	if (state.isApply) return runRebase(git, state);
	state.todo = storedSteps(repository);
	checkDropped(git, state.todo);
	if (!commitsStaged(git, state)) return 1;
	noteRewritten(repository, state);
	return runRebase(git, state);
}
