import { fatal, GitError } from '../errors.ts';
import { GitIndex, isInWay } from '../index/index.ts';
import { newEntry, type IndexEntry } from '../index/index-file.ts';
import type { Command } from '../invocation.ts';
import { mergeIndex, type TreeMerge } from '../merge/merge-index.ts';
import { parseOptions } from '../options.ts';
import { resolveTree } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { encode } from '../bytes.ts';
import { Mode } from '#environment/mode.ts';
import { FOLLOW_OPTION, FollowedModules, followsModules } from '../submodule/follow-modules.ts';
import { applySparsity, sparsityErrors } from '../worktree/apply-sparsity.ts';
import { placeTracked, removeFile, writeFile } from '../worktree/checkout.ts';
import { prefetchFiles } from '../worktree/prefetch-files.ts';
import { type ModuleFollower, requireMovable } from '../worktree/module-follower.ts';
import { treeFiles } from '../worktree/tree-files.ts';
import { absolute } from '#computer/abi/paths.ts';
import { IGNORED_BY_HFS } from '#environment/entry-path.ts';
import { requireWorktreePath } from '../worktree/verify-path.ts';

const USAGE =
	'read-tree [(-m [--trivial] [--aggressive] | --reset | --prefix=<prefix>) [-u | -i]] [--index-output=<file>] (--empty | <tree-ish1> [<tree-ish2> [<tree-ish3>]])';

/** `git read-tree`: reads trees into the index, and with `-u` into the worktree. */
export const readTree: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		merge: '-m',
		reset: '--reset',
		prefix: '--prefix =',
		update: '-u',
		indexOnly: '-i',
		dryRun: '-n --dry-run',
		verbose: '-v',
		quiet: '-q --quiet',
		trivial: '--trivial',
		aggressive: '--aggressive',
		empty: '--empty',
		output: '--index-output =',
		noSparse: '--no-sparse-checkout',
		...FOLLOW_OPTION
	});
	const { repository } = git;
	const { index } = repository;
	const operands = [...options.operands, ...(options.paths ?? [])];
	const modes = (['merge', 'reset', 'prefix'] as const).filter((one) => options.has(one));
	if (modes.length > 1) throw fatal('Which one? -m, --reset, or --prefix?');
	if (options.has('empty')) {
		if (operands.length > 0) throw fatal('passing trees as arguments contradicts --empty');
		index.replace([]);
		return save(git.repository, options.get('output'));
	}
	const trees = operands.map((text) => resolveTree(repository, text));
	if (options.has('update') && modes.length === 0)
		throw new GitError(`fatal: -u is meaningless without -m, --reset, or --prefix`, 128);
	const isReal = !options.has('dryRun');
	if (options.has('prefix')) {
		if (trees.length !== 1) throw fatal('--prefix takes one tree');
		readBelow(repository, trees[0]!, options.get('prefix') ?? '', options.has('update') && isReal);
		return isReal ? save(repository, options.get('output')) : 0;
	}
	if (modes.length === 0) {
		overlay(repository, trees);
		return isReal ? save(repository, options.get('output')) : 0;
	}
	if (trees.length === 0 || trees.length > 3) throw fatal(`just how do you expect me to merge ${trees.length} trees?`);
	if (options.has('merge') && index.unmerged().length > 0) throw fatal('You need to resolve your current index first');
	const how = {
		update: options.has('update'),
		reset: options.has('reset'),
		aggressive: options.has('aggressive'),
		indexOnly: options.has('indexOnly')
	};
	const merged = options.has('quiet')
		? quietly(() => mergeIndex(repository, trees, how))
		: mergeIndex(repository, trees, how);
	const target = trees.at(-1);
	const follows = target !== undefined && options.has('update') && followsModules(repository, options);
	const modules = follows ? new FollowedModules(repository, target, options.has('reset')) : null;
	if (modules) requireModules(repository, merged, modules);
	if (!isReal) return 0;
	apply(repository, merged, { update: options.has('update'), appliesSparsity: !options.has('noSparse'), modules });
	return save(repository, options.get('output'));
};

/** Runs `run`, with the message of an error removed. */
function quietly<T>(run: () => T): T {
	try {
		return run();
	} catch (error) {
		throw error instanceof GitError ? new GitError('', error.code) : error;
	}
}

