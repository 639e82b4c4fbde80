import { discarding } from '../choosing/choice-mode.ts';
import { chooseHunks } from '../choosing/choose-hunks.ts';
import { fatal } from '../errors.ts';
import { pathOf } from '../diff/change.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import type { Command, Invocation } from '../invocation.ts';
import { findStart } from '../history/walk.ts';
import { conflictStyle } from '../merge/conflict-style.ts';
import { FOLLOW_OPTION, followsModules } from '../submodule/follow-modules.ts';
import { parseOptions, type Options } from '../options.ts';
import { applySparsity, sparsityWarnings } from '../worktree/apply-sparsity.ts';
import { PATHSPEC_FILE, namedOrListed } from '../worktree/pathspec-file.ts';
import { namedBranch } from '../refs/branch-name.ts';
import { findRevision, findTree, peel, resolveCommit } from '../refs/revision.ts';
import { refuseManyRemotes, remoteBranch } from '../refs/remote-branch.ts';
import { trackedName, tracksBy } from '../refs/track-branch.ts';
import { trackingSentence } from '../refs/tracking.ts';
import {
	afterCheckout,
	detach,
	guessRemote,
	isUnwritten,
	move,
	newBranch,
	orphan,
	toBranch,
	type Moving
} from './move-head.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { restorePaths } from './restore.ts';

const OPTIONS = {
	create: '-b =',
	log: '-l',
	forceCreate: '-B =',
	detach: '-d --detach',
	force: '-f --force',
	orphan: '--orphan =',
	quiet: '-q --quiet',
	track: '-t --track ?',
	noTrack: '--no-track',
	ours: '--ours -2',
	theirs: '--theirs -3',
	merge: '-m --merge',
	conflict: '--conflict =',
	guess: '--guess',
	noGuess: '--no-guess',
	overlay: '--overlay',
	noOverlay: '--no-overlay',
	progress: '--progress --no-progress',
	patch: '-p --patch',
	skipped: '--ignore-skip-worktree-bits',
	...FOLLOW_OPTION,
	...PATHSPEC_FILE
};

type CheckoutOptions = Options<keyof typeof OPTIONS>;

export const checkout: Command = (git, args) => {
	const options = parseOptions('checkout [<options>] <branch>', args, OPTIONS);
	const { repository } = git;
	const merges = options.has('merge') || options.has('conflict');
	const how: Moving = {
		quiet: options.has('quiet'),
		force: options.has('force'),
		merge: merges ? conflictStyle(repository, options.get('conflict')) : null,
		withModules: followsModules(repository, options)
	};
	checkOptions(options);
	if (options.has('from') || options.has('fromNul')) return restoreListed(git, options, how);
	const { operands, paths } = options;
	const [first] = operands;
	if (options.has('patch')) return discardHunks(git, operands, paths, true);
	const made = options.get('create') ?? options.get('forceCreate');
	if (options.has('orphan')) {
		if (first !== undefined) requireStart(git, options.get('orphan')!, first);
		return orphan(git, options.get('orphan')!, how, { start: first, logs: options.has('log') });
	}
	if (made !== undefined) {
		requireStart(git, made, operands[0] ?? 'HEAD');
		if (operands.length > 1 || (paths?.length ?? 0) > 0) {
			throw fatal(`Cannot update paths and switch to branch '${made}' at the same time.`);
		}
		return newBranch(git, made, operands[0] ?? 'HEAD', {
			...how,
			reset: options.has('forceCreate'),
			tracks: tracksBy(options),
			logs: options.has('log')
		});
	}
	if (options.has('track') && !options.has('detach')) {
		if (first === undefined) throw fatal('--track needs a branch name');
		return newBranch(git, trackedName(first), first, { ...how, reset: false, tracks: tracksBy(options) });
	}
	if (paths !== null && paths.length > 0) return restoreNamed(git, options, first ?? null, paths, how);
	if (first === undefined || (first === 'HEAD' && operands.length === 1 && repository.head() !== null))
		return options.has('detach') ? detach(git, 'HEAD', how, true) : stay(git, how);
	const name = first === '-' ? (repository.previousBranch(1) ?? '-') : namedBranch(repository, first);
	if (operands.length === 1) {
		if (repository.refs.resolve(`refs/heads/${name}`) !== null && !options.has('detach'))
			return toBranch(git, name, how);
		if (findStart(repository, name) !== null) return detach(git, name, how, options.has('detach'));
		const guesses = !options.has('noGuess') && repository.config.flag('checkout.guess', true);
		const isPath = repository.files.statOrNull(repository.absolute(repository.fromCwd(name))) !== null;
		const isBranchOnly = paths !== null;
		const remote = guesses && !options.has('detach') ? remoteBranch(repository, name) : null;
		if (remote !== null && isPath && !isBranchOnly) throw ambiguous(name);
		if (remote !== null && guessRemote(git, name)) return toBranch(git, name, how);
		if (guesses && (!isPath || isBranchOnly)) refuseManyRemotes(repository, name);
		if (isBranchOnly) throw fatal(`invalid reference: ${name}`);
	}
	const isSource = operands.length > 1 && findRevision(repository, name) !== null;
	if (options.has('detach') && isSource)
		throw fatal(`git checkout: --detach does not take a path argument '${operands[1]}'`);
	return restoreNamed(git, options, isSource ? name : null, isSource ? operands.slice(1) : operands, how);
};

