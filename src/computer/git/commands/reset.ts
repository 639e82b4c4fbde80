import { fatal } from '../errors.ts';
import { headTree, indexToWorktree } from '../diff/sides.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { pathOf } from '../diff/change.ts';
import type { Command } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { findRevision, peel, resolveCommit } from '../refs/revision.ts';
import { quotePath } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import { switchTree } from '../worktree/checkout.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { treeFiles } from '../worktree/tree-files.ts';
import { newEntry } from '../index/index-file.ts';

export const reset: Command = (git, args) => {
	const options = parseOptions('reset [--mixed | --soft | --hard] [-q] [<commit>] [-- <path>...]', args, {
		soft: '--soft',
		mixed: '--mixed',
		hard: '--hard',
		quiet: '-q --quiet',
		intent: '-N --intent-to-add',
		refresh: '--refresh --no-refresh'
	});
	const { repository } = git;
	const { index, refs } = repository;
	const [first] = options.operands;
	const isRevision = first !== undefined && findRevision(repository, first) !== null;
	const paths = [...(isRevision ? options.operands.slice(1) : options.operands), ...(options.paths ?? [])];
	const target = isRevision ? first : 'HEAD';
	const say = () => {
		if (options.has('quiet')) return;
		const changes = indexToWorktree(repository);
		if (changes.length === 0) return;
		git.out('Unstaged changes after reset:\n');
		for (const change of changes) git.out(`${change.status}\t${quotePath(repository.toCwd(pathOf(change)))}\n`);
	};
	if (paths.length > 0 || options.paths !== null) {
		if (options.has('soft') || options.has('hard'))
			throw fatal(`Cannot do ${options.has('soft') ? 'soft' : 'hard'} reset with paths.`);
		const tree = isRevision ? peel(repository, findRevision(repository, first)!, 'tree') : headTree(repository);
		resetIndex(repository, tree ?? EMPTY_TREE, new Pathspec(repository, paths));
		say();
		index.save();
		return 0;
	}
	const head = repository.head();
	if (head === null && !isRevision) {
		if (!options.has('soft')) resetIndex(repository, EMPTY_TREE, new Pathspec(repository, []));
		index.save();
		return 0;
	}
	const id = resolveCommit(repository, target);
	const made = repository.commit(id);
	if (options.has('hard')) switchTree(repository, headTree(repository), made.tree, true);
	else if (!options.has('soft')) resetIndex(repository, made.tree, new Pathspec(repository, []));
	if (head !== null) refs.note('ORIG_HEAD', head);
	refs.update('HEAD', id, `reset: moving to ${target}`);
	for (const name of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE'])
		repository.files.remove(`${repository.gitDir}/${name}`, { force: true });
	if (options.has('hard')) {
		if (!options.has('quiet'))
			git.out(`HEAD is now at ${repository.objects.abbreviate(id)} ${subjectOf(made.message)}\n`);
	} else if (!options.has('soft')) say();
	index.save();
	return 0;
};

/** Makes the index the same as a tree where `pathspec` matches; the working tree stays. */
function resetIndex(repository: Repository, tree: string, pathspec: Pathspec): void {
	const { index } = repository;
	const wanted = treeFiles(repository.objects, tree);
	for (const entry of index.entries()) {
		if (pathspec.matches(entry.path) && (!wanted.has(entry.path) || entry.stage > 0)) index.remove(entry.path);
	}
	for (const [path, file] of wanted) {
		const entry = index.get(path);
		if (!pathspec.matches(path) || (entry?.id === file.id && entry.mode === file.mode && !entry.intentToAdd)) continue;
		index.set(newEntry(path, file));
	}
}
