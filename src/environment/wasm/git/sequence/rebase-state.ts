import { decode, encode } from '../bytes.ts';
import { subjectOf } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { resolveCommit } from '../refs/revision.ts';
import { fatal } from '../errors.ts';
import { forget } from './replay.ts';

/** A rebase under way, kept as git keeps it in `.git/rebase-merge`. */
export interface RebaseState {
	/** `refs/heads/topic`, or null when HEAD was detached. */
	branch: string | null;
	/** Where the branch was. */
	original: string;
	onto: string;
	/** Commits done, the one being worked on last. */
	done: string[];
	todo: string[];
	quiet: boolean;
	/** Stash to apply at the end. */
	autostash: string | null;
}

const DIRECTORY = 'rebase-merge';

export const rebaseInProgress = (repository: Repository): boolean =>
	repository.files.statOrNull(`${repository.gitDir}/${DIRECTORY}`) !== null;

export function saveRebase(repository: Repository, state: RebaseState): void {
	const { files, gitDir } = repository;
	files.mkdir(`${gitDir}/${DIRECTORY}`, { recursive: true });
	const write = (name: string, text: string) => files.writeFile(`${gitDir}/${DIRECTORY}/${name}`, encode(text));
	write('head-name', `${state.branch ?? 'detached HEAD'}\n`);
	write('orig-head', `${state.original}\n`);
	write('onto', `${state.onto}\n`);
	write('interactive', '');
	write('done', lines(repository, state.done));
	write('git-rebase-todo', lines(repository, state.todo));
	write('msgnum', `${state.done.length}\n`);
	write('end', `${state.done.length + state.todo.length}\n`);
	const stopped = state.done.at(-1);
	if (stopped !== undefined) write('stopped-sha', `${stopped}\n`);
	if (state.quiet) write('quiet', '');
	if (state.autostash !== null) write('autostash', `${state.autostash}\n`);
}

const lines = (repository: Repository, ids: readonly string[]): string =>
	ids.map((id) => `pick ${id} ${subjectOf(repository.commit(id).message)}\n`).join('');

/** @throws GitError when no rebase is under way, or one this cannot go on with */
export function loadRebase(repository: Repository): RebaseState {
	const note = (name: string) => repository.note(`${DIRECTORY}/${name}`);
	const required = (name: string): string => {
		const text = note(name)?.trim();
		if (text === undefined) throw fatal('No rebase in progress?');
		return text;
	};
	const ids = (name: string): string[] =>
		(note(name) ?? '')
			.split('\n')
			.filter((line) => line !== '' && !line.startsWith('#'))
			.map((line) => {
				const id = /^(?:pick|p) ([0-9a-f]+)/.exec(line)?.[1];
				if (id === undefined) throw fatal(`only 'pick' can be done here, and the rebase has: ${line}`);
				return resolveCommit(repository, id);
			});
	const name = required('head-name');
	return {
		branch: name === 'detached HEAD' ? null : name,
		original: required('orig-head'),
		onto: required('onto'),
		done: ids('done'),
		todo: ids('git-rebase-todo'),
		quiet: note('quiet') !== null,
		autostash: note('autostash')?.trim() ?? null
	};
}

export const endRebase = (repository: Repository): void =>
	forget(repository, DIRECTORY, 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'MERGE_MSG', 'AUTO_MERGE');

/** What `git status` says about a rebase; '' while there is none. */
export function rebaseStatus(repository: Repository, conflicts: boolean): string {
	if (!rebaseInProgress(repository)) return '';
	const state = loadRebase(repository);
	const short = (id: string) => repository.objects.abbreviate(id);
	const line = (id: string) => `   pick ${short(id)} ${subjectOf(repository.commit(id).message)}\n`;
	const onto = short(state.onto);
	let text = `interactive rebase in progress; onto ${onto}\n`;
	const done = state.done.length;
	if (done === 0) text += 'No commands done.\n';
	else {
		text += `Last command${done === 1 ? '' : 's'} done (${done} command${done === 1 ? '' : 's'} done):\n`;
		text += state.done.slice(-2).map(line).join('');
		if (done > 2) text += '  (see more in file .git/rebase-merge/done)\n';
	}
	const left = state.todo.length;
	if (left === 0) text += 'No commands remaining.\n';
	else {
		text += `Next command${left === 1 ? '' : 's'} to do (${left} remaining command${left === 1 ? '' : 's'}):\n`;
		text += state.todo.slice(0, 2).map(line).join('');
		text += '  (use "git rebase --edit-todo" to view and edit)\n';
	}
	const name = state.branch?.replace('refs/heads/', '');
	text += `You are currently rebasing${name === undefined ? '' : ` branch '${name}' on '${onto}'`}.\n`;
	if (conflicts) {
		text +=
			'  (fix conflicts and then run "git rebase --continue")\n  (use "git rebase --skip" to skip this patch)\n' +
			'  (use "git rebase --abort" to check out the original branch)\n\n';
	} else text += '  (all conflicts fixed: run "git rebase --continue")\n\n';
	return text;
}

/** `.git/rebase-merge/message`: what the commit stopped at is to say. */
export function stoppedMessage(repository: Repository): string {
	const bytes = repository.files.statOrNull(`${repository.gitDir}/MERGE_MSG`)
		? repository.files.readFile(`${repository.gitDir}/MERGE_MSG`)
		: new Uint8Array(0);
	return decode(bytes);
}
