import { fatal, GitError } from '../errors.ts';
import { headTree } from '../diff/sides.ts';
import type { Command, Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import { expandRef, findRevision, peel, resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { trackingSentence } from '../refs/tracking.ts';
import { pathOf } from '../diff/change.ts';
import { indexToWorktree, treeToIndex } from '../diff/sides.ts';
import { switchTree } from '../worktree/checkout.ts';
import { refuseTaken } from '../worktree/linked.ts';
import { createBranch, checkName } from './branch.ts';
import { restorePaths } from './restore.ts';

export const switchBranch: Command = (git, args) => {
	const options = parseOptions('switch [<options>] [<branch>]', args, {
		create: '-c --create =',
		forceCreate: '-C --force-create =',
		detach: '-d --detach',
		force: '-f --force --discard-changes',
		orphan: '--orphan =',
		quiet: '-q --quiet',
		track: '-t --track ?',
		noTrack: '--no-track',
		guess: '--guess',
		noGuess: '--no-guess'
	});
	const quiet = options.has('quiet');
	const force = options.has('force');
	const made = options.get('create') ?? options.get('forceCreate');
	const [target] = options.operands;
	if (options.has('orphan')) {
		if (target !== undefined) throw fatal("'--orphan' cannot take <start-point>");
		return emptyBranch(git, options.get('orphan')!, force);
	}
	refuseUnfinished(git.repository);
	if (made !== undefined) {
		return newBranch(git, made, target ?? 'HEAD', {
			reset: options.has('forceCreate'),
			force,
			quiet,
			tracks: !options.has('noTrack')
		});
	}
	if (options.has('detach')) return detach(git, target ?? 'HEAD', force, quiet);
	if (target === undefined) throw fatal('missing branch or commit argument');
	const { repository } = git;
	const name = target === '-' ? repository.previousBranch(1) : target;
	if (name === null) throw fatal('invalid reference: -');
	const guesses = options.has('guess') || (!options.has('noGuess') && repository.config.flag('checkout.guess', true));
	if (repository.refs.resolve(`refs/heads/${name}`) === null && !(guesses && guessRemote(git, name))) {
		if (findRevision(repository, name) !== null) {
			const kind = expandRef(repository, name) === null ? 'commit' : kindOf(git, name);
			const hint = 'If you want to detach HEAD at the commit, try again with the --detach option.';
			const shows = repository.config.flag('advice.suggestdetachinghead', true);
			throw fatal(`a branch is expected, got ${kind} '${name}'${shows ? `\nhint: ${hint}` : ''}`);
		}
		throw fatal(`invalid reference: ${name}`);
	}
	return toBranch(git, name, force, quiet);
};

export const checkout: Command = (git, args) => {
	const options = parseOptions('checkout [<options>] <branch>', args, {
		create: '-b =',
		forceCreate: '-B =',
		detach: '--detach',
		force: '-f --force',
		orphan: '--orphan =',
		quiet: '-q --quiet',
		track: '-t --track ?',
		noTrack: '--no-track',
		ours: '--ours -2',
		theirs: '--theirs -3',
		progress: '--progress --no-progress'
	});
	const { repository } = git;
	const quiet = options.has('quiet');
	const force = options.has('force');
	const made = options.get('create') ?? options.get('forceCreate');
	const { operands, paths } = options;
	if (options.has('orphan')) return orphan(git, options.get('orphan')!);
	if (made !== undefined) {
		return newBranch(git, made, operands[0] ?? 'HEAD', {
			reset: options.has('forceCreate'),
			force,
			quiet,
			tracks: !options.has('noTrack')
		});
	}
	if (paths !== null) {
		const count = restorePaths(repository, {
			source: operands[0] ?? null,
			paths,
			staged: operands.length > 0,
			worktree: true,
			stage: stageOf(options)
		});
		if (operands.length === 0 && !quiet) git.err(`Updated ${count} path${count === 1 ? '' : 's'} from the index\n`);
		return 0;
	}
	const first = operands[0];
	if (first === undefined) {
		const changes = [...treeToIndex(repository, headTree(repository)), ...indexToWorktree(repository)];
		for (const change of changes) git.out(`${change.status}\t${pathOf(change)}\n`);
		const current = repository.refs.currentBranch();
		if (current !== null) git.out(trackingSentence(repository, current));
		return 0;
	}
	const name = first === '-' ? (repository.previousBranch(1) ?? '-') : first;
	if (operands.length === 1) {
		if (repository.refs.resolve(`refs/heads/${name}`) !== null && !options.has('detach'))
			return toBranch(git, name, force, quiet);
		if (findRevision(repository, name) !== null) return detach(git, name, force, quiet);
		if (!repository.files.statOrNull(repository.absolute(repository.fromCwd(name))) && guessRemote(git, name))
			return toBranch(git, name, force, quiet);
	}
	const isSource = operands.length > 1 && findRevision(repository, name) !== null;
	const count = restorePaths(repository, {
		source: isSource ? name : null,
		paths: isSource ? operands.slice(1) : operands,
		staged: isSource,
		worktree: true,
		stage: stageOf(options)
	});
	if (!quiet) {
		const from = isSource ? repository.objects.abbreviate(resolveCommit(repository, name)) : 'the index';
		git.err(`Updated ${count} path${count === 1 ? '' : 's'} from ${from}\n`);
	}
	return 0;
};

const stageOf = (options: { has(name: 'ours' | 'theirs'): boolean }) =>
	options.has('ours') ? 2 : options.has('theirs') ? 3 : 0;

/** Makes a branch of the only remote that has one of this name. */
function guessRemote(git: Invocation, name: string): boolean {
	const found = git.repository.refs
		.list('refs/remotes/')
		.filter((ref) => ref.name.replace(/^refs\/remotes\/[^/]+\//, '') === name);
	if (found.length !== 1) return false;
	createBranch(git, name, found[0]!.name.slice(13));
	return true;
}

const kindOf = (git: Invocation, name: string) =>
	expandRef(git.repository, name)?.startsWith('refs/tags/') ? 'tag' : 'remote branch';

/** @throws GitError while paths are in conflict, unless they are to be thrown away */
function move(git: Invocation, tree: string, force: boolean): void {
	const unmerged = force ? [] : git.repository.index.unmerged();
	if (unmerged.length > 0) {
		git.out(unmerged.map((path) => `${path}: needs merge\n`).join(''));
		throw new GitError('error: you need to resolve your current index first', 1);
	}
	switchTree(git.repository, headTree(git.repository), tree, force);
	git.repository.index.save();
}

function toBranch(git: Invocation, name: string, force: boolean, quiet: boolean): number {
	const { repository } = git;
	const id = resolveCommit(repository, `refs/heads/${name}`);
	const already = repository.refs.currentBranch() === name;
	if (!already) refuseTaken(repository, name);
	move(git, repository.commit(id).tree, force);
	const left = already ? '' : leaving(git, id);
	const from = whereNow(git);
	repository.refs.moveHead({ branch: name }, `checkout: moving from ${from} to ${name}`);
	if (quiet) return 0;
	if (!force) showLocalChanges(git);
	git.err(`${left}${already ? 'Already on' : 'Switched to branch'} '${name}'\n`);
	git.out(trackingSentence(repository, name));
	return 0;
}

function newBranch(
	git: Invocation,
	name: string,
	start: string,
	how: { reset: boolean; force: boolean; quiet: boolean; tracks: boolean }
): number {
	const { repository } = git;
	const existed = repository.refs.resolve(`refs/heads/${name}`) !== null;
	const stays = repository.refs.currentBranch() === name;
	const from = whereNow(git);
	if (start === 'HEAD' && repository.head() === null) {
		checkName(name);
		repository.refs.setSymbolic('HEAD', `refs/heads/${name}`);
	} else {
		if (existed && !how.reset) throw fatal(`a branch named '${name}' already exists`);
		const id = resolveCommit(repository, start);
		// On the commit where HEAD is nothing moves, not even while paths are in conflict.
		if (start !== 'HEAD' || how.force) move(git, repository.commit(id).tree, how.force);
		createBranch(git, name, start, { force: how.reset, quiet: how.quiet, tracks: how.tracks });
		repository.refs.moveHead({ branch: name }, `checkout: moving from ${from} to ${name}`);
	}
	if (!how.quiet)
		git.err(
			`${stays ? 'Reset branch' : existed ? 'Switched to and reset branch' : 'Switched to a new branch'} '${name}'\n`
		);
	return 0;
}

function detach(git: Invocation, target: string, force: boolean, quiet: boolean): number {
	const { repository } = git;
	const id = peel(repository, findRevision(repository, target) ?? '', 'commit');
	if (id === null) throw fatal(`reference is not a tree: ${target}`);
	const attached = repository.refs.currentBranch() !== null;
	const from = whereNow(git);
	move(git, repository.commit(id).tree, force);
	const left = leaving(git, id);
	repository.refs.moveHead({ id }, `checkout: moving from ${from} to ${target}`);
	if (quiet) return 0;
	if (!force) showLocalChanges(git);
	const at = `HEAD is now at ${repository.objects.abbreviate(id)} ${subjectOf(repository.commit(id).message)}\n`;
	git.err(`${left}${attached ? `Note: switching to '${target}'.\n\n${ADVICE}` : ''}${at}`);
	return 0;
}

const ADVICE = `You are in 'detached HEAD' state: commits made here belong to no branch.
To keep them, make a branch: git switch -c <new-branch-name>

`;

function orphan(git: Invocation, name: string): number {
	checkName(name);
	if (git.repository.refs.resolve(`refs/heads/${name}`) !== null)
		throw new GitError(`fatal: a branch named '${name}' already exists`, 128);
	git.repository.refs.setSymbolic('HEAD', `refs/heads/${name}`);
	git.err(`Switched to a new branch '${name}'\n`);
	return 0;
}

/** `switch --orphan`: a branch without a commit, and nothing tracked. */
function emptyBranch(git: Invocation, name: string, force: boolean): number {
	const { repository } = git;
	checkName(name);
	if (repository.refs.resolve(`refs/heads/${name}`) !== null) throw fatal(`a branch named '${name}' already exists`);
	move(git, EMPTY_TREE, force);
	return orphan(git, name);
}

/** Work under way that another branch would lose, by the file that tells. */
const UNFINISHED: readonly [file: string, what: string, end: string][] = [
	['MERGE_HEAD', 'merging', 'merge --quit'],
	['rebase-merge/head-name', 'rebasing', 'rebase --quit'],
	['rebase-apply/head-name', 'rebasing', 'rebase --quit'],
	['CHERRY_PICK_HEAD', 'cherry-picking', 'cherry-pick --quit'],
	['REVERT_HEAD', 'reverting', 'revert --quit']
];

/** @throws GitError while a merge or its like is under way */
function refuseUnfinished(repository: Repository): void {
	const [, what, end] = UNFINISHED.find(([file]) => repository.note(file) !== null) ?? [];
	if (what === undefined) return;
	throw fatal(`cannot switch branch while ${what}\nConsider "git ${end}" or "git worktree add".`);
}

const whereNow = (git: Invocation) => git.repository.refs.currentBranch() ?? git.repository.head() ?? 'HEAD';

function leaving(git: Invocation, next: string): string {
	const { repository } = git;
	const head = repository.head();
	if (repository.refs.currentBranch() !== null || head === null || head === next) return '';
	return `Previous HEAD position was ${repository.objects.abbreviate(head)} ${subjectOf(repository.commit(head).message)}\n`;
}

/** Lists local changes that are preserved, one line per file. */
function showLocalChanges(git: Invocation): void {
	const { repository } = git;
	const head = headTree(repository);
	const lines = new Map<string, string>();
	for (const change of indexToWorktree(repository)) lines.set(pathOf(change), change.status);
	for (const change of treeToIndex(repository, head))
		if (lines.get(pathOf(change)) !== 'D') lines.set(pathOf(change), change.status);
	for (const [path, status] of [...lines].sort(([a], [b]) => (a < b ? -1 : 1))) git.out(`${status}\t${path}\n`);
	repository.index.save();
}
