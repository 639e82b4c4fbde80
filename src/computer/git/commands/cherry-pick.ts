import { fatal, GitError } from '../errors.ts';
import { parseRange, walkHistory } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { findRevision, resolveCommit } from '../refs/revision.ts';
import { runPicks } from '../sequence/pick.ts';
import { checkedOptions, chosenStrategy } from '../merge/strategy.ts';
import { endPicks, isWhereLeft, loadPicks, pickHead, pickInProgress, type PickAction } from '../sequence/pick-state.ts';
import type { Repository } from '../repository.ts';
import { commit } from './commit.ts';
import { reset } from './reset.ts';

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
		reference: '--reference',
		count: '-<number> --max-count =',
		noSign: '--no-gpg-sign --allow-empty-message',
		autoupdate: '--rerere-autoupdate !',
		proceed: '--continue',
		abort: '--abort',
		skip: '--skip',
		quit: '--quit'
	});
	const { repository } = git;
	if (options.has('reference') && action === 'cherry-pick')
		throw new GitError(
			"error: unknown option `reference'\nusage: git cherry-pick [--edit] [-n] [-m <parent-number>] [-s] <commit>...",
			129
		);
	if (options.has('proceed') || options.has('skip')) return goOn(git, action, options.has('skip'));
	if (options.has('abort')) return abort(git, action);
	if (options.has('quit')) {
		endPicks(repository);
		return 0;
	}
	if (options.operands.length === 0)
		throw new GitError(`usage: git ${action} [--edit] [-n] [-m <parent-number>] [-s] <commit>...`, 129);
	const count = options.get('count');
	const todo = named(git, options.operands, { action, count: count === undefined ? undefined : Number(count) });
	// A single commit writes no list of steps, so it can be picked even if such a list exists.
	if (todo.length > 1 && repository.note('sequencer/todo') !== null) {
		const running = pickInProgress(repository) ?? action;
		const isStopped = repository.note('CHERRY_PICK_HEAD') !== null || repository.note('REVERT_HEAD') !== null;
		throw new GitError(
			`error: ${running} is already in progress\nhint: try "git ${running} (--continue | ${isStopped ? '--skip | ' : ''}--abort | --quit)"\nfatal: ${action} failed`,
			128
		);
	}
	const head = repository.head() ?? '';
	if (head === '' && action === 'revert') throw failed(action, "can't revert as initial commit");
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
		autoupdate: options.has('autoupdate') ? true : options.isTakenBack('autoupdate') ? false : undefined,
		strategyOptions: checkedOptions(options.all('strategyOption'), options.get('strategy')),
		refers: options.has('reference') || repository.config.flag('revert.reference', false),
		cleanup: options.get('cleanup')
	};
	return runPicks(git, how, { head, todo }, todo.length > 1);
}

/** @throws GitError if `--ff` is combined with an option that needs a new commit */
function checkFastForward(options: Options<'fastForward' | 'signoff' | 'noCommit' | 'origin' | 'edit'>): void {
	if (!options.has('fastForward')) return;
	const spellings = { signoff: '--signoff', noCommit: '--no-commit', origin: '-x', edit: '--edit' } as const;
	for (const [name, text] of Object.entries(spellings))
		if (options.has(name as keyof typeof spellings)) throw fatal(`cherry-pick: --ff cannot be used with ${text}`);
}

/** Commits in the order in which they are picked: as named, but ranges oldest first (`revert`: newest first). */
function named(
	git: Invocation,
	given: readonly string[],
	{ action, count }: { action: PickAction; count: number | undefined }
): string[] {
	const { repository } = git;
	const operands = given.map((text) => (text === '-' ? '@{-1}' : text));
	for (const text of operands) {
		const ends = text.replace(/^\^/, '').split(/\.\.\.?/);
		if (ends.some((end) => end !== '' && findRevision(repository, end) === null)) {
			throw fatal(`bad revision '${text}'`);
		}
	}
	if (count === undefined && !operands.some((text) => text.includes('..') || text.startsWith('^'))) {
		return operands.map((text) => resolveCommit(repository, text));
	}
	const found = [...walkHistory(repository, parseRange(repository, operands))].map(({ id }) => id).slice(0, count);
	if (found.length === 0) throw new GitError(`error: empty commit set passed\nfatal: ${action} failed`, 128);
	return action === 'revert' ? found : found.reverse();
}

const failed = (action: PickAction, why: string): GitError =>
	new GitError(`error: ${why}\nfatal: ${action} failed`, 128);

async function goOn(git: Invocation, action: PickAction, skip: boolean): Promise<number> {
	const { repository } = git;
	const stopped = (['cherry-pick', 'revert'] as const).find((one) => repository.note(pickHead(one)) !== null);
	const under = pickInProgress(repository);
	if (skip) requireSkippable(repository, action);
	else if (under === null) throw failed(action, 'no cherry-pick or revert in progress');
	const saved = loadPicks(repository, under ?? action);
	if (saved && under !== action)
		throw failed(
			action,
			action === 'revert' ? 'cannot revert during a cherry-pick.' : 'cannot cherry-pick during a revert.'
		);
	if (skip) {
		const code = await reset(git, ['--merge']);
		if (code !== 0) return code;
	} else if (stopped !== undefined) {
		const code = await commit(git, ['--cleanup=strip', '--no-edit']);
		if (code !== 0) return code;
	}
	if (!saved) {
		endPicks(repository);
		return 0;
	}
	const { how, state } = saved;
	for (const name of ['CHERRY_PICK_HEAD', 'REVERT_HEAD', 'MERGE_MSG']) {
		repository.files.remove(`${repository.gitDir}/${name}`, { force: true });
	}
	const todo = state.todo.slice(1);
	if (todo.length === 0) endPicks(repository);
	return runPicks(git, how, { head: state.head, todo }, todo.length > 0);
}

/** @throws GitError unless this action has stopped at a commit that can be skipped */
function requireSkippable(repository: Repository, action: PickAction): void {
	if (repository.note(pickHead(action)) !== null) return;
	if (pickInProgress(repository) !== action) throw failed(action, `no ${action} in progress`);
	if (isWhereLeft(repository)) return;
	throw new GitError(
		`error: there is nothing to skip\nhint: have you committed already?\nhint: try "git ${action} --continue"\nfatal: ${action} failed`,
		128
	);
}

async function abort(git: Invocation, action: PickAction): Promise<number> {
	const { repository } = git;
	const under = pickInProgress(repository);
	if (under === null) throw failed(action, 'no cherry-pick or revert in progress');
	const saved = loadPicks(repository, under);
	const start = saved ? saved.state.head : repository.head();
	if (start === null || start === '') throw failed(action, 'cannot abort from a branch yet to be born');
	if (saved && !isWhereLeft(repository))
		git.err('warning: You seem to have moved HEAD. Not rewinding, check your HEAD!\n');
	else {
		const code = await reset(git, ['--merge', start]);
		if (code !== 0) return code;
	}
	endPicks(repository);
	return 0;
}
