import { compareTrees, pathOf, type Change } from '../diff/change.ts';
import { binaryBytes } from '../diff/lines.ts';
import { DIFF_OPTIONS, diffFormat, showsChanges } from '../diff/options.ts';
import { printChanges } from '../diff/print.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import { failure, fatal, GitError } from '../errors.ts';
import { newEntry } from '../index/index-file.ts';
import type { Command, Invocation } from '../invocation.ts';
import { applyMerged } from '../merge/apply.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { parseOptions, type Options, UsageAsked } from '../options.ts';
import type { Repository } from '../repository.ts';
import { findRevision, peel } from '../refs/revision.ts';
import { applyStash } from '../stash/apply-stash.ts';
import { createStash, type MadeStash } from '../stash/create-stash.ts';
import { chosenTree, removeChosen } from '../stash/stash-chosen.ts';
import { dropStash, findListedStash, findStash, STASH, storeStash } from '../stash/stash-list.ts';
import { removeFile, writeFile } from '../worktree/checkout.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { PATHSPEC_FILE, namedOrListed } from '../worktree/pathspec-file.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { checkout } from './checkout.ts';
import { log } from './log.ts';

const USAGES = {
	list: 'stash list [<log-options>]',
	show: 'stash show [-u | --include-untracked | --only-untracked] [<diff-options>] [<stash>]',
	drop: 'stash drop [-q | --quiet] [<stash>]',
	pop: 'stash pop [--index] [-q | --quiet] [<stash>]',
	apply: 'stash apply [--index] [-q | --quiet] [<stash>]',
	branch: 'stash branch <branchname> [<stash>]',
	push: 'stash [push [-p | --patch] [-S | --staged] [-k | --[no-]keep-index] [-q | --quiet]\n          [-u | --include-untracked] [-a | --all] [(-m | --message) <message>]\n          [--pathspec-from-file=<file> [--pathspec-file-nul]]\n          [--] [<pathspec>...]]',
	save: 'stash save [-p | --patch] [-S | --staged] [-k | --[no-]keep-index] [-q | --quiet]\n          [-u | --include-untracked] [-a | --all] [<message>]',
	clear: 'stash clear',
	create: 'stash create [<message>]',
	store: 'stash store [(-m | --message) <message>] [-q | --quiet] <commit>'
};

const WHOLE_USAGE = Object.values(USAGES).join('\n   or: git ');

type Action = keyof typeof USAGES;

const ACTIONS: Readonly<Record<Action, (git: Invocation, args: string[]) => number | Promise<number>>> = {
	push: (git, args) => push(git, args, USAGES.push),
	save: (git, args) => push(git, args, USAGES.save),
	list,
	pop,
	apply,
	drop,
	clear,
	show,
	branch,
	create,
	store
};

export const stash: Command = (git, args) => {
	const [first, ...rest] = args;
	if (args.length === 1 && first === '-h') throw new UsageAsked(`usage: git ${WHOLE_USAGE}\n`);
	if (first === undefined || first.startsWith('-')) {
		const options = parseOptions(WHOLE_USAGE, args, PUSH_OPTIONS);
		const [word] = options.operands;
		// Without `push`, an operand after an option could be a mistyped subcommand.
		if (word !== undefined) throw unassumed(word);
		return push(git, args, USAGES.push);
	}
	if (!Object.hasOwn(ACTIONS, first)) throw unassumed(first);
	return ACTIONS[first as Action](git, rest);
};

const unassumed = (word: string): GitError =>
	fatal(`subcommand wasn't specified; 'push' can't be assumed due to unexpected token '${word}'`);

const PUSH_OPTIONS = {
	message: '-m --message =',
	untracked: '-u --include-untracked',
	all: '-a --all',
	quiet: '-q --quiet',
	staged: '-S --staged',
	keep: '-k --keep-index',
	noKeep: '--no-keep-index',
	patch: '-p --patch',
	...PATHSPEC_FILE
};

type PushOptions = Options<keyof typeof PUSH_OPTIONS>;

