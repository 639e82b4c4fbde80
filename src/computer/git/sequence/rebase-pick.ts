import { rememberResolutions } from '../rerere/rerere.ts';
import { compareTrees } from '../diff/change.ts';
import { headTree, treeToIndex } from '../diff/sides.ts';
import { binaryBytes } from '../diff/lines.ts';
import { NO_DIFF } from '../diff/format.ts';
import { printChanges } from '../diff/print.ts';
import { GitError } from '../errors.ts';
import { signedOff } from '../history/trailers.ts';
import type { Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { longStatus } from '../worktree/long-status.ts';
import { computeStatus } from '../worktree/status.ts';
import { EMPTY_AMEND, emptyPick } from '../commands/commit-advice.ts';
import { collectMessage, endMelting, messageOfAll, messageThatStays } from './squash-message.ts';
import { commitStep, reflogAction } from './rebase-commit.ts';
import { directoryOf, noteAuthor, noteRebase, type RebaseState } from './rebase-state.ts';
import { isMelting, type RebaseStep } from './rebase-steps.ts';
import { noteConflicts, replayChange } from './replay.ts';
import { encode } from '../bytes.ts';

/** Outcome of a step: it is done, waits for the user, or could not start and must be retried. */
export type StepOutcome = 'done' | 'stopped' | 'failed';

export const RESOLVE_ADVICE =
	'Resolve all conflicts manually, mark them as resolved with\n' +
	'"git add/rm <conflicted_files>", then run "git rebase --continue".\n' +
	'You can instead skip this commit: run "git rebase --skip".\n' +
	'To abort and get back to the state before "git rebase", run "git rebase --abort".\n';

/** Formats text as git hints. */
export const hints = (text: string): string => text.replace(/^(?=.)/gm, 'hint: ').replace(/^\n/gm, 'hint: \n');

/** Applies one commit on top of HEAD. @throws GitError if it cannot even be started */
export function pickCommit(git: Invocation, state: RebaseState, step: RebaseStep): StepOutcome {
	const { repository } = git;
	const { id, action } = step;
	const commit = repository.commit(id);
	const [head, parent] = [repository.head(), commit.parents[0] ?? null];
	const isStart = head !== null && head === state.start;
	if (isStart && isMelting(step)) throw new GitError('error: cannot fixup root commit', 1);
	if (!state.isApply) requireClean(repository, isStart);
	if (commit.parents.length > 1) throw new GitError(`error: commit ${id} is a merge but no -m option was given.`, 1);
	const isFast = !state.isForced && !state.signsOff && !state.keepsDate && !state.resetsDate && !isMelting(step);
	noteAuthor(repository, state, commit.author);
	if (isFast && !state.isApply && (parent === head || (parent === null && isStart))) {
		switchTree(repository, headTree(repository), commit.tree);
		repository.index.save();
		repository.refs.update('HEAD', id, `${reflogAction(repository, action)}: fast-forward`);
		return action === 'reword' ? reword(git, state, step) : 'done';
	}
	if (isMelting(step)) collectMessage(repository, step, state.signsOff);
	const { isClean, conflicts } = replayChange(
		git,
		isStart ? EMPTY_TREE : headTree(repository),
		{ id, parent, backwards: false, strategyOptions: state.strategyOptions, isMail: state.isApply },
		!state.isApply
	);
	const message = state.signsOff && !isMelting(step) ? signedOff(repository, commit.message) : commit.message;
	if (!isClean) {
		noteConflicts(repository, message, conflicts);
		rememberResolutions(git, state.autoupdate);
		if (state.isApply) return failedMail(git, state, step);
		const short = repository.objects.abbreviate(id);
		git.err(`error: could not apply ${short}... ${subjectOf(commit.message)}\n${hints(RESOLVE_ADVICE)}`);
		return waiting(git, state, step);
	}
	return isMelting(step) ? melt(git, state, step) : make(git, state, step, message);
}

/** @throws GitError if changes are staged that the commit would include */
function requireClean(repository: Repository, isStart: boolean): void {
	if (treeToIndex(repository, isStart ? EMPTY_TREE : headTree(repository)).length === 0) return;
	const hint = repository.config.flag('advice.commitbeforemerge', true)
		? '\nhint: commit your changes or stash them to proceed.'
		: '';
	throw new GitError(`error: your local changes would be overwritten by rebase.${hint}`, 1);
}

/** Commits the applied change. */
function make(git: Invocation, state: RebaseState, step: RebaseStep, message: string): StepOutcome {
	const { repository } = git;
	const { id, action } = step;
	const { tree, parents, author } = repository.commit(id);
	const isRoot = repository.head() === state.start;
	const made = repository.index.writeTree((content) => repository.objects.write('tree', content));
	if (made === (isRoot ? EMPTY_TREE : headTree(repository)) && state.empty !== 'keep') {
		const wasEmpty = tree === (parents[0] === undefined ? EMPTY_TREE : repository.commit(parents[0]).tree);
		if (!wasEmpty && state.isApply) {
			git.out('No changes -- Patch already applied.\n');
			return 'done';
		}
		if (!wasEmpty && state.empty === 'drop') {
			git.err(`dropping ${id} ${step.text} -- patch contents already upstream\n`);
			return 'done';
		}
		if (!wasEmpty) return askAboutEmpty(git, state, step, message);
	}
	const name = action === 'reword' || action === 'edit' ? action : 'pick';
	if (commitStep(git, state, { message, author, isRoot, action: name }) === null) return waiting(git, state, step);
	return action === 'reword' ? reword(git, state, step) : 'done';
}

/** Stops so that the user decides about a commit without changes. */
function askAboutEmpty(git: Invocation, state: RebaseState, step: RebaseStep, message: string): StepOutcome {
	const { repository } = git;
	repository.files.writeFile(`${repository.gitDir}/MERGE_MSG`, encode(message));
	repository.refs.note('CHERRY_PICK_HEAD', step.id);
	git.out(longStatus(repository, computeStatus(repository), 'normal', { isCommit: true, closing: '' }));
	git.err(emptyPick(true, false));
	return waiting(git, state, step);
}

/** Lets the user change the message of HEAD. */
export function reword(git: Invocation, state: RebaseState, step: RebaseStep): StepOutcome {
	const { repository } = git;
	const head = repository.head();
	if (head === null) return 'done';
	const { message, author } = repository.commit(head);
	const how = { message, author, amends: true, edits: true, verifies: true, action: 'reword' };
	if (commits(git, () => commitStep(git, state, how))) return 'done';
	return waiting(git, state, step, head);
}

/** Squashes a commit into HEAD. */
function melt(git: Invocation, state: RebaseState, step: RebaseStep): StepOutcome {
	const { repository } = git;
	const { author, parents, tree: before } = repository.commit(repository.head() ?? '');
	const tree = repository.index.writeTree((content) => repository.objects.write('tree', content));
	if (tree !== before && parents[0] !== undefined && repository.commit(parents[0]).tree === tree) {
		git.err(EMPTY_AMEND);
		return waiting(git, state, step);
	}
	const isLast = !isMelting(state.todo[0]);
	const staying = messageThatStays(repository);
	const isEdited = isLast && (staying === null || step.flag === '-c');
	const message = isLast && staying !== null ? staying : messageOfAll(repository);
	const how = { message, author, amends: true, edits: isEdited, action: step.action };
	if (!commits(git, () => commitStep(git, state, how))) return waiting(git, state, step);
	if (isLast) endMelting(repository);
	return 'done';
}

/** Commits; reports a failure and returns false. */
function commits(git: Invocation, commit: () => string | null): boolean {
	try {
		return commit() !== null;
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		git.err(`${error.message}\n`);
		return false;
	}
}

/** Stores the state for `--continue`. @param amended commit to amend; without it, a new one is created */
export function waiting(git: Invocation, state: RebaseState, step: RebaseStep, amended?: string): StepOutcome {
	const { repository } = git;
	const { id } = step;
	noteStop(git, state, step);
	if (isMelting(step)) {
		noteRebase(repository, state, 'amend', `${repository.head() ?? ''}\n`);
		noteRebase(repository, state, 'message', messageOfAll(repository));
		repository.files.writeFile(`${repository.gitDir}/MERGE_MSG`, encode(messageOfAll(repository)));
	}
	if (amended === undefined) git.err(`Could not apply ${repository.objects.abbreviate(id)}... ${step.text}\n`);
	else {
		noteRebase(repository, state, 'amend', `${amended}\n`);
		git.err(AMEND_ADVICE);
	}
	return 'stopped';
}

export const AMEND_ADVICE = `You can amend the commit now, with

  git commit --amend 

Once you are satisfied with your changes, run

  git rebase --continue
`;

/** Records the commit that the rebase stopped at. */
export function noteStop(git: Invocation, state: RebaseState, step: RebaseStep): void {
	const { repository } = git;
	const { tree, parents, message } = repository.commit(step.id);
	const before = parents[0] === undefined ? EMPTY_TREE : repository.commit(parents[0]).tree;
	const changes = compareTrees(repository.objects, before, tree);
	const write = (name: string, text: string) => noteRebase(repository, state, name, text);
	const patch = printChanges(repository, changes, { ...NO_DIFF, patch: true });
	repository.files.writeFile(`${repository.gitDir}/${directoryOf(state)}/patch`, binaryBytes(patch));
	repository.refs.note('REBASE_HEAD', step.id);
	if (state.isApply) {
		write('original-commit', `${step.id}\n`);
		write('final-commit', message);
		return;
	}
	write('stopped-sha', `${step.id}\n`);
	write('message', repository.note('MERGE_MSG') ?? message);
}

/** Reports a conflict as `git am` does. */
function failedMail(git: Invocation, state: RebaseState, step: RebaseStep): StepOutcome {
	noteStop(git, state, step);
	git.err('error: Failed to merge in the changes.\n');
	const number = String(state.done.length).padStart(4, '0');
	if (!state.quiet) git.out(`Patch failed at ${number} ${step.text}\n`);
	git.err("hint: Use 'git am --show-current-patch=diff' to see the failed patch\n");
	git.err(`${RESOLVE_ADVICE}\n`);
	return 'stopped';
}
