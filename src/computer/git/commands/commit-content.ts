import { Mode } from '#environment/mode.ts';
import { headTree } from '../diff/sides.ts';
import { GitError } from '../errors.ts';
import { newEntry } from '../index/index-file.ts';
import { buildTrees } from '../index/write-tree.ts';
import type { Invocation } from '../invocation.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { stageFile } from '../worktree/staging.ts';
import { entriesOf, treeFiles } from '../worktree/tree-files.ts';

/** Stages the named files that the index or HEAD has, as they are now. @throws GitError for one that neither has */
export function stageNamed(repository: Repository, paths: readonly string[]): void {
	const { index } = repository;
	const named = new Pathspec(repository, paths);
	const known = new Set([...index.entries().map(({ path }) => path), ...headFiles(repository).keys()]);
	const missing = named.unmatched(known);
	if (missing !== undefined)
		throw new GitError(`error: pathspec '${missing}' did not match any file(s) known to git`, 1);
	for (const path of known) {
		if (!named.matches(path)) continue;
		const stat = lstatOrNull(repository, repository.absolute(path));
		if (!stat) index.remove(path);
		else if (stat.kind === 'file' || stat.kind === 'symlink') stageFile(repository, path, stat);
		else {
			// A repository is staged as the commit that it is at.
			const id = repository.nested(path)?.head() ?? null;
			if (id !== null && id !== index.get(path)?.id) index.set(newEntry(path, { mode: Mode.commit, id }));
		}
	}
}

/** Lets a commit that a hook refuses leave the index as it was before `-a` or named paths. Gives the exit code. */
export function keepIndex(repository: Repository): () => number {
	const path = repository.indexPath;
	const before = repository.files.statOrNull(path) ? repository.files.readFile(path) : null;
	return () => {
		if (before) repository.files.writeFile(path, before);
		else repository.files.remove(path, { force: true });
		repository.reopenIndex();
		return 1;
	};
}

/** @throws GitError naming the paths that a merge left in conflict */
export function refuseUnmerged(git: Invocation): void {
	const unmerged = git.repository.index.unmerged();
	if (unmerged.length === 0) return;
	git.out(unmerged.map((path) => `U\t${path}\n`).join(''));
	throw new GitError(
		'error: Committing is not possible because you have unmerged files.\n' +
			"hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n" +
			'hint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.',
		128
	);
}

export const headFiles = (repository: Repository) => treeFiles(repository.objects, headTree(repository));

/** The index as a tree. */
export function indexTree(repository: Repository): string {
	return repository.index.writeTree((content) => repository.objects.write('tree', content));
}

/** HEAD's tree with the named paths as the index has them: what else is staged waits for its own commit. */
export function partialTree(repository: Repository, paths: readonly string[]): string {
	const named = paths.length === 0 ? null : new Pathspec(repository, paths);
	const files = headFiles(repository);
	for (const path of [...files.keys()]) if (named?.matches(path)) files.delete(path);
	for (const entry of repository.index.entries()) {
		if (named?.matches(entry.path) && !entry.intentToAdd) files.set(entry.path, { mode: entry.mode, id: entry.id });
	}
	return buildTrees(entriesOf(files), (content) => repository.objects.write('tree', content)).id;
}
