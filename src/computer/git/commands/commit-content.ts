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

/** Stages the named files that are in the index or HEAD. @throws GitError if neither has a named file */
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
			// A submodule is staged as its HEAD commit.
			const id = repository.nested(path)?.head() ?? null;
			if (id !== null && id !== index.get(path)?.id) index.set(newEntry(path, { mode: Mode.commit, id }));
		}
	}
}

/** Saves the index. Returns a function that restores it if a hook rejects the commit, and returns the exit code. */
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

/** @throws GitError if paths are unmerged; they are printed */
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

/** Writes the index as a tree. Returns its id. */
export function indexTree(repository: Repository): string {
	return repository.index.writeTree((content) => repository.objects.write('tree', content));
}

/** Writes HEAD's tree with the named paths taken from the index. Other staged changes are left for another commit. */
export function partialTree(repository: Repository, paths: readonly string[]): string {
	const named = paths.length === 0 ? null : new Pathspec(repository, paths);
	const files = headFiles(repository);
	for (const path of [...files.keys()]) if (named?.matches(path)) files.delete(path);
	for (const entry of repository.index.entries()) {
		if (named?.matches(entry.path) && !entry.intentToAdd) files.set(entry.path, { mode: entry.mode, id: entry.id });
	}
	return buildTrees(entriesOf(files), (content) => repository.objects.write('tree', content)).id;
}
