import { Mode } from '#environment/mode.ts';
import type { IndexEntry } from '../index/index-file.ts';
import type { Repository } from '../repository.ts';
import { prefetchFiles } from './prefetch-files.ts';
import { scanRepository } from './scan.ts';
import { requireWorktreePath } from './verify-path.ts';
import { isChanged, lstatOrNull, removeFile, writeFile } from './checkout.ts';

/** Paths that could not follow the patterns. */
export interface LeftBehind {
	/** Files with changes, which would be lost. */
	changed: string[];
	unmerged: string[];
	/** Untracked files in the way of files to be checked out. */
	present: string[];
}

/** Creates the files that the patterns of a sparse checkout now include, and removes those that they exclude. */
export function applySparsity(repository: Repository): LeftBehind {
	const { index, sparse } = repository;
	const left: LeftBehind = { changed: [], unmerged: [], present: [] };
	const isCreated = ({ path, stage, skipWorktree }: IndexEntry) => stage === 0 && skipWorktree && sparse.has(path);
	prefetchFiles(repository, index.entries().filter(isCreated));
	for (const entry of index.entries()) {
		const { path } = entry;
		if (entry.stage > 0) {
			if (left.unmerged.at(-1) !== path) left.unmerged.push(path);
		} else if (sparse.has(path)) {
			if (entry.skipWorktree) include(repository, entry, left);
		} else if (!entry.skipWorktree) exclude(repository, entry, left);
	}
	return left;
}

function include(repository: Repository, entry: IndexEntry, left: LeftBehind): void {
	const { index } = repository;
	const { path, intentToAdd } = entry;
	if (entry.mode !== Mode.commit && lstatOrNull(repository, repository.absolute(path)) !== null) {
		left.present.push(path);
		delete entry.skipWorktree;
		index.touch();
	} else index.set({ ...writeFile(repository, path, entry), intentToAdd });
}

function exclude(repository: Repository, entry: IndexEntry, left: LeftBehind): void {
	const { index } = repository;
	const { path } = entry;
	if (lstatOrNull(repository, repository.absolute(path)) !== null && isChanged(repository, path, entry))
		return void left.changed.push(path);
	// Contents of a submodule belong to another repository.
	if (entry.mode !== Mode.commit) removeFile(repository, path);
	entry.skipWorktree = true;
	index.touch();
}

/** Describes the paths that were left, as commands for users do; empty if there are none. */
export function sparsityWarnings({ changed, unmerged, present }: LeftBehind): string {
	const about = (what: string, paths: readonly string[]) =>
		paths.length === 0
			? ''
			: `warning: The following paths ${what} despite sparse patterns:\n${paths.map((path) => `\t${path}\n`).join('')}\n`;
	const text =
		about('are not up to date and were left', changed) +
		about('are unmerged and were left', unmerged) +
		about('were already present and thus not updated', present);
	return text === ''
		? ''
		: `${text}After fixing the above paths, you may want to run \`git sparse-checkout reapply\`.\n`;
}

/** Describes the paths that were left, as commands for scripts do. */
export const sparsityErrors = ({ changed, present }: LeftBehind): string =>
	[
		...changed.map((path) => `error: Path '${path}' not uptodate; will not remove from working tree.\n`),
		...present.map((path) => `error: Path '${path}' already present; will not overwrite with sparse update.\n`)
	].join('');

/** Removes directories outside the cone, except those with untracked files. */
export function removeOutsideCone(repository: Repository): void {
	const { index, sparse, files } = repository;
	const outside = directoriesOutside(repository).filter(
		(directory) => lstatOrNull(repository, repository.absolute(directory))?.kind === 'directory'
	);
	if (outside.length === 0 || !sparse.isActive) return;
	const { visible, nested } = scanRepository(repository, { listIgnored: true });
	const untracked = [...visible, ...nested].filter((path) => !index.has(path));
	for (const directory of outside) {
		requireWorktreePath(directory);
		if (untracked.some((path) => path.startsWith(`${directory}/`)))
			repository.warn(`directory '${directory}/' contains untracked files, but is not in the sparse-checkout cone`);
		else files.remove(repository.absolute(directory), { recursive: true });
	}
}

/** Topmost directories of which nothing is checked out; none while paths are in conflict. */
function directoriesOutside({ index, sparse }: Repository): string[] {
	const entries = index.entries();
	if (entries.some(({ stage }) => stage > 0)) return [];
	const kept = new Set<string>();
	for (const { path, skipWorktree, mode } of entries) {
		if (skipWorktree && mode !== Mode.commit) continue;
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) kept.add(path.slice(0, end));
	}
	const found = new Set<string>();
	for (const { path } of entries)
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
			const directory = path.slice(0, end);
			if (kept.has(directory) || sparse.isInCone(`${directory}/`)) continue;
			found.add(directory);
			break;
		}
	return [...found];
}