const ambiguous = (name: string) =>
	fatal(
		`'${name}' could be both a local file and a tracking branch.\nPlease use -- (and optionally --no-guess) to disambiguate`
	);

/**
 * Lets the user choose hunks to discard: changes since the index, or since the tree-ish given as first operand.
 *
 * @param withIndex whether hunks since a tree-ish are discarded from the index as well
 */
function discardHunks(
	git: Invocation,
	operands: readonly string[],
	paths: readonly string[] | null,
	withIndex: boolean
): number {
	const { repository } = git;
	const [first] = operands;
	const start = first === undefined ? null : first === '-' ? '@{-1}' : first;
	const id = start === null ? null : findStart(repository, start);
	const tree = id === null ? (start === null ? null : findTree(repository, start)) : peel(repository, id, 'tree');
	if (tree === null && paths !== null && first !== undefined) throw fatal(`invalid reference: ${first}`);
	const named = [...(tree === null ? operands : operands.slice(1)), ...(paths ?? [])];
	return chooseHunks(git, discarding(tree, first === 'HEAD', withIndex), new Pathspec(repository, named));
}

/** @throws GitError for options that exclude each other */
function checkOptions(options: CheckoutOptions): void {
	const makers = (['create', 'forceCreate', 'orphan'] as const).filter((one) => options.has(one));
	if (makers.length > 1) throw fatal("options '-b', '-B', and '--orphan' cannot be used together");
	if (options.has('detach') && makers.length > 0) throw fatal("'--detach' cannot be used with '-b/-B/--orphan'");
	if (options.has('orphan') && (options.has('track') || options.has('noTrack')))
		throw fatal("'--orphan' cannot be used with '-t'");
	if (options.has('detach') && options.has('track')) throw fatal("'--detach' cannot be used with '-t'");
}

/** @throws GitError if the start of a new branch is not a commit */
function requireStart({ repository }: Invocation, name: string, start: string): void {
	if (start === 'HEAD' || findStart(repository, start) !== null) return;
	throw fatal(`'${start}' is not a commit and a branch '${name}' cannot be created from it`);
}

/**
 * Handles a checkout without a new HEAD: lists local changes and compares the branch with its upstream. `--force`
 * discards the changes first; after a clone without a checkout, the files are written.
 */
function stay(git: Invocation, how: Moving): number {
	const { repository } = git;
	const before = repository.head();
	if (how.force || (before !== null && isUnwritten(repository))) move(git, headTree(repository), how, 'HEAD');
	else if (repository.sparse.isActive) {
		git.err(sparsityWarnings(applySparsity(repository)));
		repository.index.save();
	}
	if (how.quiet) return afterCheckout(git, before);
	const changes = [...treeToIndex(repository, headTree(repository)), ...indexToWorktree(repository)];
	for (const change of changes) git.out(`${change.status}\t${pathOf(change)}\n`);
	const current = repository.refs.currentBranch();
	if (current !== null) git.out(trackingSentence(repository, current));
	return afterCheckout(git, before);
}

function restoreNamed(
	git: Invocation,
	options: CheckoutOptions,
	source: string | null,
	paths: readonly string[],
	how: Moving
): number {
	const { repository } = git;
	const { written, recreated } = restorePaths(git, {
		source,
		paths,
		staged: source !== null,
		worktree: true,
		overlays: !options.has('noOverlay'),
		includesSkipped: options.has('skipped'),
		unmerged:
			how.merge ?? (options.has('ours') ? 'ours' : options.has('theirs') ? 'theirs' : how.force ? 'skip' : 'refuse')
	});
	const head = repository.head();
	if (how.quiet) return afterCheckout(git, head, false);
	const from = source === null ? 'the index' : repository.objects.abbreviate(resolveCommit(repository, source));
	if (recreated > 0) git.err(`Recreated ${recreated} merge conflict${recreated === 1 ? '' : 's'}\n`);
	if (recreated === 0 || written > 0) git.err(`Updated ${written} path${written === 1 ? '' : 's'} from ${from}\n`);
	return afterCheckout(git, head, false);
}

/** Restores the paths listed in a file. */
function restoreListed(git: Invocation, options: CheckoutOptions, how: Moving): number {
	if (options.has('detach')) throw fatal("options '--pathspec-from-file' and '--detach' cannot be used together");
	const [first, ...others] = options.operands;
	const isSource = first !== undefined && findRevision(git.repository, first) !== null;
	const given = [...(isSource ? others : options.operands), ...(options.paths ?? [])];
	return restoreNamed(git, options, isSource ? first : null, namedOrListed(git, options, given), how);
}
