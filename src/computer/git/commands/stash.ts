import { fatal, GitError } from '../errors.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import { binaryBytes } from '../diff/lines.ts';
import { compareTrees, pathOf } from '../diff/change.ts';
import { DIFF_OPTIONS, diffFormat, showsChanges } from '../diff/options.ts';
import { printChanges } from '../diff/print.ts';
import type { Command, Invocation } from '../invocation.ts';
import { applyMerged } from '../merge/apply.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import { EMPTY_TREE, NULL_ID } from '../objects/object.ts';
import { serializeCommit, subjectOf } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { buildTrees } from '../index/write-tree.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { checkout } from './checkout.ts';
import { removeFile, switchTree, writeFile } from '../worktree/checkout.ts';
import { contentOf, modeOf } from '../worktree/file-state.ts';
import { longStatus } from '../worktree/long-status.ts';
import { computeStatus } from '../worktree/status.ts';
import { entriesOf, treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { newEntry } from '../index/index-file.ts';

const STASH = 'refs/stash';

export const stash: Command = (git, args) => {
	const actions: Record<string, (rest: string[]) => number | Promise<number>> = {
		push: (rest) => push(git, rest),
		save: (rest) => push(git, rest.length > 0 ? ['-m', rest.join(' ')] : []),
		list: () => list(git),
		pop: (rest) => apply(git, rest, true),
		apply: (rest) => apply(git, rest, false),
		drop: (rest) => {
			const options = parseOptions('stash drop [-q] [<stash>]', rest, { quiet: '-q --quiet' });
			return drop(git, options.operands[0], options.has('quiet'));
		},
		clear: () => {
			git.repository.refs.delete(STASH);
			return 0;
		},
		show: (rest) => show(git, rest),
		branch: (rest) => branch(git, rest)
	};
	const [first, ...rest] = args;
	if (first === undefined || first.startsWith('-')) return push(git, args);
	const action = actions[first];
	if (!action) throw fatal(`subcommand wasn't specified; 'push' can't be assumed due to unexpected token '${first}'`);
	return action(rest);
};

function push(git: Invocation, args: string[]): number {
	const options = parseOptions('stash push [-u] [-q] [-m <message>]', args, {
		message: '-m --message =',
		untracked: '-u --include-untracked',
		quiet: '-q --quiet',
		keep: '-k --keep-index'
	});
	const { repository } = git;
	const paths = [...options.operands, ...(options.paths ?? [])];
	const chosen = paths.length > 0 ? new Pathspec(repository, paths) : null;
	const isChosen = (path: string) => chosen?.matches(path) ?? true;
	const { index, objects, refs, files } = repository;
	const head = repository.head();
	if (head === null) throw new GitError('You do not have the initial commit yet', 1);
	const untracked = options.has('untracked')
		? computeStatus(repository, { untracked: 'all' }).untracked.filter(isChosen)
		: [];
	if (
		!treeToIndex(repository, headTree(repository)).some((change) => isChosen(pathOf(change))) &&
		!indexToWorktree(repository).some((change) => isChosen(pathOf(change))) &&
		untracked.length === 0
	) {
		if (!options.has('quiet')) git.out('No local changes to save\n');
		return 0;
	}
	const branch = refs.currentBranch() ?? '(no branch)';
	const about = `${branch}: ${objects.abbreviate(head)} ${subjectOf(repository.commit(head).message)}`;
	const message = options.has('message') ? `On ${branch}: ${options.get('message')}` : `WIP on ${about}`;
	const who = { author: repository.author(), committer: repository.committer() };
	const keep = (content: Uint8Array) => objects.write('tree', content);
	const staged = index.writeTree(keep);
	const commit = (tree: string, parents: string[], text: string) =>
		objects.write('commit', serializeCommit({ tree, parents, ...who, message: text }));
	const indexCommit = commit(staged, [head], `index on ${about}\n`);
	const worktree = treeFiles(objects, staged);
	const stored = (path: string): TreeFile => {
		const full = repository.absolute(path);
		const stat = files.lstat(full);
		return { mode: modeOf(stat), id: objects.write('blob', contentOf(files, full, stat)) };
	};
	for (const change of indexToWorktree(repository)) {
		if (!isChosen(pathOf(change))) continue;
		if (change.after) worktree.set(pathOf(change), stored(pathOf(change)));
		else worktree.delete(pathOf(change));
	}
	const tree = treeOf(git, worktree);
	const parents = [head, indexCommit];
	if (untracked.length > 0)
		parents.push(
			commit(treeOf(git, new Map(untracked.map((path) => [path, stored(path)]))), [], `untracked files on ${about}\n`)
		);
	const id = commit(tree, parents, message);
	const before = refs.resolve(STASH) ?? NULL_ID;
	refs.note(STASH, id);
	refs.log(STASH, before, id, message);
	if (chosen) {
		const kept = treeFiles(objects, options.has('keep') ? staged : headTree(repository));
		const changed = new Set(indexToWorktree(repository).map(pathOf));
		for (const path of new Set([...worktree.keys(), ...kept.keys()]))
			if (isChosen(path)) putBack(git, path, kept.get(path), changed.has(path));
	} else switchTree(repository, tree, options.has('keep') ? staged : headTree(repository), true);
	for (const path of untracked) removeFile(repository, path);
	index.save();
	refs.log('HEAD', head, head, 'reset: moving to HEAD');
	if (!options.has('quiet')) git.out(`Saved working directory and index state ${message}\n`);
	return 0;
}

/**
 * Brings one path, in index and working tree, to what `file` says; nothing: it was not there.
 * @param isChanged whether the working tree has it otherwise than the index
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

function treeOf(git: Invocation, files: ReadonlyMap<string, TreeFile>): string {
	return buildTrees(entriesOf(files), (content) => git.repository.objects.write('tree', content)).id;
}

function list(git: Invocation): number {
	git.repository.refs.reflog(STASH).forEach(({ message }, i) => git.out(`stash@{${i}}: ${message}\n`));
	return 0;
}

function find(git: Invocation, name: string | undefined): { position: number; id: string; name: string } {
	const position = Number(/^(?:stash@\{)?(\d+)\}?$/.exec(name ?? '0')?.[1] ?? Number.NaN);
	const entries = git.repository.refs.reflog(STASH);
	if (entries.length === 0) throw new GitError('No stash entries found.', 1);
	const entry = entries[position];
	if (!entry) throw new GitError(`error: ${name} is not a valid reference`, 1);
	return { position, id: entry.to, name: name === undefined ? `refs/stash@{0}` : `stash@{${position}}` };
}

function apply(git: Invocation, args: string[], pop: boolean): number {
	const options = parseOptions('stash (pop | apply) [--index] [-q] [<stash>]', args, {
		index: '--index',
		quiet: '-q --quiet'
	});
	const { repository } = git;
	const { index, objects } = repository;
	const found = find(git, options.operands[0]);
	const made = repository.commit(found.id);
	const ours = index.writeTree((content) => objects.write('tree', content));
	const labels = { ours: 'Updated upstream', theirs: 'Stashed changes', base: 'Stash base' };
	const base = repository.commit(made.parents[0]!).tree;
	const merged = mergeTrees(repository, { base, ours, theirs: made.tree }, labels);
	applyMerged(git, ours, merged, labels);
	if (made.parents[2] !== undefined) {
		for (const [path, file] of treeFiles(objects, repository.commit(made.parents[2]).tree))
			writeFile(repository, path, file);
	}
	if (merged.conflicts.length === 0)
		unstageChanges(git, ours, options.has('index') ? repository.commit(made.parents[1]!).tree : ours);
	index.save();
	if (!options.has('quiet')) git.out(longStatus(repository, computeStatus(repository), 'normal'));
	if (merged.conflicts.length > 0) {
		git.out('The stash entry is kept in case you need it again.\n');
		return 1;
	}
	return pop ? drop(git, options.operands[0], options.has('quiet')) : 0;
}

/** Restored changes are not staged, except new files. */
function unstageChanges(git: Invocation, before: string, wanted: string): void {
	const { index, objects } = git.repository;
	const files = treeFiles(objects, wanted);
	const known = treeFiles(objects, before);
	for (const entry of index.entries()) {
		const file = files.get(entry.path);
		if (file && (file.id !== entry.id || file.mode !== entry.mode))
			index.set({ ...entry, ...file, size: 0, modifiedMs: 0 });
	}
	for (const [path, file] of known) {
		if (!index.has(path)) index.set(newEntry(path, file));
	}
}

/** A new branch where the stash was made, with the stash on it. */
async function branch(git: Invocation, args: string[]): Promise<number> {
	const [name, which] = args;
	if (name === undefined) throw new GitError('No branch name specified', 1);
	const found = find(git, which);
	const base = git.repository.commit(found.id).parents[0] ?? '';
	const code = await checkout(git, ['-b', name, base]);
	return code === 0 ? apply(git, ['--index', ...(which === undefined ? [] : [which])], true) : code;
}

function drop(git: Invocation, name: string | undefined, quiet: boolean): number {
	const { refs } = git.repository;
	const found = find(git, name);
	const entries = refs.reflog(STASH);
	entries.splice(found.position, 1);
	if (entries.length === 0) refs.delete(STASH);
	else {
		entries.forEach((entry, i) => (entry.from = entries[i + 1]?.to ?? NULL_ID));
		refs.writeReflog(STASH, entries);
		refs.note(STASH, entries[0]!.to);
	}
	if (!quiet) git.out(`Dropped ${found.name} (${found.id})\n`);
	return 0;
}

function show(git: Invocation, args: string[]): number {
	const options = parseOptions('stash show [-p] [<stash>]', args, {
		...DIFF_OPTIONS,
		untracked: '-u --include-untracked',
		onlyUntracked: '--only-untracked'
	});
	const { repository } = git;
	const made = repository.commit(find(git, options.operands[0]).id);
	const base = repository.commit(made.parents[0]!).tree;
	const tracked = options.has('onlyUntracked') ? [] : compareTrees(repository.objects, base, made.tree);
	const others = options.has('untracked') || options.has('onlyUntracked') ? made.parents[2] : undefined;
	const untracked =
		others === undefined ? [] : compareTrees(repository.objects, EMPTY_TREE, repository.commit(others).tree);
	const changes = [...tracked, ...untracked].sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
	const asked = diffFormat(options, false);
	const format = showsChanges(asked) ? asked : { ...asked, stat: true };
	git.out(binaryBytes(printChanges(repository, changes, format)));
	return 0;
}
