import { encode } from '../bytes.ts';
import { GitError } from '../errors.ts';
import { EMPTY_TREE, objectId } from '../objects/object.ts';
import { Mode } from '#environment/mode.ts';
import type { Repository } from '../repository.ts';
import { applySparsity, sparsityWarnings } from './apply-sparsity.ts';
import { isChanged, lstatOrNull, placeTracked, removeFile } from './checkout.ts';
import { storedContent } from './file-state.ts';
import { treeFiles, type TreeFile } from './tree-files.ts';
import { requireWorktreePath, worktreeFiles } from './verify-path.ts';

/**
 * Updates index and working tree from one tree to another, leaving paths alone that are equal in both.
 * @param force overwrites changes instead of refusing
 * @param verb for the error message: `checkout`, `merge` or `reset`
 * @param target revision as typed, for the error message of a reset
 */
export function switchTree(
	repository: Repository,
	from: string | null,
	to: string,
	force: boolean,
	verb = 'checkout',
	target = ''
): void {
	const { index, objects, sparse } = repository;
	const before = treeFiles(objects, from ?? EMPTY_TREE);
	const after = worktreeFiles(objects, to);
	const write: [string, TreeFile][] = [];
	const remove: string[] = [];
	const changed: string[] = [];
	const untracked: string[] = [];
	const same = (a: TreeFile | undefined, b: TreeFile | undefined) => a?.id === b?.id && a?.mode === b?.mode;
	for (const path of new Set([
		...before.keys(),
		...after.keys(),
		...(force ? index.entries().map((entry) => entry.path) : [])
	])) {
		const old = before.get(path);
		const next = after.get(path);
		const entry = index.get(path);
		if (force) {
			if (next) {
				if (!same(entry, next) || (!entry?.skipWorktree && isChanged(repository, path, entry)))
					write.push([path, next]);
			} else if (entry || index.has(path)) remove.push(path);
			continue;
		}
		if (same(old, next) || same(entry, next)) continue;
		if (!entry && !old && !sparse.has(path)) {
			// Neither overwritten nor created.
		} else if (!entry && !old) {
			const stat = lstatOrNull(repository, repository.absolute(path));
			const identical =
				stat &&
				stat.kind !== 'directory' &&
				next &&
				objectId('blob', storedContent(repository, path, stat)) === next.id;
			const replaced = stat?.kind === 'directory' && holdsOnly(repository, path, before);
			if (stat && !identical && !replaced) untracked.push(path);
			const inWay = stat ? null : fileAbove(repository, path);
			if (inWay !== null && !before.has(inWay)) untracked.push(inWay);
		} else if (!same(entry, old) || (isChanged(repository, path, entry) && isThere(repository, path)))
			changed.push(path);
		if (next) write.push([path, next]);
		else remove.push(path);
	}
	if (verb === 'reset' && changed.length + untracked.length > 0) throw notUpToDate([...changed, ...untracked], target);
	refuse(changed, untracked, verb);
	for (const path of remove) {
		const mode = (before.get(path) ?? index.get(path))?.mode;
		index.remove(path);
		if (mode === Mode.commit) removeModuleDirectory(repository, path);
		removeFile(repository, path);
	}
	// Attributes are written first: they control the conversion of the other files.
	const isAttributes = ([path]: [string, TreeFile]) => path.endsWith('.gitattributes');
	write.sort((a, b) => Number(isAttributes(b)) - Number(isAttributes(a)));
	for (const [path, file] of write) index.set(placeTracked(repository, path, file, index.first(path)));
	if (sparse.isActive) repository.files.write(2, encode(sparsityWarnings(applySparsity(repository))));
}

/** File or link at a parent directory of a path; null if there is none. */
function fileAbove(repository: Repository, path: string): string | null {
	for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
		const stat = lstatOrNull(repository, repository.absolute(path.slice(0, end)));
		if (!stat) return null;
		if (stat.kind !== 'directory') return path.slice(0, end);
	}
	return null;
}

/** Returns true if all files of a directory belong to the tree being left. */
function holdsOnly(repository: Repository, path: string, tree: ReadonlyMap<string, TreeFile>): boolean {
	const full = repository.absolute(path);
	return repository.files
		.walk(full)
		.every(({ path: found, stat }) => stat.kind === 'directory' || tree.has(found.slice(repository.root.length + 1)));
}

/** Checks whether a file exists: a missing file is not a change that could be lost. */
const isThere = (repository: Repository, path: string): boolean =>
	lstatOrNull(repository, repository.absolute(path)) !== null;

/** Error of a reset that would lose changes, in git's words. */
export function notUpToDate(paths: readonly string[], target: string): GitError {
	const lines = [...paths].sort().map((path) => `error: Entry '${path}' not uptodate. Cannot merge.\n`);
	return new GitError(`${lines.join('')}fatal: Could not reset index file to revision '${target}'.`, 128);
}

function refuse(changed: string[], untracked: string[], verb: string): void {
	if (changed.length === 0 && untracked.length === 0) return;
	const list = (paths: string[]) =>
		[...new Set(paths)]
			.sort()
			.map((path) => `\t${path}\n`)
			.join('');
	const action = verb === 'merge' ? 'merge' : 'checkout';
	const end = verb === 'merge' ? 'merge' : 'switch branches';
	let text = '';
	if (changed.length > 0) {
		text += `error: Your local changes to the following files would be overwritten by ${action}:\n${list(changed)}`;
		text += `Please commit your changes or stash them before you ${end}.\n`;
	}
	if (untracked.length > 0) {
		text += `error: The following untracked working tree files would be overwritten by ${action}:\n${list(untracked)}`;
		text += `Please move or remove them before you ${end}.\n`;
	}
	throw new GitError(`${text}Aborting`, 1);
}

/** Removes the directory of a submodule; if it has files, it is kept with a warning. */
function removeModuleDirectory(repository: Repository, path: string): void {
	requireWorktreePath(path);
	const { files } = repository;
	const directory = repository.absolute(path);
	if (lstatOrNull(repository, directory)?.kind !== 'directory') return;
	if (files.readdir(directory).length === 0) files.rmdir(directory);
	else files.write(2, encode(`warning: unable to rmdir '${path}': Directory not empty\n`));
}
