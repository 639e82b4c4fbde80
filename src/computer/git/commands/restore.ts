import { failure, fatal } from '../errors.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { peel, resolveRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull, removeFile, writeFile } from '../worktree/checkout.ts';
import { changedFile } from '../worktree/file-state.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import { worktreeFiles } from '../worktree/verify-path.ts';
import { newEntry } from '../index/index-file.ts';

export const restore: Command = (git, args) => {
	const options = parseOptions('restore [<options>] [--source=<branch>] <file>...', args, {
		staged: '-S --staged',
		worktree: '-W --worktree',
		source: '-s --source =',
		quiet: '-q --quiet',
		ours: '--ours -2',
		theirs: '--theirs -3'
	});
	const paths = [...options.operands, ...(options.paths ?? [])];
	if (paths.length === 0) throw fatal('you must specify path(s) to restore');
	const staged = options.has('staged');
	restorePaths(git.repository, {
		source: options.get('source') ?? (staged ? 'HEAD' : null),
		paths,
		staged,
		worktree: options.has('worktree') || !staged,
		stage: options.has('ours') ? 2 : options.has('theirs') ? 3 : 0
	});
	return 0;
};

/** Source and destination of restored files. */
export interface Restore {
	/** A revision; null for the index. */
	source: string | null;
	paths: readonly string[];
	staged: boolean;
	worktree: boolean;
	/** Side of a conflict, if restored from the index. */
	stage: number;
}

/** Gives how many files were written or removed. */
export function restorePaths(repository: Repository, { source, paths, staged, worktree, stage }: Restore): number {
	const { index, files, root } = repository;
	const pathspec = new Pathspec(repository, paths);
	const wanted = source === null ? indexFiles(repository, stage) : sourceFiles(repository, source);
	const known = new Set([...wanted.keys(), ...(source !== null ? index.entries().map(({ path }) => path) : [])]);
	const missing = pathspec.unmatched(known);
	if (missing !== undefined) throw failure(`pathspec '${missing}' did not match any file(s) known to git`);
	let count = 0;
	for (const path of known) {
		if (!pathspec.matches(path)) continue;
		const file = wanted.get(path);
		const entry = index.get(path);
		if (!file) {
			// `checkout <tree> -- <path>` overlays: what the tree does not have stays.
			if (staged && !worktree) index.remove(path);
			else if (source !== null && entry) {
				if (staged) index.remove(path);
				removeFile(repository, path);
			}
			continue;
		}
		const stat = lstatOrNull(repository, repository.absolute(path));
		const same =
			entry &&
			stat &&
			entry.id === file.id &&
			entry.mode === file.mode &&
			!changedFile(files, index, root, entry, stat);
		const inIndex = entry?.id === file.id && entry.mode === file.mode;
		if (worktree && !same) {
			const made = writeFile(repository, path, file);
			count++;
			if (staged || inIndex) index.set(made);
		} else if (staged && !inIndex) {
			index.set(newEntry(path, file));
			count++;
		}
	}
	index.save();
	return count;
}

function sourceFiles(repository: Repository, source: string): Map<string, TreeFile> {
	if (source === 'HEAD' && repository.head() === null) return worktreeFiles(repository.objects, EMPTY_TREE);
	const tree = peel(repository, resolveRevision(repository, source), 'tree');
	if (tree === null) throw fatal(`could not resolve ${source}`);
	return worktreeFiles(repository.objects, tree);
}

function indexFiles(repository: Repository, stage: number): Map<string, TreeFile> {
	const files = new Map<string, TreeFile>();
	for (const entry of repository.index.entries()) {
		if (entry.stage === 0 || entry.stage === stage) files.set(entry.path, entry);
	}
	return files;
}