function push(git: Invocation, args: string[], usage: string): number {
	const options = parseOptions(usage, args, PUSH_OPTIONS);
	const isSave = usage === USAGES.save;
	checkPush(options);
	const { repository } = git;
	const given = isSave ? [] : namedOrListed(git, options, [...options.operands, ...(options.paths ?? [])]);
	const words = isSave ? [...options.operands, ...(options.paths ?? [])].join(' ') : '';
	const paths = given.length > 0 ? new Pathspec(repository, given) : null;
	const takesUntracked = options.has('all') || options.has('untracked');
	const known = repository.index.entries().map(({ path }) => path);
	const missing = takesUntracked ? undefined : paths?.unmatched(known);
	if (missing !== undefined) throw failure(`pathspec '${missing}' did not match any file(s) known to git`);
	const message = options.get('message') ?? (words === '' ? undefined : words);
	const untracked = options.has('all') ? 'all' : takesUntracked ? 'normal' : null;
	const isStaged = options.has('staged') && !options.has('patch');
	const tree = options.has('patch') && hasAnyChange(repository, paths) ? { tree: chosenTree(git, given) } : {};
	const made = orSilent(options, () => createStash(git, { message, paths, untracked, isStaged, ...tree }));
	if (made === null) {
		if (isStaged && hasChanges(git)) throw new GitError('No staged changes', 1);
		if (!options.has('quiet')) git.out('No local changes to save\n');
		return 0;
	}
	const head = repository.head() ?? '';
	storeStash(repository, made.id, made.message);
	if (!options.has('quiet')) git.out(`Saved working directory and index state ${made.message}\n`);
	if (options.has('patch')) {
		removeChosen(git, made.tree);
		if (options.latest('keep', 'noKeep') === 'noKeep') unstage(repository, paths);
		return 0;
	}
	takeAway(git, made, { paths, keeps: options.has('keep') && !options.has('noKeep'), isStaged });
	repository.refs.log('HEAD', head, head, 'reset: moving to HEAD');
	return 0;
}

/** Runs an action; with `--quiet`, removes the error message. */
function orSilent(options: PushOptions, act: () => MadeStash | null): MadeStash | null {
	try {
		return act();
	} catch (error) {
		if (options.has('quiet') && error instanceof GitError && error.code === 1) throw new GitError('', 1);
		throw error;
	}
}

/** Returns whether anything differs from HEAD, staged or not, at the paths given or at all. */
const hasAnyChange = (repository: Repository, paths: Pathspec | null): boolean =>
	[...indexToWorktree(repository), ...treeToIndex(repository, headTree(repository))].some(
		(change) => paths?.matches(pathOf(change)) ?? true
	);

/** Resets the index to HEAD, for the paths given or for all. */
function unstage(repository: Repository, paths: Pathspec | null): void {
	const { index, objects } = repository;
	const head = treeFiles(objects, headTree(repository));
	for (const { path } of index.entries()) if ((paths?.matches(path) ?? true) && !head.has(path)) index.remove(path);
	for (const [path, file] of head) {
		const entry = index.get(path);
		const isSame = entry?.id === file.id && entry.mode === file.mode;
		if (!isSame && (paths?.matches(path) ?? true)) index.set(newEntry(path, file));
	}
	index.save();
}

const hasChanges = ({ repository }: Pick<Invocation, 'repository'>): boolean => indexToWorktree(repository).length > 0;

/** @throws GitError for options that exclude each other */
function checkPush(options: PushOptions): void {
	if (options.has('staged') && (options.has('untracked') || options.has('all')))
		throw fatal("options '--staged' and '--include-untracked/--all' cannot be used together");
	if (options.has('patch') && (options.has('untracked') || options.has('all')))
		throw new GitError("Can't use --patch and --include-untracked or --all at the same time", 1);
}

