import { encode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { shellWords } from '../shell-words.ts';
import type { Signature } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { authorScript, readAuthorScript } from './author-script.ts';
import { pickStep, readSteps, stepLines, type RebaseStep } from './rebase-steps.ts';
import { forget } from './replay.ts';

/** Handling of commits that become empty. */
export type EmptyCommits = 'drop' | 'keep' | 'ask';

/** Rebase in progress, as git stores it in `.git/rebase-merge`, or with `--apply` in `.git/rebase-apply`. */
export interface RebaseState {
	/** Works like `git am` with the commits as mails, with other state files and messages. */
	isApply: boolean;
	/** `refs/heads/topic`, or null if HEAD was detached. */
	branch: string | null;
	/** Original commit of the branch. */
	original: string;
	onto: string;
	/** Steps done, including the current one at the end. */
	done: RebaseStep[];
	todo: RebaseStep[];
	quiet: boolean;
	/** Shows a summary of the changes at the end. */
	verbose: boolean;
	/** Stages paths resolved by rerere; by default as configured. */
	autoupdate?: boolean | undefined;
	/** Strategy options as given. */
	strategyOptions: readonly string[];
	/** Signs off each commit. */
	signsOff: boolean;
	empty: EmptyCommits;
	/** Empty root commit that serves as the base with `--root`. */
	start?: string | undefined;
	/** Recreates even commits that could be fast-forwarded. */
	isForced: boolean;
	/** Uses the author date as committer date. */
	keepsDate: boolean;
	/** Uses the current date as author date. */
	resetsDate: boolean;
	/** Reschedules a failed command, so that `--continue` runs it again. */
	reschedules: boolean;
}

const DIRECTORIES = { merge: 'rebase-merge', apply: 'rebase-apply' };

export const directoryOf = ({ isApply }: Pick<RebaseState, 'isApply'>): string =>
	isApply ? DIRECTORIES.apply : DIRECTORIES.merge;

/** Directory of a rebase in progress, below `.git`; null if there is none. */
export function rebaseDirectory({ files, gitDir }: Repository): string | null {
	if (files.statOrNull(`${gitDir}/${DIRECTORIES.merge}`) !== null) return DIRECTORIES.merge;
	const isThere = files.statOrNull(`${gitDir}/${DIRECTORIES.apply}`) !== null;
	return isThere && files.statOrNull(`${gitDir}/${DIRECTORIES.apply}/applying`) === null ? DIRECTORIES.apply : null;
}

/** Writes a state file of the rebase. */
export function noteRebase(repository: Repository, state: Pick<RebaseState, 'isApply'>, name: string, text: string) {
	const { files, gitDir } = repository;
	files.mkdir(`${gitDir}/${directoryOf(state)}`, { recursive: true });
	files.writeFile(`${gitDir}/${directoryOf(state)}/${name}`, encode(text));
}

/** Writes the state that does not change during the rebase. */
export function beginRebase(repository: Repository, state: RebaseState, isInteractive: boolean): void {
	const write = (name: string, text: string) => noteRebase(repository, state, name, text);
	write('head-name', `${state.branch ?? 'detached HEAD'}\n`);
	write('orig-head', `${state.original}\n`);
	write('onto', `${state.onto}\n`);
	if (state.autoupdate !== undefined)
		write('allow_rerere_autoupdate', `--${state.autoupdate ? '' : 'no-'}rerere-autoupdate\n`);
	if (state.isApply) {
		const truth = (is: boolean) => (is ? 't\n' : 'f\n');
		const flags = { threeway: true, quiet: state.quiet, sign: state.signsOff, utf8: true };
		for (const [name, is] of Object.entries(flags)) write(name, truth(is));
		for (const name of ['rebasing', 'apply-opt', 'keep', 'messageid', 'scissors']) write(name, '');
		return;
	}
	const notes: [isSet: boolean, name: string, text: string][] = [
		[isInteractive, 'interactive', ''],
		[state.quiet, 'quiet', ''],
		[state.verbose, 'verbose', ''],
		[state.strategyOptions.length > 0, 'strategy', 'ort\n'],
		[
			state.strategyOptions.length > 0,
			'strategy_opts',
			`${state.strategyOptions.map((one) => ` '--${one}'`).join('')}\n`
		],
		[state.start !== undefined, 'squash-onto', `${state.start}\n`],
		[state.signsOff, 'signoff', '--signoff\n'],
		[state.empty === 'drop', 'drop_redundant_commits', ''],
		[state.empty === 'keep', 'keep_redundant_commits', ''],
		[state.keepsDate, 'cdate_is_adate', ''],
		[state.resetsDate, 'ignore_date', ''],
		[state.reschedules, 'reschedule-failed-exec', ''],
		[!state.reschedules, 'no-reschedule-failed-exec', '']
	];
	for (const [isSet, name, text] of notes) if (isSet) write(name, text);
}

/** Writes the progress of the rebase. */
export function saveRebase(repository: Repository, state: RebaseState): void {
	const write = (name: string, text: string) => noteRebase(repository, state, name, text);
	const count = state.done.length + state.todo.length;
	if (state.isApply) {
		write('next', `${state.done.length}\n`);
		write('last', `${count}\n`);
		for (const [at, { id }] of [...state.done, ...state.todo].entries())
			write(String(at + 1).padStart(4, '0'), `From ${id} Mon Sep 17 00:00:00 2001\n`);
		return;
	}
	write('done', stepLines(repository, state.done));
	write('git-rebase-todo', stepLines(repository, state.todo));
	write('msgnum', `${state.done.length}\n`);
	write('end', `${count}\n`);
}

/**
 * Remaining steps, as stored in the file.
 *
 * @throws GitError if lines of the file cannot be parsed
 */
export function storedSteps(repository: Repository): RebaseStep[] {
	const text = repository.note(`${DIRECTORIES.merge}/git-rebase-todo`) ?? '';
	const { steps, faults } = readSteps(repository, text, repository.note(`${DIRECTORIES.merge}/done`) !== null);
	if (faults.length === 0) return steps;
	throw new GitError(`${faults.join('\n')}\nerror: please fix this using 'git rebase --edit-todo'.`, 1);
}

/** @throws GitError if no rebase is in progress, or one that cannot be continued */
export function loadRebase(repository: Repository): RebaseState {
	const directory = rebaseDirectory(repository);
	if (directory === null) throw fatal('No rebase in progress?');
	const isApply = directory === DIRECTORIES.apply;
	const note = (name: string) => repository.note(`${directory}/${name}`);
	const required = (name: string): string => {
		const text = note(name)?.trim();
		if (text === undefined) throw new GitError(`error: could not read '.git/${directory}/${name}'.`, 1);
		return text;
	};
	const has = (name: string) => note(name) !== null;
	const name = required('head-name');
	const steps = isApply ? mailSteps(repository, note) : listSteps(repository, note);
	return {
		isApply,
		branch: name.startsWith('refs/') ? name : null,
		original: required('orig-head'),
		onto: required('onto'),
		...steps,
		quiet: isApply ? note('quiet')?.trim() === 't' : has('quiet'),
		verbose: has('verbose'),
		autoupdate: autoupdateOf(note('allow_rerere_autoupdate')),
		strategyOptions: shellWords(note('strategy_opts') ?? '').map((word) => word.replace(/^--/, '')),
		start: note('squash-onto')?.trim(),
		signsOff: isApply ? note('sign')?.trim() === 't' : has('signoff'),
		empty: isApply || has('drop_redundant_commits') ? 'drop' : has('keep_redundant_commits') ? 'keep' : 'ask',
		isForced: false,
		keepsDate: has('cdate_is_adate'),
		resetsDate: has('ignore_date'),
		reschedules: has('reschedule-failed-exec')
	};
}

type Note = (name: string) => string | null;

function listSteps(repository: Repository, note: Note): Pick<RebaseState, 'done' | 'todo'> {
	const { steps: done } = readSteps(repository, note('done') ?? '', true);
	// The list may have errors while it is edited; callers that need valid steps use `storedSteps`.
	const { steps: todo } = readSteps(repository, note('git-rebase-todo') ?? '', true);
	return { done, todo };
}

function mailSteps(repository: Repository, note: Note): Pick<RebaseState, 'done' | 'todo'> {
	const steps: RebaseStep[] = [];
	for (let at = 1; at <= Number(note('last') ?? 0); at++) {
		const id = /^From ([0-9a-f]{40})/.exec(note(String(at).padStart(4, '0')) ?? '')?.[1];
		if (id !== undefined) steps.push(pickStep(repository, id));
	}
	const next = Number(note('next') ?? 0);
	return { done: steps.slice(0, next), todo: steps.slice(next) };
}

/** Records the author of the current commit. */
export const noteAuthor = (repository: Repository, state: RebaseState, author: Signature): void =>
	noteRebase(repository, state, 'author-script', authorScript(author));

/** Recorded author of the commit that the rebase stopped at, which the user may have changed; null if unknown. */
export function notedAuthor(repository: Repository, state: RebaseState): Signature | null {
	const text = repository.note(`${directoryOf(state)}/author-script`);
	return text === null ? null : readAuthorScript(text);
}

/** Removes the stored state and the labels of the rebase. */
export function endRebase(repository: Repository): void {
	for (const name of (repository.note(`${DIRECTORIES.merge}/refs-to-delete`) ?? '').split('\n'))
		if (name.startsWith('refs/rewritten/')) repository.refs.delete(name);
	const directory = rebaseDirectory(repository);
	if (directory !== null) forget(repository, directory);
	forget(repository, 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD', 'MERGE_MSG', 'AUTO_MERGE', 'SQUASH_MSG');
}

const autoupdateOf = (text: string | null): boolean | undefined =>
	text === null ? undefined : !text.startsWith('--no-');
