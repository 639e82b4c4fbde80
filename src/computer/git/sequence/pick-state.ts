import { encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { subjectOf } from '../objects/commit.ts';
import { resolveCommit } from '../refs/revision.ts';
import { forget } from './replay.ts';

export type PickAction = 'cherry-pick' | 'revert';

/** Options for all commits of one `cherry-pick` or `revert`. */
export interface PickHow {
	action: PickAction;
	/** Parent to compare a merge with, from 1; 0 if not given. */
	mainline: number;
	/** Changes only the index and working tree. */
	noCommit: boolean;
	/** `-x`: names the original commit in the message. */
	origin: boolean;
	signoff: boolean;
	allowEmpty: boolean;
	/** Fast-forwards if the commit's parent is HEAD. */
	fastForwards?: boolean;
	/** Lets the user edit the message. */
	edits?: boolean;
	/** Stages paths resolved by rerere; by default as configured. */
	autoupdate?: boolean | undefined;
	/** Strategy options as given. */
	strategyOptions?: readonly string[] | undefined;
	/** `revert --reference`: names the commit by its subject and date, for human readers. */
	refers?: boolean;
	/** Cleanup mode of the message; with `scissors`, a scissors line precedes the list of conflicts. */
	cleanup?: string | undefined;
}

/** Remaining picks of a series, as git stores them in `.git/sequencer`. */
export interface PickState {
	/** HEAD before the first pick; '' before the first commit. */
	head: string;
	/** Current commit, then the remaining ones. */
	todo: string[];
}

const HEADS: Record<PickAction, string> = { 'cherry-pick': 'CHERRY_PICK_HEAD', revert: 'REVERT_HEAD' };

export const pickHead = (action: PickAction): string => HEADS[action];

/** Pick in progress, or null. */
export function pickInProgress(repository: Repository): PickAction | null {
	if (repository.note('CHERRY_PICK_HEAD') !== null) return 'cherry-pick';
	if (repository.note('REVERT_HEAD') !== null) return 'revert';
	const todo = repository.note('sequencer/todo');
	return todo === null ? null : todo.startsWith('revert') ? 'revert' : 'cherry-pick';
}

export function savePicks(repository: Repository, how: PickHow, state: PickState): void {
	const { files, gitDir } = repository;
	const word = how.action === 'revert' ? 'revert' : 'pick';
	const line = (id: string) =>
		`${word} ${repository.objects.abbreviate(id)} ${subjectOf(repository.commit(id).message)}\n`;
	files.mkdir(`${gitDir}/sequencer`, { recursive: true });
	const write = (name: string, text: string) => files.writeFile(`${gitDir}/sequencer/${name}`, encode(text));
	write('head', `${state.head}\n`);
	write('todo', state.todo.map(line).join(''));
	noteSafety(repository);
	const flags = [
		...(how.mainline > 0 ? [`\tmainline = ${how.mainline}\n`] : []),
		...(how.origin ? ['\trecord-origin = true\n'] : []),
		...(how.signoff ? ['\tsignoff = true\n'] : []),
		...(how.allowEmpty ? ['\tallow-empty = true\n'] : []),
		...(how.edits ? ['\tedit = true\n'] : []),
		...(how.fastForwards ? ['\tallow-ff = true\n'] : []),
		...(how.autoupdate === undefined ? [] : [`\tallow-rerere-auto = ${how.autoupdate}\n`]),
		...(how.strategyOptions ?? []).map((option) => `\tstrategy-option = ${option}\n`)
	];
	if (flags.length > 0) write('opts', `[options]\n${flags.join('')}`);
}

/** Records the position of HEAD, so that `--abort` can detect whether it was moved. */
export function noteSafety(repository: Repository): void {
	const { files, gitDir } = repository;
	if (files.statOrNull(`${gitDir}/sequencer`) === null) return;
	files.writeFile(`${gitDir}/sequencer/abort-safety`, encode(`${repository.head() ?? ''}\n`));
}

/** Returns false if HEAD was moved since the last pick. */
export function isWhereLeft(repository: Repository): boolean {
	const noted = repository.note('sequencer/abort-safety')?.trim();
	return noted === undefined || noted === (repository.head() ?? '');
}

/** Loads the remaining picks; null if there are none. @throws GitError for an invalid line in the todo list */
export function loadPicks(repository: Repository, action: PickAction): { how: PickHow; state: PickState } | null {
	const text = repository.note('sequencer/todo');
	const head = repository.note('sequencer/head')?.trim();
	if (text === null || head === undefined) return null;
	const todo = text
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('#'))
		.map((line) => {
			const id = /^\s*(?:pick|p|revert)\s+([0-9a-f]+)/.exec(line)?.[1];
			if (id === undefined) throw fatal(`'.git/sequencer/todo' has a line that is not understood: ${line}`);
			return resolveCommit(repository, id);
		});
	const flags = repository.note('sequencer/opts') ?? '';
	const flag = (name: string) => flags.includes(`${name} = true`);
	return {
		how: {
			action,
			mainline: Number(/mainline = (\d+)/.exec(flags)?.[1] ?? 0),
			noCommit: false,
			origin: flag('record-origin'),
			signoff: flag('signoff'),
			allowEmpty: flag('allow-empty'),
			edits: flag('edit'),
			fastForwards: flag('allow-ff'),
			autoupdate: flag('allow-rerere-auto') ? true : flags.includes('allow-rerere-auto = false') ? false : undefined,
			strategyOptions: [...flags.matchAll(/strategy-option = (.*)/g)].map(([, option = '']) => option)
		},
		state: { head, todo }
	};
}

export const endPicks = (repository: Repository): void =>
	forget(repository, 'sequencer', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'MERGE_MSG', 'AUTO_MERGE');

/** Ends a merge, pick or revert after HEAD was moved; the remaining picks of a series are kept. */
export function forgetUnderWay(repository: Repository): void {
	const isPicking = ['CHERRY_PICK_HEAD', 'REVERT_HEAD'].some((name) => repository.note(name) !== null);
	const left = (repository.note('sequencer/todo') ?? '').split('\n').filter((line) => /^[^#]/.test(line));
	forget(repository, 'MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'MERGE_RR', 'SQUASH_MSG', 'AUTO_MERGE');
	forget(repository, 'CHERRY_PICK_HEAD', 'REVERT_HEAD');
	if (isPicking && left.length < 2) forget(repository, 'sequencer');
}

/** Message of `git status` about a pick or a revert; '' if there is none. */
export function pickStatus(repository: Repository, conflicts: boolean): string {
	const action = pickInProgress(repository);
	if (action === null) return '';
	const id = repository.note(pickHead(action))?.trim();
	const what = action === 'revert' ? 'reverting' : 'cherry-picking';
	const name = action === 'revert' ? 'Revert' : 'Cherry-pick';
	const first =
		id === undefined
			? `${name} currently in progress.\n`
			: `You are currently ${what} commit ${repository.objects.abbreviate(id)}.\n`;
	const next = conflicts
		? `  (fix conflicts and run "git ${action} --continue")\n`
		: id === undefined
			? `  (run "git ${action} --continue" to continue)\n`
			: `  (all conflicts fixed: run "git ${action} --continue")\n`;
	const cancel = action === 'revert' ? 'revert operation' : 'cherry-pick operation';
	return `${first}${next}  (use "git ${action} --skip" to skip this patch)\n  (use "git ${action} --abort" to cancel the ${cancel})\n\n`;
}
