import { absolute } from '#computer/abi/paths.ts';
import { comparePaths, decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { missingAsNull } from '../objects/store.ts';
import { Mode } from '#environment/mode.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { peel, resolveRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { contentOf } from '../worktree/file-state.ts';
import { IgnoreRules } from '../worktree/ignore-rules.ts';
import { scanRepository } from '../worktree/scan.ts';
import { treeFiles } from '../worktree/tree-files.ts';

/** File that may be searched, with its path relative to the top. */
export interface GrepFile {
	path: string;
	content: () => Uint8Array | null;
	/** Id of its content, if that is an object. */
	id?: string;
}

/** Files of a commit or a tree. @throws GitError for another object */
export function filesOfRevision(repository: Repository, revision: string): GrepFile[] {
	const { objects } = repository;
	const id = resolveRevision(repository, revision);
	if (objects.find(id)?.type === 'blob') return [{ path: '', content: () => objects.read(id, 'blob') }];
	const tree = peel(repository, id, 'tree');
	if (tree === null) throw fatal(`unable to grep from object of type ${objects.find(id)?.type ?? ''}`);
	return [...treeFiles(objects, tree)]
		.filter(([, { mode }]) => mode !== Mode.commit)
		.map(([path, { id }]) => ({ path, id, content: () => objects.read(id, 'blob') }));
}

/** Files of the index, with their staged content. */
export function filesOfIndex({ index, objects }: Repository): GrepFile[] {
	return index
		.entries()
		.filter(({ stage, mode, intentToAdd }) => stage === 0 && mode !== Mode.commit && !intentToAdd)
		.map(({ path, id }) => ({ path, id, content: () => objects.read(id, 'blob') }));
}

/** Tracked files of the working tree, and optionally others. */
export function filesOfWorktree(repository: Repository, others: 'none' | 'visible' | 'all'): GrepFile[] {
	const { index, objects, files } = repository;
	const found = new Map<string, () => Uint8Array | null>();
	const read = (path: string) => () => {
		const stat = lstatOrNull(repository, repository.absolute(path));
		return stat?.kind === 'file' ? contentOf(files, repository.absolute(path), stat) : null;
	};
	for (const entry of index.entries()) {
		const { path, mode, stage, assumeUnchanged, skipWorktree, intentToAdd, id } = entry;
		if (mode === Mode.commit || skipWorktree || found.has(path)) continue;
		// For a file assumed unchanged, the staged content is searched.
		if (!assumeUnchanged) found.set(path, read(path));
		else if (stage === 0 && !intentToAdd) found.set(path, () => objects.read(id, 'blob'));
	}
	if (others !== 'none') {
		const scan = scanRepository(repository, { listIgnored: true });
		const names = others === 'visible' ? scan.visible : scan.files.keys();
		for (const path of names) if (!found.has(path)) found.set(path, read(path));
	}
	return [...found].map(([path, content]) => ({ path, content })).sort((a, b) => comparePaths(a.path, b.path));
}

/**
 * Files of a directory that need not be in a repository, without those of `.git`.
 *
 * @param directory that paths are relative to
 * @param below paths of files and directories in it
 * @param excludes skips what `.gitignore` files name
 */
export function filesOfDirectory(
	git: Invocation,
	directory: string,
	below: readonly string[],
	excludes: boolean
): GrepFile[] {
	const { sync } = git.context;
	const rules = new IgnoreRules();
	const found = new Map<string, GrepFile>();
	const visit = (path: string): void => {
		const full = path === '' ? directory : absolute(path, directory);
		const kind = sync.lstat(full).kind;
		if (kind === 'file') found.set(path, { path, content: () => sync.readFile(full) });
		if (kind !== 'directory') return;
		if (excludes) addRules(sync, rules, path, full);
		for (const { name, kind: own } of sync.readdir(full)) {
			if (name === '.git') continue;
			const inner = path === '' ? name : `${path}/${name}`;
			if (!excludes || !rules.ignores(inner, own === 'directory')) visit(inner);
		}
	};
	for (const path of below) {
		if (sync.statOrNull(absolute(path, directory)) === null) continue;
		visit(path.replace(/^\.\/?/, '').replace(/\/$/, ''));
	}
	return [...found.values()].sort((a, b) => comparePaths(a.path, b.path));
}

function addRules(files: SyncSyscalls, rules: IgnoreRules, path: string, full: string): void {
	if (files.statOrNull(`${full}/.gitignore`)?.kind !== 'file') return;
	const bytes = missingAsNull(() => files.readFile(`${full}/.gitignore`));
	if (bytes) rules.add(path, decode(bytes));
}
