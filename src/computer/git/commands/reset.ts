import { unstaging } from '../choosing/choice-mode.ts';
import { chooseHunks } from '../choosing/choose-hunks.ts';
import { fatal } from '../errors.ts';
import { headTree, indexToWorktree } from '../diff/sides.ts';
import { EMPTY_BLOB, EMPTY_TREE } from '../objects/object.ts';
import { pathOf } from '../diff/change.ts';
import type { Command, Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { parseOptions, type Options } from '../options.ts';
import { findRevision, noSuchRevision, findTree, resolveCommit } from '../refs/revision.ts';
import { quotePath } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import { dropAutostash, keepAutostash } from '../sequence/autostash.ts';
import { forgetUnderWay } from '../sequence/pick-state.ts';
import { FOLLOW_OPTION, FollowedModules, followsModules } from '../submodule/follow-modules.ts';
import { isChanged, lstatOrNull } from '../worktree/checkout.ts';
import { prefetchTracked } from '../worktree/prefetch-files.ts';
import { type ModuleFollower, requireMovable } from '../worktree/module-follower.ts';
import { notUpToDate, removeEntry, switchTree, writeEntry } from '../worktree/switch-tree.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { PATHSPEC_FILE, namedOrListed } from '../worktree/pathspec-file.ts';
import { worktreeFiles } from '../worktree/verify-path.ts';
import { treeFiles } from '../worktree/tree-files.ts';
import { newEntry } from '../index/index-file.ts';

const OPTIONS = {
	soft: '--soft',
	mixed: '--mixed',
	hard: '--hard',
	merge: '--merge',
	keep: '--keep',
	quiet: '-q --quiet',
	intent: '-N --intent-to-add',
	refresh: '--refresh',
	noRefresh: '--no-refresh',
	patch: '-p --patch',
	...FOLLOW_OPTION,
	...PATHSPEC_FILE
};

export const reset: Command = (git, args) => {
	const options = parseOptions('reset [--mixed | --soft | --hard] [-q] [<commit>] [-- <path>...]', args, OPTIONS);
	const { repository } = git;
	const { index, refs } = repository;
	const first = options.operands[0] === '-' ? '@{-1}' : options.operands[0];
	const isRevision = first !== undefined && findRevision(repository, first) !== null;
	if (first !== undefined && !isRevision) requirePath(repository, first);
	const given = [...(isRevision ? options.operands.slice(1) : options.operands), ...(options.paths ?? [])];
	const paths = namedOrListed(git, options, given);
	const target = isRevision ? first : 'HEAD';
	const whole = (['soft', 'hard', 'merge', 'keep'] as const).find((name) => options.has(name));
	if (options.has('patch')) {
		if (whole !== undefined) throw fatal("options '--patch' and '--{hard,mixed,soft}' cannot be used together");
		const mode = unstaging(treeOf(repository, target), target === 'HEAD');
		return chooseHunks(git, mode, new Pathspec(repository, paths));
	}
	if (paths.length > 0 || (options.paths !== null && whole === undefined)) {
		if (whole !== undefined) throw fatal(`Cannot do ${whole} reset with paths.`);
		resetIndex(repository, treeOf(repository, target), new Pathspec(repository, paths), options.has('intent'));
		refreshIndex(git, options);
		index.save();
		return 0;
	}
	const isMerging = repository.note('MERGE_HEAD') !== null || index.unmerged().length > 0;
	for (const name of ['soft', 'keep'] as const)
		if (options.has(name) && isMerging) throw fatal(`Cannot do a ${name} reset in the middle of a merge.`);
	const head = repository.head();
	if (head === null && !isRevision) {
		if (!options.has('soft')) resetIndex(repository, EMPTY_TREE, new Pathspec(repository, []));
		index.save();
		return 0;
	}
	const id = resolveCommit(repository, target);
	const made = repository.commit(id);
	const modules = followsModules(repository, options)
		? new FollowedModules(repository, made.tree, options.has('hard'))
		: null;
	if (options.has('hard')) switchTree(repository, headTree(repository), made.tree, { force: true, modules });
	else if (options.has('merge')) resetMerge(repository, made.tree, target, modules);
	else if (options.has('keep')) {
		const how = { force: false, verb: 'reset' as const, target, modules };
		switchTree(repository, headTree(repository), made.tree, how);
		resetIndex(repository, made.tree, new Pathspec(repository, []));
	} else if (!options.has('soft'))
		resetIndex(repository, made.tree, new Pathspec(repository, []), options.has('intent'));
	if (head !== null) refs.note('ORIG_HEAD', head);
	refs.update('HEAD', id, `reset: moving to ${target}`);
	forgetUnderWay(repository);
	dropAutostash(git, (stash) => keepAutostash(git, stash, 'Autostash exists; creating a new stash entry.'));
	if (options.has('hard')) {
		if (!options.has('quiet'))
			git.out(`HEAD is now at ${repository.objects.abbreviate(id)} ${subjectOf(made.message)}\n`);
	} else if (whole === undefined) refreshIndex(git, options);
	index.save();
	return 0;
};

/** Tree of a revision; the empty tree for `HEAD` before the first commit. */
function treeOf(repository: Repository, revision: string): string {
	if (revision === 'HEAD') return headTree(repository) ?? EMPTY_TREE;
	return findTree(repository, revision) ?? EMPTY_TREE;
}

/** Refreshes the stat data of the index, and lists the files that differ from it. */
function refreshIndex(git: Invocation, options: Options<'refresh' | 'noRefresh' | 'quiet'>): void {
	if (options.latest('refresh', 'noRefresh') === 'noRefresh') return;
	const { repository } = git;
	const changes = indexToWorktree(repository);
	if (changes.length === 0 || options.has('quiet')) return;
	git.out('Unstaged changes after reset:\n');
	for (const change of changes) git.out(`${change.status}\t${quotePath(repository.toCwd(pathOf(change)))}\n`);
}

/** @throws GitError unless the operand is a file or glob, as in other commands that accept revisions and paths */
function requirePath(repository: Repository, text: string): void {
	const path = text.startsWith(':') ? '' : repository.fromCwd(text);
	if (/[*?[]/.test(text) || lstatOrNull(repository, repository.absolute(path)) !== null) return;
	throw noSuchRevision(repository, text);
}

/**
 * Resets index entries that match `pathspec` to a tree; the worktree is unchanged.
 *
 * @param keepsIntent whether files that the tree lacks are marked as intent-to-add
 */
function resetIndex(repository: Repository, tree: string, pathspec: Pathspec, keepsIntent = false): void {
	const { index, sparse } = repository;
	const wanted = treeFiles(repository.objects, tree);
	for (const entry of index.entries()) {
		if (!pathspec.matches(entry.path) || (wanted.has(entry.path) && entry.stage === 0)) continue;
		index.remove(entry.path);
		const isThere = keepsIntent && lstatOrNull(repository, repository.absolute(entry.path)) !== null;
		if (isThere && !wanted.has(entry.path))
			index.set({ ...newEntry(entry.path, { mode: entry.mode, id: EMPTY_BLOB }), intentToAdd: true });
	}
	for (const [path, file] of wanted) {
		const entry = index.get(path);
		if (!pathspec.matches(path) || (entry?.id === file.id && entry.mode === file.mode && !entry.intentToAdd)) continue;
		const isLeftOut = entry ? entry.skipWorktree : !index.has(path) && !sparse.has(path);
		index.set({ ...newEntry(path, file), ...(isLeftOut ? { skipWorktree: true } : {}) });
	}
}

/**
 * Resets the index and worktree to a tree, but keeps unstaged changes.
 *
 * @throws GitError if an unstaged change would be lost
 */
function resetMerge(repository: Repository, tree: string, shown: string, modules: ModuleFollower | null): void {
	const { index, objects } = repository;
	const wanted = worktreeFiles(objects, tree);
	const write: string[] = [];
	for (const path of new Set([...index.entries().map((entry) => entry.path), ...wanted.keys()])) {
		const [entry, next] = [index.get(path), wanted.get(path)];
		if (entry && entry.id === next?.id && entry.mode === next.mode) continue;
		const isThere = lstatOrNull(repository, repository.absolute(path)) !== null;
		if (isThere && (entry ? isChanged(repository, path, entry) : !index.has(path))) throw notUpToDate([path], shown);
		write.push(path);
	}
	const entryOf = (path: string) => ({ before: index.get(path), after: wanted.get(path) });
	if (modules)
		requireMovable(
			write.map((path) => ({ path, ...entryOf(path) })),
			modules
		);
	prefetchTracked(
		repository,
		write.flatMap((path) => {
			const { after } = entryOf(path);
			return after ? [[path, after] as const] : [];
		})
	);
	for (const path of write) {
		const { before, after } = entryOf(path);
		if (!after) removeEntry(repository, path, before?.mode, modules);
	}
	for (const path of write) {
		const { after } = entryOf(path);
		if (after) writeEntry(repository, path, after, modules);
	}
}
