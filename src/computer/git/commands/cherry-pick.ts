import { headTree } from '../diff/sides.ts';
import { fatal, GitError } from '../errors.ts';
import { parseRange, walkHistory } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { findRevision, resolveCommit } from '../refs/revision.ts';
import { runPicks } from '../sequence/pick.ts';
import { chosenFavour, chosenStrategy } from '../merge/strategy.ts';
import { endPicks, loadPicks, pickHead, pickInProgress, type PickAction } from '../sequence/pick-state.ts';
import { switchTree } from '../worktree/checkout.ts';
import { commit } from './commit.ts';

export const cherryPick: Command = (git, args) => pick(git, args, 'cherry-pick');
export const revert: Command = (git, args) => pick(git, args, 'revert');

async function pick(git: Invocation, args: string[], action: PickAction): Promise<number> {
	const options = parseOptions(`${action} [--edit] [-n] [-m <parent-number>] [-s] <commit>...`, args, {
		noCommit: '-n --no-commit',
		mainline: '-m --mainline =',
		origin: '-x',
		signoff: '-s --signoff',
		edit: '-e --edit',
		noEdit: '--no-edit',
		allowEmpty: '--allow-empty --keep-redundant-commits',
		fastForward: '--ff',
		strategy: '--strategy =',
		strategyOption: '-X --strategy-option =',
		cleanup: '--cleanup =',
		noSign: '--no-gpg-sign --allow-empty-message --no-rerere-autoupdate',
		proceed: '--continue',
		abort: '--abort',
		skip: '--skip',
		quit: '--quit'
	});
	const { repository } = git;
	if (options.has('proceed') || options.has('skip')) return goOn(git, action, options.has('skip'));
	if (options.has('abort')) return abort(git, action);
	if (options.has('quit')) {
		endPicks(repository);
		return 0;
	}
	if (options.operands.length === 0)
		throw new GitError(`usage: git ${action} [--edit] [-n] [-m <parent-number>] [-s] <commit>...`, 129);
	const todo = named(git, options.operands, action);
	// One commit alone leaves no list behind, so that it can be picked again.
	if (todo.length > 1 && repository.note('sequencer/todo') !== null) {
		const running = pickInProgress(repository) ?? action;
		throw new GitError(
			`error: a ${running} is already in progress\nhint: try "git ${running} (--continue | --skip | --abort | --quit)"\nfatal: ${action} failed`,
			128
		);
	}
	const head = repository.head();
	if (head === null) throw fatal('your current branch does not have any commits yet');
	checkFastForward(options);
	chosenStrategy(options.get('strategy'));
	const how = {
		action,
		mainline: Number(options.get('mainline') ?? 0),
		noCommit: options.has('noCommit'),
		origin: options.has('origin'),
		signoff: options.has('signoff'),
		allowEmpty: options.has('allowEmpty'),
		fastForwards: options.has('fastForward'),
		edits: options.has('edit') && !options.has('noEdit'),
		favour: chosenFavour(options.all('strategyOption'))
	};
	return runPicks(git, how, { head, todo }, todo.length > 1);
}

/** @throws GitError for options that need a new commit beside `--ff` */
function checkFastForward(options: Options<'fastForward' | 'signoff' | 'noCommit' | 'origin' | 'edit'>): void {
	if (!options.has('fastForward')) return;
	const spellings = { signoff: '--signoff', noCommit: '--no-commit', origin: '-x', edit: '--edit' } as const;
	for (const [name, text] of Object.entries(spellings))
		if (options.has(name as keyof typeof spellings)) throw fatal(`cherry-pick: --ff cannot be used with ${text}`);
}

/** Commits in the order of picking: as named, but a range oldest first (`revert`: newest first). */
function named(git: Invocation, operands: string[], action: PickAction): string[] {
	const { repository } = git;
	for (const text of operands) {
		const ends = text.replace(/^\^/, '').split(/\.\.\.?/);
		if (ends.some((end) => end !== '' && findRevision(repository, end) === null)) {
			throw fatal(`bad revision '${text}'`);
		}
	}
	if (!operands.some((text) => text.includes('..') || text.startsWith('^'))) {
		return operands.map((text) => resolveCommit(repository, text));
	}
	const found = [...walkHistory(repository, parseRange(repository, operands))].map(({ id }) => id);
	if (found.length === 0) throw new GitError(`error: empty commit set passed\nfatal: ${action} failed`, 128);
	return action === 'revert' ? found : found.reverse();
}

async function goOn(git: Invocation, action: PickAction, skip: boolean): Promise<number> {
	const { repository } = git;
	const under = pickInProgress(repository);
	if (under !== action) {
		throw new GitError(
			skip
				? `error: no ${action} in progress\nfatal: ${action} failed`
				: `error: no cherry-pick or revert in progress\nfatal: ${action} failed`,
			128
		);
	}
	const saved = loadPicks(repository, action);
	const stopped = repository.note(pickHead(action)) !== null;
	if (skip) {
		switchTree(repository, headTree(repository), headTree(repository), true);
		repository.index.save();
	} else if (stopped) {
		const code = await commit(git, ['--cleanup=strip', '--no-edit']);
		if (code !== 0) return code;
	}
	if (!saved) {
		endPicks(repository);
		return 0;
	}
	const { how, state } = saved;
	for (const name of [pickHead(action), 'MERGE_MSG']) {
		repository.files.remove(`${repository.gitDir}/${name}`, { force: true });
	}
	const todo = state.todo.slice(1);
	if (todo.length === 0) endPicks(repository);
	return runPicks(git, how, { head: state.head, todo }, todo.length > 0);
}

function abort(git: Invocation, action: PickAction): number {
	const { repository } = git;
	if (pickInProgress(repository) !== action) {
		throw new GitError(`error: no cherry-pick or revert in progress\nfatal: ${action} failed`, 128);
	}
	const start = loadPicks(repository, action)?.state.head ?? repository.head()!;
	switchTree(repository, headTree(repository), repository.commit(start).tree, true);
	if (start !== repository.head()) repository.refs.update('HEAD', start, `reset: moving to ${start}`);
	repository.index.save();
	endPicks(repository);
	return 0;
}
