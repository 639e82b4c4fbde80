import { failure, fatal } from '../errors.ts';
import { findStart, isAncestor } from '../history/walk.ts';
import { subjectOf } from '../objects/commit.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { expandRef } from '../refs/named-ref.ts';
import { resolveCommit } from '../refs/revision.ts';
import { formatRef, sortRefs } from './refs.ts';
import { type Tracks, track, tracksBy, upstreamOf } from '../refs/track-branch.ts';
import { checkName, namedBranch, shortOfMarked } from '../refs/branch-name.ts';
import { moveBranch, requireFree } from './branch-move.ts';
import { aheadBehind } from '../refs/tracking.ts';

export const branch: Command = (git, args) => {
	const options = parseOptions('branch [<options>] [<branch-name>] [<start-point>]', args, {
		delete: '-d --delete',
		forceDelete: '-D',
		move: '-m --move',
		forceMove: '-M',
		copy: '-c --copy',
		forceCopy: '-C',
		createLog: '--create-reflog',
		show: '--show-current',
		all: '-a --all',
		remotes: '-r --remotes',
		verbose: '-v -vv --verbose',
		list: '-l --list',
		force: '-f --force',
		upstream: '-u --set-upstream-to =',
		unset: '--unset-upstream',
		contains: '--contains =',
		merged: '--merged ?',
		noMerged: '--no-merged ?',
		track: '-t --track ?',
		noTrack: '--no-track',
		quiet: '-q --quiet',
		color: '--color --no-color ?',
		format: '--format =',
		sort: '--sort ='
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
	if (upstream !== undefined || options.has('unset'))
		return setUpstream(git, operands[0] ?? current, upstream ?? null, options.has('quiet'));
	if (operands.length > 0 && !options.has('list')) {
		const [name, start = current ?? 'HEAD'] = operands;
		createBranch(git, name!, start, {
			force: options.has('force'),
			quiet: options.has('quiet'),
			tracks: tracksBy(options),
			logs: options.has('createLog')
		});
		return 0;
	}
	return list(git, operands, options);
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
	for (const given of names) {
		const name = remotes
			? (shortOfMarked(repository, given, 'refs/remotes/') ?? given)
			: namedBranch(repository, given);
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
		if (!force && !remotes && base !== null && !isAncestor(repository, id, base)) {
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

function setUpstream(git: Invocation, name: string | null, upstream: string | null, quiet: boolean): number {
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
	if (!quiet) git.out(`branch '${name}' set up to track '${full.replace(/^refs\/(heads|remotes)\//, '')}'.\n`);
	return 0;
}

interface ListOptions {
	has(name: 'all' | 'remotes' | 'verbose' | 'contains' | 'merged' | 'noMerged' | 'format'): boolean;
	get(name: 'contains' | 'merged' | 'noMerged' | 'format'): string | undefined;
	all(name: 'verbose' | 'sort'): string[];
}

function list(git: Invocation, patterns: string[], options: ListOptions): number {
	const { repository } = git;
	const { refs, objects } = repository;
	const current = refs.symbolic('HEAD');
	const rows: { mark: string; name: string; id: string; suffix: string; full: string }[] = [];
	const head = repository.head();
	if (current === null && head !== null && !options.has('remotes')) {
		rows.push({
			mark: '*',
			name: `(HEAD detached at ${objects.abbreviate(head)})`,
			id: head,
			suffix: '',
			full: 'HEAD'
		});
	}
	for (const prefix of ['refs/heads/', 'refs/remotes/']) {
		if (prefix === 'refs/heads/' ? options.has('remotes') : !options.has('all') && !options.has('remotes')) continue;
		for (const { name, id } of sortRefs(git, refs.list(prefix), options.all('sort'))) {
			const short = name.slice(options.has('all') && prefix === 'refs/remotes/' ? 5 : prefix.length);
			const target = refs.symbolic(name);
			const suffix = target !== null ? ` -> ${target.slice(13)}` : '';
			rows.push({ mark: name === current ? '*' : ' ', name: short, id, suffix, full: name });
		}
	}
	const commit = (text: string | undefined) => resolveCommit(repository, text || 'HEAD');
	const shown = rows.filter(
		({ name, id }) =>
			(patterns.length === 0 ||
				patterns.some((pattern) =>
					new RegExp(
						`^${pattern
							.replace(/[.+^$()|{}\\]/g, '\\$&')
							.replace(/\*/g, '.*')
							.replace(/\?/g, '.')}$`
					).test(name)
				)) &&
			(!options.has('contains') || isAncestor(repository, commit(options.get('contains')), id)) &&
			(!options.has('merged') || isAncestor(repository, id, commit(options.get('merged')))) &&
			(!options.has('noMerged') || !isAncestor(repository, id, commit(options.get('noMerged'))))
	);
	const format = options.get('format');
	const width = Math.max(0, ...shown.map(({ name }) => name.length));
	for (const { mark, name, id, suffix, full } of shown) {
		if (format !== undefined) {
			git.out(`${formatRef(git, { name: full, id }, format)}\n`);
			continue;
		}
		const tracking =
			options.all('verbose').length > 0 && full.startsWith('refs/heads/') ? aheadBehind(repository, name) : null;
		const counts = tracking?.counts;
		const parts = counts
			? [
					...(counts.ahead ? [`ahead ${counts.ahead}`] : []),
					...(counts.behind ? [`behind ${counts.behind}`] : [])
				].join(', ')
			: '';
		const detailed =
			options.all('verbose').length > 1 && tracking
				? `[${tracking.name}${parts === '' ? '' : `: ${parts}`}] `
				: parts === ''
					? ''
					: `[${parts}] `;
		const detail =
			options.has('verbose') && suffix === ''
				? `${' '.repeat(width - name.length)} ${objects.abbreviate(id)} ${detailed}${subjectOf(repository.commit(id).message)}`
				: suffix;
		git.out(`${mark} ${name}${detail}\n`);
	}
	return 0;
}
