import { encode } from '../bytes.ts';
import { GitError } from '../errors.ts';
import { EMPTY_TREE, objectId } from '../objects/object.ts';
import { Mode } from '#environment/mode.ts';
import type { Repository } from '../repository.ts';
import { applySparsity, sparsityWarnings } from './apply-sparsity.ts';
import { isChanged, lstatOrNull, placeTracked, removeFile } from './checkout.ts';
import { storedContent } from './file-state.ts';
import { type ModuleFollower, requireMovable } from './module-follower.ts';
import { prefetchTracked } from './prefetch-files.ts';
import { scanRepository } from './scan.ts';
import { treeFiles, type TreeFile } from './tree-files.ts';
import { requireWorktreePath, worktreeFiles } from './verify-path.ts';

/** Options for updating index and working tree. */
interface SwitchHow {
	/** Overwrites changes instead of refusing. */
	force?: boolean;
	/** Selects the error message; `checkout` by default. */
	verb?: 'checkout' | 'merge' | 'reset' | 'module';
	/** For the error message: revision as typed of a reset, or path of a submodule. */
	target?: string;
	/** If absent, submodules stay where they are. */
	modules?: ModuleFollower | null;
}

/** Changes of index and working tree. */
interface SwitchPlan {
	write: [string, TreeFile][];
	/** Paths to remove, with their modes. */
	remove: [path: string, mode: number | undefined][];
}

/** Updates index and working tree from one tree to another, leaving paths alone that are equal in both. */
export function switchTree(repository: Repository, from: string | null, to: string, how: SwitchHow = {}): void {
	const { write, remove } = planSwitch(repository, from, to, how);
	const { modules = null } = how;
	for (const [path, mode] of remove) removeEntry(repository, path, mode, modules);
	// Attributes are written first: they control the conversion of the other files, as .gitmodules does submodules.
	const isFirst = ([path]: [string, TreeFile]) => path === '.gitmodules' || path.endsWith('.gitattributes');
	write.sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
	prefetchTracked(repository, write);
	for (const [path, file] of write) writeEntry(repository, path, file, modules);
	if (repository.sparse.isActive) repository.files.write(2, encode(sparsityWarnings(applySparsity(repository))));
}

/** Removes a file or submodule from index and working tree. */
export function removeEntry(
	repository: Repository,
	path: string,
	mode: number | undefined,
	modules: ModuleFollower | null
): void {
	repository.index.remove(path);
	if (mode === Mode.commit && !modules?.move(path, null)) removeModuleDirectory(repository, path);
	removeFile(repository, path);
}

/** Writes a file or submodule to index and working tree. */
export function writeEntry(repository: Repository, path: string, file: TreeFile, modules: ModuleFollower | null): void {
	const { index } = repository;
	const before = index.first(path);
	// The directory of a submodule makes way for a file.
	if (modules && file.mode !== Mode.commit && before?.mode === Mode.commit) modules.move(path, null);
	index.set(placeTracked(repository, path, file, before));
	if (modules && file.mode === Mode.commit) modules.move(path, file.id);
}

/**
 * Plans the update of index and working tree from one tree to another.
 *
 * @throws GitError if changes would be lost
 */
export function planSwitch(
	repository: Repository,
	from: string | null,
	to: string,
	{ force = false, verb = 'checkout', target = '', modules = null }: SwitchHow
): SwitchPlan {
	const { index, objects, sparse } = repository;
	const before = treeFiles(objects, from ?? EMPTY_TREE);
	const after = worktreeFiles(objects, to);
	const plan: SwitchPlan = { write: [], remove: [] };
	const changed: string[] = [];
	const untracked: string[] = [];
	for (const path of new Set([
		...before.keys(),
		...after.keys(),
		...(force ? index.entries().map((entry) => entry.path) : [])
	])) {
		const old = before.get(path);
		const next = after.get(path);
		const entry = index.get(path);
		if (force) {
			const isModule = modules !== null && next?.mode === Mode.commit;
			if (next) {
				const isKept = isSame(entry, next) && (entry?.skipWorktree || !isChanged(repository, path, entry));
				if (isModule || !isKept) plan.write.push([path, next]);
			} else if (entry || index.has(path)) plan.remove.push([path, (old ?? entry)?.mode]);
			continue;
		}
		if (isSame(old, next) || isSame(entry, next)) continue;
		if (!entry && !old) {
			// What is left out of a sparse checkout is neither overwritten nor created.
			if (sparse.has(path)) untracked.push(...overwritten(repository, path, next, before));
		} else if (!isSame(entry, old) || (isChanged(repository, path, entry) && isThere(repository, path)))
			changed.push(path);
		if (next) plan.write.push([path, next]);
		else plan.remove.push([path, (old ?? entry)?.mode]);
	}
	const lost = untracked.length === 0 ? [] : withoutIgnored(repository, untracked);
	if (verb === 'module') requireKept(index, before, { changed, untracked: lost }, target);
	if (verb === 'reset' && changed.length + lost.length > 0) throw notUpToDate([...changed, ...lost], target);
	refuse(changed, lost, verb);
	if (modules) {
		const removed = plan.remove.map(([path]) => ({
			path,
			before: index.get(path) ?? before.get(path),
			after: undefined
		}));
		const written = plan.write.map(([path, file]) => ({ path, before: index.get(path), after: file }));
		requireMovable([...removed, ...written], modules);
	}
	return plan;
}

const isSame = (a: TreeFile | undefined, b: TreeFile | undefined) => a?.id === b?.id && a?.mode === b?.mode;

/** Untracked files that a new file would overwrite: one in its place, or one at a parent directory. */
function overwritten(
	repository: Repository,
	path: string,
	next: TreeFile | undefined,
	before: ReadonlyMap<string, TreeFile>
): string[] {
	const stat = lstatOrNull(repository, repository.absolute(path));
	if (!stat) {
		const inWay = fileAbove(repository, path);
		return inWay !== null && !before.has(inWay) ? [inWay] : [];
	}
	if (stat.kind === 'directory') return next?.mode === Mode.commit || holdsOnly(repository, path, before) ? [] : [path];
	return next && objectId('blob', storedContent(repository, path, stat)) === next.id ? [] : [path];
}

/** Ignored files are of no value, so they may be overwritten. */
function withoutIgnored(repository: Repository, paths: readonly string[]): string[] {
	const { files, visible } = scanRepository(repository, { listIgnored: true });
	return paths.filter((path) => !files.has(path) || visible.has(path));
}

/** @throws GitError about the first file of a submodule whose changes would be lost, in git's words */
function requireKept(
	index: Repository['index'],
	before: ReadonlyMap<string, TreeFile>,
	{ changed, untracked }: { changed: readonly string[]; untracked: readonly string[] },
	module: string
): void {
	const [path] = [...changed, ...untracked].sort();
	if (path === undefined) return;
	const shown = `${module}/${path}`;
	if (untracked.includes(path))
		throw new GitError(`error: Untracked working tree file '${shown}' would be overwritten by merge.`, 128);
	const isStaged = !isSame(index.get(path), before.get(path));
	const fault = isStaged ? 'would be overwritten by merge' : 'not uptodate';
	throw new GitError(`error: Entry '${shown}' ${fault}. Cannot merge.`, 128);
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