/** Removes the stashed changes from the index and worktree. */
function takeAway(
	git: Invocation,
	made: MadeStash,
	{ paths, keeps, isStaged }: { paths: Pathspec | null; keeps: boolean; isStaged: boolean }
): void {
	const { repository } = git;
	const { index, objects } = repository;
	const head = headTree(repository);
	if (isStaged) undoStaged(git, made.staged, head);
	else if (paths) {
		const kept = treeFiles(objects, keeps ? made.staged : head);
		const changed = new Set(indexToWorktree(repository).map(pathOf));
		for (const path of new Set([...treeFiles(objects, made.tree).keys(), ...kept.keys()]))
			if (paths.matches(path)) putBack(git, path, kept.get(path), changed.has(path));
	} else switchTree(repository, made.tree, keeps ? made.staged : head, { force: true });
	for (const path of made.untracked) removeFile(repository, path);
	index.save();
}

/** Reverts staged changes, but keeps other changes in the worktree. */
function undoStaged(git: Invocation, staged: string, head: string): void {
	const { repository } = git;
	const { index, objects } = repository;
	const now = createStash(git, {})?.tree ?? staged;
	const labels = { ours: 'files', theirs: 'HEAD', base: 'staged' };
	const files = mergeTrees(git, { base: staged, ours: now, theirs: head }, labels);
	if (!files.isClean) throw new GitError('error: could not take the staged changes back', 1);
	switchTree(repository, now, now, { force: true });
	applyMerged(git, now, files, 'all');
	const wanted = treeFiles(objects, head);
	for (const { path } of index.entries()) if (!wanted.has(path)) index.remove(path);
	for (const [path, file] of wanted) {
		const entry = index.get(path);
		if (entry?.id !== file.id || entry.mode !== file.mode) index.set(newEntry(path, file));
	}
}

/**
 * Resets one path in the index and worktree to `file`; undefined removes it.
 * @param isChanged whether the worktree differs from the index
 */
function putBack(git: Invocation, path: string, file: TreeFile | undefined, isChanged: boolean): void {
	const { repository } = git;
	const { index } = repository;
	if (!file) {
		if (index.has(path)) removeFile(repository, path);
		index.remove(path);
		return;
	}
	if (index.get(path)?.id !== file.id || isChanged) {
		writeFile(repository, path, file);
		index.set(newEntry(path, file));
	}
}

/** Creates a stash without adding it to the list, and prints its id. */
function create(git: Invocation, args: string[]): number {
	const message = args.join(' ');
	const made = createStash(git, { message: message === '' ? undefined : message });
	if (made !== null) git.out(`${made.id}\n`);
	return 0;
}

function store(git: Invocation, args: string[]): number {
	const options = parseOptions(USAGES.store, args, { message: '-m --message =', quiet: '-q --quiet' });
	const { repository } = git;
	const [given] = options.operands;
	const found = given === undefined ? null : findRevision(repository, given);
	const id = found === null ? null : peel(repository, found, 'commit');
	const quietly = (text: string) => new GitError(options.has('quiet') ? '' : text, 1);
	if (options.operands.length !== 1) throw quietly('"git stash store" requires one <commit> argument');
	if (id === null) throw quietly(`Cannot update ${STASH} with ${given ?? ''}`);
	storeStash(repository, id, options.get('message') ?? 'Created via "git stash store".');
	return 0;
}

function clear(git: Invocation, args: string[]): number {
	if (args.length > 0) throw failure('git stash clear with arguments is unimplemented');
	git.repository.refs.delete(STASH);
	return 0;
}

function list(git: Invocation, args: string[]): number | Promise<number> {
	const { repository } = git;
	const entries = repository.refs.reflog(STASH);
	const [, count] = args.length === 1 ? (/^(?:-n|--max-count=|-)(\d+)$/.exec(args[0] ?? '') ?? []) : [];
	if (args.length > 0 && count === undefined && entries.length > 0)
		return log(git, ['--format=%gd: %gs', '-g', '--first-parent', '-m', ...args, STASH, '--']);
	for (const [at, { message }] of entries.slice(0, Number(count ?? entries.length)).entries())
		git.out(`stash@{${at}}: ${message}\n`);
	return 0;
}

