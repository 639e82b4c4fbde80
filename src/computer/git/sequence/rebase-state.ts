import { encode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { shellWords } from '../shell-words.ts';
import type { Signature } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { authorScript, readAuthorScript } from './author-script.ts';
import { pickStep, readSteps, stepLines, type RebaseStep } from './rebase-steps.ts';
import { forget } from './replay.ts';

/** Treatment of commits that become empty. */
export type EmptyCommits = 'drop' | 'keep' | 'ask';

/** Rebase in progress, as git stores it in `.git/rebase-merge`, or with `--apply` in `.git/rebase-apply`. */
export interface RebaseState {
	/** Works as `git am` would with the commits as mails: it stores other files and says other things. */
	isApply: boolean;
	/** `refs/heads/topic`, or null when HEAD was detached. */
	branch: string | null;
	/** Original commit of the branch. */
	original: string;
	onto: string;
	/** Steps done, the one being worked on last. */
	done: RebaseStep[];
	todo: RebaseStep[];
	quiet: boolean;
	/** Shows what changed at the end. */
	verbose: boolean;
	/** Resolutions that are known are staged; as settings say, unless given. */
	autoupdate?: boolean | undefined;
	/** Options of the strategy, as given. */
	strategyOptions: readonly string[];
	/** Each commit is signed off. */
	signsOff: boolean;
	empty: EmptyCommits;
	/** Commit without files and parents that stands for the beginning, with `--root`. */
	start?: string | undefined;
	/** Even commits that are in place already are made again. */
	isForced: boolean;
	/** Committers get the date of the author. */
	keepsDate: boolean;
	/** Authors get the date of now. */
	resetsDate: boolean;
	/** A command that fails is run once more when the user continues. */
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

/** Writes a file of the rebase. */
export function noteRebase(repository: Repository, state: Pick<RebaseState, 'isApply'>, name: string, text: string) {
	const { files, gitDir } = repository;
	files.mkdir(`${gitDir}/${directoryOf(state)}`, { recursive: true });
	files.writeFile(`${gitDir}/${directoryOf(state)}/${name}`, encode(text));
}

/** Writes what does not change while the rebase goes on. */
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

/** Writes how far it is. */
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
 * Steps left to do, as the file has them.
 *
 * @throws GitError where lines of the file cannot be understood
 */
export function storedSteps(repository: Repository): RebaseStep[] {
	const text = repository.note(`${DIRECTORIES.merge}/git-rebase-todo`) ?? '';
	const { steps, faults } = readSteps(repository, text, repository.note(`${DIRECTORIES.merge}/done`) !== null);
	if (faults.length === 0) return steps;
	throw new GitError(`${faults.join('\n')}\nerror: please fix this using 'git rebase --edit-todo'.`, 1);
}

/** @throws GitError when no rebase is under way, or one this cannot go on with */
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
	// A list that is edited now may have faults; who needs its steps asks for them.
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

/** Notes who wrote the commit that a step is at. */
export const noteAuthor = (repository: Repository, state: RebaseState, author: Signature): void =>
	noteRebase(repository, state, 'author-script', authorScript(author));

/** Author of the commit that the rebase stopped at, as the user may have changed it; null where that is not known. */
export function notedAuthor(repository: Repository, state: RebaseState): Signature | null {
	const text = repository.note(`${directoryOf(state)}/author-script`);
	return text === null ? null : readAuthorScript(text);
}

/** Takes away what the rebase stored, with the labels it gave. */
export function endRebase(repository: Repository): void {
	for (const name of (repository.note(`${DIRECTORIES.merge}/refs-to-delete`) ?? '').split('\n'))
		if (name.startsWith('refs/rewritten/')) repository.refs.delete(name);
	const directory = rebaseDirectory(repository);
	if (directory !== null) forget(repository, directory);
	forget(repository, 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD', 'MERGE_MSG', 'AUTO_MERGE', 'SQUASH_MSG');
}

const autoupdateOf = (text: string | null): boolean | undefined =>
	text === null ? undefined : !text.startsWith('--no-');
