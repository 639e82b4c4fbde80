import { commitSummary } from '../commands/commit-summary.ts';
import { runChild } from '../child.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { signedOff } from '../history/trailers.ts';
import type { Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { switchTree } from '../worktree/checkout.ts';
import { endRebase, loadRebase, saveRebase, stoppedMessage, type RebaseState } from './rebase-state.ts';
import { amendHead, meltIntoHead, rewordHead } from './rebase-commit.ts';
import type { RebaseStep } from './rebase-steps.ts';
import { commitIndex, forget, noteConflicts, replayChange } from './replay.ts';
import { applyAutostash } from './autostash.ts';

/** Detaches HEAD at the new base and works through the commits. */
export function startRebase(git: Invocation, state: RebaseState, ontoName: string): number {
	const { repository } = git;
	const { refs } = repository;
	saveRebase(repository, state);
	switchTree(repository, headTree(repository), repository.commit(state.onto).tree, false);
	repository.index.save();
	refs.note('ORIG_HEAD', state.original);
	refs.moveHead({ id: state.onto }, `rebase (start): checkout ${ontoName}`);
	return runRebase(git, state);
}

/**
 * Does the remaining steps. Returns the exit code; 1 if a commit does not apply or a command fails, 0 if it
 * stops as requested.
 */
export function runRebase(git: Invocation, state: RebaseState): number {
	const { repository } = git;
	const total = state.done.length + state.todo.length;
	for (let step = state.todo.shift(); step !== undefined; step = state.todo.shift()) {
		state.done.push(step);
		const needless = state.done.length === 1 && step.action === 'pick';
		if (!state.quiet && !(needless && repository.commit(step.id).parents[0] === repository.head()))
			git.err(`Rebasing (${state.done.length}/${total})\r`);
		if (step.action === 'drop') continue;
		if (step.action === 'exec') {
			const code = runCommand(git, state, step.command);
			if (code !== 0) return code;
			continue;
		}
		if (step.action === 'break') {
			saveRebase(repository, state);
			return 0;
		}
		if (!doStep(git, state, step)) return 1;
		if (step.action === 'reword') rewordHead(git);
		if (step.action === 'edit') {
			saveRebase(repository, { ...state, amends: true });
			git.err(
				`Stopped at ${repository.objects.abbreviate(step.id)}...  ${subjectOf(repository.commit(step.id).message)}\n${EDIT_ADVICE}`
			);
			return 0;
		}
	}
	return finish(git, state);
}

/** Recreates one commit. Returns false if it does not apply. */
function doStep(git: Invocation, state: RebaseState, { action, id }: RebaseStep): boolean {
	const { repository } = git;
	const commit = repository.commit(id);
	const subject = subjectOf(commit.message);
	const parent = commit.parents[0] ?? null;
	const melts = action === 'squash' || action === 'fixup';
	const isStart = repository.head() === state.start;
	const isInPlace =
		(parent === repository.head() || (parent === null && isStart)) && !melts && !state.isForced && !state.signsOff;
	if (isInPlace) {
		// Already in place: nothing to recreate.
		switchTree(repository, headTree(repository), commit.tree, false);
		repository.index.save();
		repository.refs.moveHead({ id }, `rebase (${action}): ${subject}`);
		return true;
	}
	const conflicts = replayChange(
		git,
		headTree(repository),
		{ id, parent, backwards: false, favour: state.favour },
		true
	);
	if (conflicts.length > 0) {
		saveRebase(repository, state);
		noteConflicts(repository, commit.message, conflicts);
		repository.refs.note('CHERRY_PICK_HEAD', id);
		repository.refs.note('REBASE_HEAD', id);
		const short = repository.objects.abbreviate(id);
		git.err(`error: could not apply ${short}... ${subject}\n${ADVICE}Could not apply ${short}... ${subject}\n`);
		return false;
	}
	if (melts) {
		meltIntoHead(git, id, action, meltsNext(state));
		return true;
	}
	const wasEmpty = parent !== null && repository.commit(parent).tree === commit.tree;
	const made = commitIndex(repository, {
		message: state.signsOff ? signedOff(repository, commit.message) : commit.message,
		author: commit.author,
		reason: `rebase (${action}): ${subject}`,
		evenEmpty: wasEmpty || state.keepsEmptied === true,
		isRoot: isStart
	});
	if (made === null) git.err(`dropping ${id} ${subject} -- patch contents already upstream\n`);
	return true;
}

const meltsNext = ({ todo }: RebaseState): boolean => todo[0]?.action === 'squash' || todo[0]?.action === 'fixup';

/** `exec`: the rebase waits where its command fails. */
function runCommand(git: Invocation, state: RebaseState, command: string): number {
	const { repository } = git;
	git.err(`Executing: ${command}\n`);
	saveRebase(repository, state);
	const code = runChild(git, command, [], { cwd: repository.root });
	repository.reopenIndex();
	const isDirty = indexToWorktree(repository).length + treeToIndex(repository, headTree(repository)).length > 0;
	if (code === 0 && !isDirty) return 0;
	if (code === 0) {
		git.err(
			`warning: execution succeeded: ${command}\nbut left changes to the index and/or the working tree\n` +
				'Commit or stash your changes, and then run\n\n  git rebase --continue\n\n\n'
		);
		return 1;
	}
	const left = isDirty ? 'and made changes to the index and/or the working tree\n' : '';
	git.err(
		`warning: execution failed: ${command}\n${left}You can fix the problem, and then run\n\n  git rebase --continue\n\n\n`
	);
	return 1;
}

const EDIT_ADVICE = `You can amend the commit now, with

  git commit --amend 

Once you are satisfied with your changes, run

  git rebase --continue
`;

const ADVICE =
	'hint: Resolve all conflicts manually, mark them as resolved with\n' +
	'hint: "git add/rm <conflicted_files>", then run "git rebase --continue".\n' +
	'hint: You can instead skip this commit: run "git rebase --skip".\n' +
	'hint: To abort and get back to the state before "git rebase", run "git rebase --abort".\n';

function finish(git: Invocation, state: RebaseState): number {
	const { repository } = git;
	const { refs } = repository;
	if (state.branch !== null) {
		const id = repository.head()!;
		const name = state.branch.replace('refs/heads/', '');
		if (id !== refs.resolve(state.branch))
			refs.update(state.branch, id, `rebase (finish): ${state.branch} onto ${state.onto}`);
		refs.moveHead({ branch: name }, `rebase (finish): returning to ${state.branch}`);
	}
	endRebase(repository);
	applyAutostash(git, state.autostash);
	if (!state.quiet) git.err(`Successfully rebased and updated ${state.branch ?? 'detached HEAD'}.\n`);
	return 0;
}

/** Commits the resolved conflicts and continues. */
export function continueRebase(git: Invocation): number {
	const { repository } = git;
	const state = loadRebase(repository);
	const unmerged = repository.index.unmerged();
	if (unmerged.length > 0) {
		const list = unmerged.map((path) => `${path}: needs merge\n`).join('');
		git.out(`${list}You must edit all merge conflicts and then\nmark them as resolved using git add\n`);
		return 1;
	}
	const stopped = repository.note('CHERRY_PICK_HEAD')?.trim();
	const last = state.done.at(-1);
	if (stopped !== undefined && (last?.action === 'squash' || last?.action === 'fixup')) {
		meltIntoHead(git, stopped, last.action, meltsNext(state));
		forget(repository, 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'MERGE_MSG');
	} else if (stopped === undefined && state.amends && treeToIndex(repository, headTree(repository)).length > 0) {
		amendHead(git, repository.commit(repository.head() ?? '').message, 'continue');
	} else if (stopped !== undefined) {
		const message = cleanMessage(stoppedMessage(repository), true);
		const { author } = repository.commit(stopped);
		const reason = `rebase (continue): ${subjectOf(message)}`;
		const id = commitIndex(repository, { message, author, reason, evenEmpty: false });
		if (id !== null) git.out(commitSummary(repository, id, repository.commit(id)));
		forget(repository, 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'MERGE_MSG');
	}
	return runRebase(git, { ...state, amends: false });
}

/** Leaves out the commit it stopped at. */
export function skipRebase(git: Invocation): number {
	const { repository } = git;
	const state = loadRebase(repository);
	switchTree(repository, headTree(repository), headTree(repository), true);
	repository.index.save();
	forget(repository, 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'MERGE_MSG');
	return runRebase(git, state);
}

/** Restores the state before the rebase. */
export function abortRebase(git: Invocation): number {
	const { repository } = git;
	const { refs } = repository;
	const state = loadRebase(repository);
	switchTree(repository, headTree(repository), repository.commit(state.original).tree, true);
	repository.index.save();
	const name = state.branch?.replace('refs/heads/', '');
	const reason = `rebase (abort): returning to ${state.branch ?? state.original}`;
	refs.moveHead(name === undefined ? { id: state.original } : { branch: name }, reason);
	endRebase(repository);
	applyAutostash(git, state.autostash);
	return 0;
}