const APPLY_OPTIONS = { index: '--index', quiet: '-q --quiet' };

function apply(git: Invocation, args: string[]): number {
	const options = parseOptions(USAGES.apply, args, APPLY_OPTIONS);
	const { id } = findStash(git.repository, options.operands);
	return applyStash(git, id, { restoresIndex: options.has('index'), isQuiet: options.has('quiet') }) ? 0 : 1;
}

function pop(git: Invocation, args: string[]): number {
	const options = parseOptions(USAGES.pop, args, APPLY_OPTIONS);
	const found = findListedStash(git.repository, options.operands);
	const isQuiet = options.has('quiet');
	const isApplied = appliedOrKept(git, found.id, { restoresIndex: options.has('index'), isQuiet });
	if (!isApplied) return 1;
	return sayDropped(git, found, isQuiet);
}

/** Applies a stash; if that fails, reports that the entry is kept. Returns whether it was applied. */
function appliedOrKept(git: Invocation, id: string, how: { restoresIndex: boolean; isQuiet: boolean }): boolean {
	const kept = 'The stash entry is kept in case you need it again.\n';
	try {
		const isApplied = applyStash(git, id, how);
		if (!isApplied) git.out(kept);
		return isApplied;
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		git.err(`${error.message}\n`);
		git.out(kept);
		return false;
	}
}

function sayDropped(git: Invocation, found: { position: number; name: string; id: string }, isQuiet: boolean): number {
	dropStash(git.repository, found.position);
	if (!isQuiet) git.out(`Dropped ${found.name} (${found.id})\n`);
	return 0;
}

function drop(git: Invocation, args: string[]): number {
	const options = parseOptions(USAGES.drop, args, { quiet: '-q --quiet' });
	return sayDropped(git, findListedStash(git.repository, options.operands), options.has('quiet'));
}

/** Creates a branch at the commit on which the stash was made, and applies the stash. */
async function branch(git: Invocation, args: string[]): Promise<number> {
	const { operands } = parseOptions(USAGES.branch, args, {});
	const [name, ...names] = operands;
	if (name === undefined) throw new GitError('No branch name specified', 1);
	const { repository } = git;
	const found = findStash(repository, names);
	const code = await checkout(git, ['-b', name, repository.commit(found.id).parents[0] ?? '']);
	if (code !== 0) return code;
	const isApplied = applyStash(git, found.id, { restoresIndex: true, isQuiet: false });
	if (!isApplied) return 1;
	return found.position === null ? 0 : sayDropped(git, { ...found, position: found.position }, false);
}

function show(git: Invocation, args: string[]): number {
	const options = parseOptions(USAGES.show, args, {
		...DIFF_OPTIONS,
		untracked: '-u --include-untracked',
		noUntracked: '--no-include-untracked',
		onlyUntracked: '--only-untracked'
	});
	const { repository } = git;
	const { config, objects } = repository;
	const made = repository.commit(findStash(repository, options.operands).id);
	const base = repository.commit(made.parents[0]!).tree;
	const isOnly = options.has('onlyUntracked');
	const shows =
		options.has('untracked') || (config.flag('stash.showincludeuntracked', false) && !options.has('noUntracked'));
	const tracked = isOnly ? [] : compareTrees(objects, base, made.tree);
	const others = shows || isOnly ? made.parents[2] : undefined;
	const untracked = others === undefined ? [] : compareTrees(objects, EMPTY_TREE, repository.commit(others).tree);
	const changes: Change[] = [...tracked, ...untracked].sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
	const own = ['-u', '--include-untracked', '--no-include-untracked', '--only-untracked'];
	const isFormed = args.some((arg) => arg.startsWith('-') && !own.includes(arg));
	const asked = diffFormat(options, isFormed);
	const usual = { stat: config.flag('stash.showstat', true), patch: config.flag('stash.showpatch', false) };
	git.out(binaryBytes(printChanges(repository, changes, showsChanges(asked) ? asked : { ...asked, ...usual })));
	return 0;
}
