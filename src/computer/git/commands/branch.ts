import { failure, fatal } from '../errors.ts';
import { findStart, isAncestor } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { expandRef } from '../refs/revision.ts';
import { BRANCH_LIST_OPTIONS, listBranches } from '../listing/branch-list.ts';
import { type Tracks, track, tracksBy, upstreamOf } from '../refs/track-branch.ts';
import { checkName, namedBranch } from '../refs/branch-name.ts';
import { moveBranch, requireFree } from './branch-move.ts';

export const branch: Command = (git, args) => {
	const options = parseOptions('branch [<options>] [<branch-name>] [<start-point>]', args, {
		...BRANCH_LIST_OPTIONS,
		delete: '-d --delete',
		forceDelete: '-D',
		move: '-m --move',
		forceMove: '-M',
		copy: '-c --copy',
		forceCopy: '-C',
		createLog: '--create-reflog',
		show: '--show-current',
		list: '-l --list',
		force: '-f --force',
		upstream: '-u --set-upstream-to =',
		unset: '--unset-upstream',
		track: '-t --track ?',
		noTrack: '--no-track',
		quiet: '-q --quiet'
	});
	const { repository } = git;
	const { refs } = repository;
	const { operands } = options;
	const current = refs.currentBranch();
	if (options.has('show')) {
		if (current !== null) git.out(`${current}\n`);
		return 0;
	}
	if (options.has('delete') || options.has('forceDelete')) {
		return remove(
			git,
			operands,
			options.has('forceDelete') || options.has('force'),
			options.has('remotes'),
			options.has('quiet')
		);
	}
	for (const [name, forced, isCopy] of [
		['move', 'forceMove', false],
		['copy', 'forceCopy', true]
	] as const) {
		if (!options.has(name) && !options.has(forced)) continue;
		if (operands.length === 0 && isCopy) throw fatal('branch name required');
		return moveBranch(git, operands, isCopy, options.has(forced) || options.has('force'));
	}
	const upstream = options.get('upstream');
	if (upstream !== undefined || options.has('unset')) return setUpstream(git, operands[0] ?? current, upstream ?? null);
	const isListed = (['list', 'contains', 'noContains', 'merged', 'noMerged', 'pointsAt'] as const).some((one) =>
		options.has(one)
	);
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

interface NewBranch {
	/** Replaces a branch of the name. */
	force?: boolean;
	quiet?: boolean;
	tracks?: Tracks;
	/** HEAD goes there, so it may be there already. */
	movesHead?: boolean;
	/** Keeps a history even where none is kept by itself. */
	logs?: boolean;
}

/** Makes a branch; one that starts at a remote's follows it. */
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
	const upstream = upstreamOf(git, start, tracks);
	const action = refs.resolve(`refs/heads/${name}`) === null ? 'Created from' : 'Reset to';
	if (logs) refs.startReflog(`refs/heads/${name}`);
	refs.update(`refs/heads/${name}`, id, `branch: ${action} ${start}`);
	// A branch does not follow itself.
	const isItself = upstream?.remote === '.' && upstream.merge === `refs/heads/${name}`;
	if (upstream && !isItself) track(git, name, upstream, quiet);
}

function remove(git: Invocation, names: string[], force: boolean, remotes: boolean, quiet: boolean): number {
	const { repository } = git;
	const { refs } = repository;
	if (names.length === 0) throw fatal('branch name required');
	let code = 0;
	for (const name of names) {
		const full = `refs/${remotes ? 'remotes' : 'heads'}/${name}`;
		const id = refs.resolve(full);
		if (id === null) {
			git.err(`error: ${remotes ? 'remote-tracking branch' : 'branch'} '${name}' not found.\n`);
			code = 1;
			continue;
		}
		if (refs.symbolic('HEAD') === full)
			throw failure(`Cannot delete branch '${name}' checked out at '${repository.root}'`);
		const head = repository.head();
		const merged = repository.upstream(name);
		const base = (merged === null ? null : refs.resolve(merged)) ?? head;
		if (!force && base !== null && !isAncestor(repository, id, base)) {
			git.err(
				`error: The branch '${name}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${name}'.\n`
			);
			code = 1;
			continue;
		}
		refs.delete(full);
		repository.config.removeSection(`${repository.commonDir}/config`, `branch.${name}`);
		if (!quiet)
			git.out(
				`Deleted ${remotes ? 'remote-tracking ' : ''}branch ${name} (was ${repository.objects.abbreviate(id)}).\n`
			);
	}
	return code;
}

function setUpstream(git: Invocation, name: string | null, upstream: string | null): number {
	const { repository } = git;
	if (name === null) throw fatal('could not set upstream of HEAD when it does not point to any branch.');
	const config = `${repository.commonDir}/config`;
	if (upstream === null) {
		repository.config.set(config, `branch.${name}.remote`, null);
		repository.config.set(config, `branch.${name}.merge`, null);
		return 0;
	}
	const full = expandRef(repository, upstream);
	const remote = full && /^refs\/remotes\/([^/]+)\/(.+)$/.exec(full);
	if (!full) throw fatal(`the requested upstream branch '${upstream}' does not exist`);
	repository.config.set(config, `branch.${name}.remote`, remote ? remote[1]! : '.');
	repository.config.set(config, `branch.${name}.merge`, remote ? `refs/heads/${remote[2]}` : full);
	git.out(`branch '${name}' set up to track '${full.replace(/^refs\/(heads|remotes)\//, '')}'.\n`);
	return 0;
}