/** Overlays later trees on earlier ones, as `read-tree` does without `-m`: nothing is kept of the former index. */
function overlay(repository: Repository, trees: readonly string[]): void {
	const entries = new Map<string, IndexEntry>();
	for (const tree of trees)
		for (const [path, { mode, id }] of treeFiles(repository.objects, tree)) {
			for (const other of [...entries.keys()]) if (isInWay(other, path)) entries.delete(other);
			entries.set(path, newEntry(path, { mode, id }));
		}
	for (const { path, mode } of entries.values()) requireIndexPath(repository, path, mode);
	repository.index.replace(entries.values());
}

/** @throws GitError if the path is not allowed in the index */
function requireIndexPath({ config }: Repository, path: string, mode: number): void {
	// Paths that only HFS+ treats as `.git` are rejected when files are written.
	const isPlain = path.replace(IGNORED_BY_HFS, '') === path;
	if (isPlain || config.flag('core.protecthfs', false)) requireWorktreePath(path, mode);
}

/** Reads a tree into a directory of the index. @throws GitError if the index already has one of its files */
function readBelow(repository: Repository, tree: string, given: string, update: boolean): void {
	const { index } = repository;
	if (given.startsWith('/')) throw fatal("prefix cannot start with '/'");
	const prefix = given === '' || given.endsWith('/') ? given : `${given}/`;
	const files = [...treeFiles(repository.objects, tree)];
	const there = files.find(([path]) => index.has(prefix + path));
	if (there)
		throw new GitError(`error: Entry '${prefix}${there[0]}' overlaps with '${prefix}${there[0]}'.  Cannot bind.`, 128);
	for (const [name, file] of files) {
		const path = prefix + name;
		index.set(update ? writeFile(repository, path, file) : newEntry(path, file));
	}
}

/** @throws GitError if a submodule cannot be moved with the files */
function requireModules({ index }: Repository, { remove, write }: TreeMerge, modules: ModuleFollower): void {
	const removed = remove.map((path) => ({ path, before: index.get(path), after: undefined }));
	const written = write.map((entry) => ({ path: entry.path, before: index.get(entry.path), after: entry }));
	try {
		requireMovable([...removed, ...written], modules);
	} catch (error) {
		throw error instanceof GitError ? new GitError(error.message, 128) : error;
	}
}

interface ApplyHow {
	/** Also updates the working tree. */
	update: boolean;
	/** False to check out all files (`--no-sparse-checkout`). */
	appliesSparsity: boolean;
	modules: ModuleFollower | null;
}

function apply(
	repository: Repository,
	{ entries, remove, write }: TreeMerge,
	{ update, appliesSparsity, modules }: ApplyHow
): void {
	const { index, sparse } = repository;
	if (!update) return index.replace(entries);
	const isModule = (path: string) => index.get(path)?.mode === Mode.commit;
	// The directory of a submodule makes way for files, too.
	const gone = [...remove, ...write.filter(({ mode }) => mode !== Mode.commit).map(({ path }) => path)];
	if (modules) for (const path of gone.filter(isModule)) modules.move(path, null);
	for (const path of remove) if (!index.get(path)?.skipWorktree) removeFile(repository, path);
	const before = new Map(index.entries().map((entry) => [entry.path, entry]));
	// The attributes in the new index determine how files are written.
	index.replace(entries);
	const place = (entry: IndexEntry) =>
		appliesSparsity
			? placeTracked(repository, entry.path, entry, before.get(entry.path))
			: writeFile(repository, entry.path, entry);
	prefetchFiles(
		repository,
		write.filter(({ path }) => !appliesSparsity || sparse.has(path))
	);
	const written = new Map(write.map((entry) => [entry, place(entry)]));
	index.replace(entries.map((entry) => written.get(entry) ?? entry));
	if (modules) for (const { path, mode, id } of write) if (mode === Mode.commit) modules.move(path, id);
	if (appliesSparsity && sparse.isActive) repository.files.write(2, encode(sparsityErrors(applySparsity(repository))));
}

function save(repository: Repository, output: string | undefined): number {
	if (output === undefined) repository.index.save();
	else {
		const other = new GitIndex(repository.files, absolute(output, repository.cwd));
		other.replace(repository.index.entries());
		other.save();
	}
	return 0;
}
