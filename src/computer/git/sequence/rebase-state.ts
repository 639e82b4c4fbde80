import { decode, encode } from '../bytes.ts';
import type { Repository } from '../repository.ts';
import { fatal } from '../errors.ts';
import type { Favour } from '../merge/strategy.ts';
import { readSteps, stepLines, type RebaseStep } from './rebase-steps.ts';
import { forget } from './replay.ts';

/** Rebase in progress, as git stores it in `.git/rebase-merge`. */
export interface RebaseState {
	/** `refs/heads/topic`, or null when HEAD was detached. */
	branch: string | null;
	/** Original commit of the branch. */
	original: string;
	onto: string;
	/** Steps done, the one being worked on last. */
	done: RebaseStep[];
	todo: RebaseStep[];
	/** HEAD takes the staged changes when the user continues: the rebase stopped for that. */
	amends?: boolean;
	quiet: boolean;
	/** Stash to apply at the end. */
	autostash: string | null;
	/** The side taken where both changed the same lines. */
	favour?: Favour | undefined;
	/** Each commit is signed off. */
	signsOff?: boolean;
	/** Commits that become empty stay. */
	keepsEmptied?: boolean;
	/** Commit without files and parents that stands for the beginning, with `--root`. */
	start?: string | undefined;
	/** Even commits that are in place already are made again. */
	isForced?: boolean;
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
	write('done', stepLines(repository, state.done));
	write('git-rebase-todo', stepLines(repository, state.todo));
	write('msgnum', `${state.done.length}\n`);
	write('end', `${state.done.length + state.todo.length}\n`);
	const stopped = state.done.at(-1);
	if (stopped?.id) write('stopped-sha', `${stopped.id}\n`);
	if (state.amends) write('amend', `${repository.head()}\n`);
	else forget(repository, `${DIRECTORY}/amend`);
	if (state.quiet) write('quiet', '');
	if (state.autostash !== null) write('autostash', `${state.autostash}\n`);
	if (state.favour) write('strategy_opts', ` '--${state.favour}'\n`);
	if (state.start !== undefined) write('squash-onto', `${state.start}\n`);
	if (state.signsOff) write('signoff', '--signoff\n');
	if (state.keepsEmptied) write('keep_redundant_commits', '');
}

/** @throws GitError when no rebase is under way, or one this cannot go on with */
export function loadRebase(repository: Repository): RebaseState {
	const note = (name: string) => repository.note(`${DIRECTORY}/${name}`);
	const required = (name: string): string => {
		const text = note(name)?.trim();
		if (text === undefined) throw fatal('No rebase in progress?');
		return text;
	};
	const steps = (name: string) => readSteps(repository, note(name) ?? '');
	const name = required('head-name');
	return {
		branch: name === 'detached HEAD' ? null : name,
		original: required('orig-head'),
		onto: required('onto'),
		done: steps('done'),
		todo: steps('git-rebase-todo'),
		amends: note('amend') !== null,
		quiet: note('quiet') !== null,
		autostash: note('autostash')?.trim() ?? null,
		favour: /--(ours|theirs)/.exec(note('strategy_opts') ?? '')?.[1] as Favour | undefined,
		start: note('squash-onto')?.trim(),
		signsOff: note('signoff') !== null,
		keepsEmptied: note('keep_redundant_commits') !== null
	};
}

export const endRebase = (repository: Repository): void =>
	forget(repository, DIRECTORY, 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'MERGE_MSG', 'AUTO_MERGE');

/** Message of `git status` about a rebase; '' if there is none. */
export function rebaseStatus(repository: Repository, conflicts: boolean): string {
	if (!rebaseInProgress(repository)) return '';
	const state = loadRebase(repository);
	const short = (id: string) => repository.objects.abbreviate(id);
	const line = (step: RebaseStep) => `   ${stepLines(repository, [step], true)}`;
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
	if (!conflicts && repository.note('CHERRY_PICK_HEAD') === null) {
		const on = name === undefined ? '' : ` branch '${name}' on '${onto}'`;
		return (
			`${text}You are currently editing a commit while rebasing${on}.\n` +
			'  (use "git commit --amend" to amend the current commit)\n' +
			'  (use "git rebase --continue" once you are satisfied with your changes)\n\n'
		);
	}
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
