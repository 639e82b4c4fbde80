import { forgetConflicts } from '../rerere/rerere.ts';
import { encode } from '../bytes.ts';
import { runChild } from '../child.ts';
import { headTree } from '../diff/sides.ts';
import { GitError } from '../errors.ts';
import { runHook } from '../hooks.ts';
import type { Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { applyAutostash } from './autostash.ts';
import { labelHead, mergeLabels, movingRefs, moveRefs, placeRef, resetToLabel } from './rebase-labels.ts';
import { AMEND_ADVICE, hints, noteStop, pickCommit, waiting, type StepOutcome } from './rebase-pick.ts';
import {
	directoryOf,
	endRebase,
	noteRebase,
	rebaseDirectory,
	saveRebase,
	storedSteps,
	type RebaseState
} from './rebase-state.ts';
import { isMelting, stepLines, type RebaseStep } from './rebase-steps.ts';
import { reflogAction } from './rebase-commit.ts';
import { forget } from './replay.ts';
import { clearLine } from './progress-line.ts';
import { rewritten, rewrittenAll } from './rewritten.ts';
import { mergeSummary } from '../merge/merge-outcome.ts';
import { uncommittedFaults } from '../worktree/uncommitted.ts';

/** Detaches HEAD at the new base and runs the steps. @param ontoName the base as named by the user */
export function startRebase(git: Invocation, state: RebaseState, ontoName: string): number {
	const { repository } = git;
	const start = state.isApply || state.isForced || state.signsOff ? state.onto : passNeedless(git, state);
	if (!state.isApply) saveRebase(repository, state);
	if (!detachAt(git, state, start, ontoName)) return 1;
	if (state.isApply) saveRebase(repository, state);
	return runRebase(git, state);
}

/** Skips leading steps that would recreate existing commits. Returns the last of these commits. */
function passNeedless({ repository }: Invocation, state: RebaseState): string {
	let at = state.onto;
	for (let step = state.todo[0]; step; step = state.todo[0]) {
		if (step.action === 'noop' || step.action === 'drop') {
			if (step.action === 'drop') break;
		} else if (step.action !== 'pick' || repository.commit(step.id).parents[0] !== at) break;
		if (repository.commit(step.id === '' ? at : step.id).parents.length > 1 && step.id !== '') break;
		if (isMelting(state.todo[1]) && step.id !== '') {
			// The next step will change the commit, but it exists already.
			at = step.id;
			state.done.push(state.todo.shift()!);
			break;
		}
		if (step.id !== '') at = step.id;
		state.done.push(state.todo.shift()!);
	}
	return at;
}

/** Checks out the base. If files are in the way, cancels the rebase and returns false. */
export function detachAt(git: Invocation, state: RebaseState, id: string, name: string): boolean {
	const { repository } = git;
	const from = repository.head() ?? state.original;
	try {
		switchTree(repository, headTree(repository), repository.commit(id).tree);
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		git.err(`${error.message}\n`);
		giveUp(git, state);
		git.err('error: could not detach HEAD\n');
		return false;
	}
	repository.index.save();
	repository.refs.note('ORIG_HEAD', state.original);
	repository.refs.moveHead({ id }, `${reflogAction(repository, 'start')}: checkout ${name}`);
	runHook(git, 'post-checkout', [from, id, '1']);
	return true;
}

/** Cancels a rebase before its first step. */
export function giveUp(git: Invocation, state: Pick<RebaseState, 'isApply'>): void {
	const stash = git.repository.note(`${directoryOf(state)}/autostash`)?.trim() ?? null;
	endRebase(git.repository);
	applyAutostash(git, stash);
}

/**
 * Runs the remaining steps. Returns the exit code: 1 if a commit does not apply or a command fails, 0 if it
 * stops as requested.
 */
export function runRebase(git: Invocation, state: RebaseState): number {
	const { repository } = git;
	for (let step = state.todo.shift(); step !== undefined; step = state.todo.shift()) {
		state.done.push(step);
		saveRebase(repository, state);
		const gone = ['message', 'author-script', 'stopped-sha', 'amend'];
		forget(repository, ...gone.map((name) => `${directoryOf(state)}/${name}`), 'MERGE_HEAD', 'REBASE_HEAD');
		if (!state.quiet) report(git, state, step);
		if (step.action === 'break') {
			const head = repository.head() ?? '';
			if (!state.verbose) clearLine(git);
			git.err(`Stopped at ${repository.objects.abbreviate(head)} (${subjectOf(repository.commit(head).message)})\n`);
			return 0;
		}
		const code = takeStep(git, state, step);
		if (code !== null) return code;
	}
	return finish(git, state);
}

function report(git: Invocation, state: RebaseState, step: RebaseStep): void {
	if (state.isApply) git.out(`Applying: ${subjectOf(git.repository.commit(step.id).message)}\n`);
	else {
		const count = state.done.length + state.todo.length;
		git.err(`Rebasing (${state.done.length}/${count})${state.verbose ? '\n' : '\r'}`);
	}
}

/** Runs one step. Returns the exit code if the rebase stops; null if it continues. */
function takeStep(git: Invocation, state: RebaseState, step: RebaseStep): number | null {
	const { repository } = git;
	const { action } = step;
	if (action === 'noop' || action === 'drop') return null;
	if (action === 'exec') {
		if (!state.verbose) clearLine(git);
		const code = runCommand(git, step.text);
		if (code !== 0 && state.reschedules) reschedule(git, state, step);
		if (code === 0) state.todo = storedSteps(repository);
		return code === 0 ? null : 1;
	}
	let outcome: StepOutcome = 'done';
	try {
		if (action === 'label') labelHead(git, step.text);
		else if (action === 'reset') resetToLabel(git, state, step.text);
		else if (action === 'update-ref') placeRef(git, step.text);
		else if (action === 'merge') outcome = mergeLabels(git, state, step);
		else outcome = pickCommit(git, state, step);
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		git.err(`${error.message}\n`);
		outcome = 'failed';
	}
	repository.index.save();
	if (outcome === 'failed') {
		if (state.isApply) return 1;
		reschedule(git, state, step);
		if (step.id !== '') waiting(git, state, step);
		return 1;
	}
	if (outcome === 'stopped') return 1;
	if (action === 'edit') return stopForEdit(git, state, step);
	if (step.id !== '' && !state.isApply) rewritten(repository, step.id, isMelting(state.todo[0]));
	const hasEditor = action === 'reword' || isMelting(step) || action === 'merge';
	if (hasEditor && !state.isApply) state.todo = storedSteps(repository);
	return null;
}

function stopForEdit(git: Invocation, state: RebaseState, step: RebaseStep): number {
	const { repository } = git;
	if (!state.verbose) clearLine(git);
	git.err(`Stopped at ${repository.objects.abbreviate(step.id)}...  ${step.text}\n`);
	noteStop(git, state, step);
	noteRebase(repository, state, 'amend', `${repository.head() ?? ''}\n`);
	git.err(AMEND_ADVICE);
	return 0;
}

/** Puts a step back on the list, to be retried. */
function reschedule(git: Invocation, state: RebaseState, step: RebaseStep): void {
	const { repository } = git;
	const line = stepLines(repository, [step]);
	state.todo.unshift(step);
	// As in git, a merge to be retried stays on the list of finished steps.
	if (step.action !== 'merge') state.done.pop();
	saveRebase(repository, state);
	git.err(
		hints(
			`Could not execute the todo command\n\n    ${line}\n` +
				'It has been rescheduled; To edit the command before continuing, please\nedit the todo list first:\n\n' +
				'    git rebase --edit-todo\n    git rebase --continue\n'
		)
	);
}

/** `exec`: runs a command, and stops the rebase if it fails. Returns the exit code. */
function runCommand(git: Invocation, command: string): number {
	const { repository } = git;
	git.err(`Executing: ${command}\n`);
	const code = runChild(git, command, [], { cwd: repository.root });
	repository.reopenIndex();
	const isDirty = reportChanges(git);
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
	return code === 127 ? 1 : code;
}

/** Reports uncommitted changes. Returns whether there are any. */
export function reportChanges(git: Invocation, advice = ''): boolean {
	const faults = uncommittedFaults(git.repository, 'cannot rebase');
	for (const fault of faults) git.err(`error: ${fault}\n`);
	if (faults.length > 0 && advice !== '') git.err(`error: ${advice}\n`);
	return faults.length > 0;
}

/** Moves the branch to the result, and cleans up. */
function finish(git: Invocation, state: RebaseState): number {
	const { repository } = git;
	const { refs } = repository;
	const head = repository.head() ?? state.original;
	if (state.branch !== null) {
		const reason = reflogAction(repository, 'finish');
		refs.update(state.branch, head, `${reason}: ${state.branch} onto ${state.onto}`);
		refs.moveHead({ branch: state.branch.replace('refs/heads/', '') }, `${reason}: returning to ${state.branch}`);
	}
	if (state.verbose && !state.isApply)
		git.out(mergeSummary(git, repository.commit(state.original).tree, repository.commit(head).tree));
	if (!state.isApply) rewrittenAll(git);
	const stash = repository.note(`${directoryOf(state)}/autostash`)?.trim() ?? null;
	const moving = movingRefs(repository);
	if (state.isApply) {
		endRebase(repository);
		applyAutostash(git, stash);
		return 0;
	}
	applyAutostash(git, stash);
	if (!state.quiet) {
		if (!state.verbose) clearLine(git);
		git.err(`Successfully rebased and updated ${state.branch ?? 'detached HEAD'}.\n`);
	}
	endRebase(repository);
	return moveRefs(git, moving, state.quiet);
}

/** Restores the state before the rebase. */
export function abortRebase(git: Invocation, state: RebaseState): number {
	const { repository } = git;
	const { refs } = repository;
	forgetConflicts(repository);
	switchTree(repository, headTree(repository), repository.commit(state.original).tree, { force: true });
	repository.index.save();
	const name = state.branch?.replace('refs/heads/', '');
	const reason = `${reflogAction(repository, 'abort')}: returning to ${state.branch ?? state.original}`;
	if (state.branch !== null && refs.resolve(state.branch) !== state.original)
		refs.update(state.branch, state.original, reason);
	refs.moveHead(name === undefined ? { id: state.original } : { branch: name }, reason);
	giveUp(git, state);
	return 0;
}

/** Stores an edited list. */
export function storeSteps(git: Invocation, steps: readonly RebaseStep[]): void {
	const { repository } = git;
	const directory = rebaseDirectory(repository);
	if (directory === null) return;
	repository.files.writeFile(`${repository.gitDir}/${directory}/git-rebase-todo`, encode(stepLines(repository, steps)));
	const done = (repository.note(`${directory}/done`) ?? '').split('\n').filter((line) => /^[^#]/.test(line)).length;
	repository.files.writeFile(`${repository.gitDir}/${directory}/end`, encode(`${done + steps.length}\n`));
}
