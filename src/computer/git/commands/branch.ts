import { fatal, GitError } from '../errors.ts';
import { findStart } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { BRANCH_LIST_OPTIONS, listBranches } from '../listing/branch-list.ts';
import { type Tracks, track, tracksBy, upstreamOf } from '../refs/track-branch.ts';
import { checkName, namedBranch } from '../refs/branch-name.ts';
import { deleteBranches } from './branch-delete.ts';
import { editDescription } from './branch-description.ts';
import { setUpstream } from './branch-upstream.ts';
import { moveBranch, requireFree } from './branch-move.ts';

const USAGE = 'branch [<options>] [<branch-name>] [<start-point>]';

const OPTIONS = {
	...BRANCH_LIST_OPTIONS,
	delete: '-d --delete',
	forceDelete: '-D',
	move: '-m --move',
	forceMove: '-M',
	copy: '-c --copy',
	forceCopy: '-C',
	createLog: '--create-reflog',
	show: '--show-current',
	description: '--edit-description',
	list: '-l --list',
	force: '-f --force',
	upstream: '-u --set-upstream-to =',
	unset: '--unset-upstream',
	track: '-t --track ?',
	noTrack: '--no-track',
	quiet: '-q --quiet'
};

type BranchOptions = Options<keyof typeof OPTIONS>;

export const branch: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const { repository } = git;
	const { refs } = repository;
	const { operands } = options;
	const current = refs.currentBranch();
	checkSettings(git);
	const isListed = checkActions(options);
	if (options.has('show')) {
		if (current !== null) git.out(`${current}\n`);
		return 0;
	}
	if (options.has('delete') || options.has('forceDelete')) {
		if (options.has('all')) throw fatal('cannot use -a with -d');
		const force = options.has('forceDelete') || options.has('force');
		return deleteBranches(git, operands, { force, remotes: options.has('remotes'), quiet: options.has('quiet') });
	}
	if (options.has('description')) return editDescription(git, operands);
	for (const [name, forced, isCopy] of [
		['move', 'forceMove', false],
		['copy', 'forceCopy', true]
	] as const) {
		if (!options.has(name) && !options.has(forced)) continue;
		if (operands.length === 0 && isCopy) throw fatal('branch name required');
		return moveBranch(git, operands, isCopy, options.has(forced) || options.has('force'));
	}
	const upstream = options.get('upstream');
	if (upstream !== undefined || options.has('unset'))
		return setUpstream(git, operands, upstream ?? null, options.has('quiet'));
	if (operands.length > 0 && !isListed) {
		if (options.has('all') || options.has('remotes'))
			throw fatal(
				"The -a, and -r, options to 'git branch' do not take a branch name.\n" +
					'Did you mean to use: -a|-r --list <pattern>?'
			);
		const [name, start = current ?? 'HEAD'] = operands;
		createBranch(git, name!, start, {
			force: options.has('force'),
			quiet: options.has('quiet'),
			tracks: tracksBy(options),
			logs: options.has('createLog')
		});
		return 0;
	}
	listBranches(git, operands, options);
	return 0;
};

/** Checks the branch settings, whatever the action. @throws GitError if one is malformed */
function checkSettings({ repository }: Invocation): void {
	const key = 'branch.autosetuprebase';
	const setting = repository.config.all().findLast((one) => one.key === key);
	if (setting?.isBare)
		throw new GitError(`error: missing value for '${key}'\nfatal: bad config variable '${key}'`, 128);
	if (setting && !['never', 'local', 'remote', 'always'].includes(setting.value))
		throw new GitError(`error: malformed value for ${key}\nfatal: bad config variable '${key}'`, 128);
}

/** Returns whether branches are to be listed. @throws GitError if options request more than one action */
function checkActions(options: BranchOptions): boolean {
	const isListed = (['list', 'contains', 'noContains', 'merged', 'noMerged', 'pointsAt'] as const).some((one) =>
		options.has(one)
	);
	const actions = [
		options.has('delete') || options.has('forceDelete'),
		options.has('move') || options.has('forceMove'),
		options.has('copy') || options.has('forceCopy'),
		...[options.has('upstream'), options.has('show'), isListed, options.has('description'), options.has('unset')]
	];
	if (actions.filter(Boolean).length > 1) throw new GitError(`usage: git ${USAGE}`, 129);
	return isListed;
}

interface NewBranch {
	/** Replaces an existing branch of this name. */
	force?: boolean;
	quiet?: boolean;
	tracks?: Tracks;
	/** HEAD will point to the branch, so the branch may be checked out already. */
	movesHead?: boolean;
	/** Creates a reflog even if none would be created by default. */
	logs?: boolean;
}

/** Creates a branch; if it starts at a remote-tracking branch, that becomes its upstream. */
export function createBranch(
	git: Invocation,
	given: string,
	start: string,
	{ force = false, quiet = false, tracks = 'usual', movesHead = false, logs = false }: NewBranch = {}
): void {
	const { repository } = git;
	const { refs } = repository;
	const name = namedBranch(repository, given);
	checkName(name);
	const isReset = force && movesHead && refs.currentBranch() === name;
	if (!isReset) requireFree(repository, name, force);
	if (start === 'HEAD' && repository.head() === null)
		throw fatal(`not a valid object name: '${refs.currentBranch() ?? 'HEAD'}'`);
	const id = findStart(repository, start);
	if (id === null) throw fatal(`not a valid object name: '${start}'`);
	const upstream = upstreamOf(git, start, tracks, name);
	const action = refs.resolve(`refs/heads/${name}`) === null ? 'Created from' : 'Reset to';
	if (logs) refs.startReflog(`refs/heads/${name}`);
	refs.update(`refs/heads/${name}`, id, `branch: ${action} ${start}`);
	// A branch cannot be its own upstream.
	const isItself = upstream?.remote === '.' && upstream.merge === `refs/heads/${name}`;
	if (upstream && !isItself) track(git, name, upstream, quiet);
}
