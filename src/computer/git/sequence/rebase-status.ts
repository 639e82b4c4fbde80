import type { Repository } from '../repository.ts';
import { loadRebase, rebaseDirectory, type RebaseState } from './rebase-state.ts';
import { stepLines, type RebaseStep } from './rebase-steps.ts';

/** Message of `git status` about a rebase; '' if there is none. @param isDirty whether files were changed */
export function rebaseStatus(repository: Repository, conflicts: boolean, isDirty: boolean): string {
	const directory = rebaseDirectory(repository);
	if (directory === null) return '';
	const onto = repository.note(`${directory}/onto`)?.trim();
	if (onto === undefined) return '';
	const state = loadRebase(repository);
	const short = repository.objects.abbreviate(onto);
	const isInteractive = repository.note(`${directory}/interactive`) !== null;
	const list = isInteractive ? lists(repository, state) : '';
	const title = isInteractive
		? `interactive rebase in progress; onto ${short}\n`
		: `rebase in progress; onto ${short}\n`;
	return `${title}${list}${doing(repository, state, { short, conflicts, isInteractive, isDirty })}\n`;
}

/** Last steps done, and next steps. */
function lists(repository: Repository, { done, todo }: RebaseState): string {
	const line = (step: RebaseStep) => `   ${stepLines(repository, [step], { shortIds: true })}`;
	const [one, many] = ['command', 'commands'];
	let text = 'No commands done.\n';
	if (done.length > 0) {
		const words = done.length === 1 ? one : many;
		text = `Last ${words} done (${done.length} ${words} done):\n${done.slice(-2).map(line).join('')}`;
		if (done.length > 2) text += '  (see more in file .git/rebase-merge/done)\n';
	}
	if (todo.length === 0) return `${text}No commands remaining.\n`;
	const words = todo.length === 1 ? one : many;
	return (
		`${text}Next ${words} to do (${todo.length} remaining ${words}):\n${todo.slice(0, 2).map(line).join('')}` +
		'  (use "git rebase --edit-todo" to view and edit)\n'
	);
}

function doing(
	repository: Repository,
	state: RebaseState,
	how: { short: string; conflicts: boolean; isInteractive: boolean; isDirty: boolean }
): string {
	const { short, conflicts, isInteractive, isDirty } = how;
	const name = state.branch?.replace('refs/heads/', '');
	const rebasing = `You are currently rebasing${name === undefined ? '' : ` branch '${name}' on '${short}'`}.\n`;
	if (conflicts)
		return (
			`${rebasing}  (fix conflicts and then run "git rebase --continue")\n` +
			'  (use "git rebase --skip" to skip this patch)\n' +
			'  (use "git rebase --abort" to check out the original branch)\n'
		);
	if (!isInteractive || repository.note('MERGE_MSG') !== null)
		return `${rebasing}  (all conflicts fixed: run "git rebase --continue")\n`;
	const during = name === undefined ? 'during a rebase' : `while rebasing branch '${name}' on '${short}'`;
	if (isDirty && isSplitting(repository))
		return (
			`You are currently splitting a commit ${during}.\n` +
			'  (Once your working directory is clean, run "git rebase --continue")\n'
		);
	return (
		`You are currently editing a commit ${during}.\n  (use "git commit --amend" to amend the current commit)\n` +
		'  (use "git rebase --continue" once you are satisfied with your changes)\n'
	);
}

/** Returns whether HEAD was moved since a stop for editing, so that the user is splitting the commit. */
function isSplitting(repository: Repository): boolean {
	const line = (name: string) => repository.note(name)?.trim();
	const [amend, original, start] = [line('rebase-merge/amend'), line('rebase-merge/orig-head'), line('ORIG_HEAD')];
	if (amend === undefined || original === undefined || start === undefined) return false;
	return amend === original ? repository.head() !== amend : start !== original;
}

/** Message of `git status` about `git am`; '' if none is in progress. */
export function amStatus(repository: Repository): string {
	if (repository.note('rebase-apply/applying') === null) return '';
	const isEmpty = repository.note('rebase-apply/patch') === '';
	return (
		`You are in the middle of an am session.\n${isEmpty ? 'The current patch is empty.\n' : '  (fix conflicts and then run "git am --continue")\n'}` +
		`  (use "git am --skip" to skip this patch)\n${isEmpty ? '  (use "git am --allow-empty" to record this patch as an empty commit)\n' : ''}` +
		'  (use "git am --abort" to restore the original branch)\n\n'
	);
}
