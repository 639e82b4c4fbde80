import { encode } from '../bytes.ts';
import { EMPTY_TREE, NULL_ID } from '../objects/object.ts';
import { Mode } from '#environment/mode.ts';
import type { Repository } from '../repository.ts';
import { changedFile, hasStatOf, storedContent, worktreeFile } from '../worktree/file-state.ts';
import { scanRepository, type Scan } from '../worktree/scan.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import type { SubmoduleState } from '../worktree/submodules.ts';
import { compareFiles, makeChange, sortChanges, type Change, type ChangeSide } from './change.ts';

/** Tree of HEAD; the empty tree before the first commit. */
export function headTree(repository: Repository): string {
	const head = repository.head();
	return head === null ? EMPTY_TREE : repository.commit(head).tree;
}

/** Files that `git add --intent-to-add` only announced, as they count in the index: none, or empty ones. */
export type Announced = 'none' | 'empty';

/** Staged changes compared with `tree`. */
export function treeToIndex(repository: Repository, tree: string, announced: Announced = 'none'): Change[] {
	const { index, objects } = repository;
	if (index.knownTree === tree) return [];
	const staged = new Map<string, TreeFile>();
	const unmerged = new Set<string>();
	for (const entry of index.entries()) {
		if (entry.stage > 0) unmerged.add(entry.path);
		else if (announced === 'empty' || !entry.intentToAdd) staged.set(entry.path, entry);
	}
	const changes = compareFiles(treeFiles(objects, tree), staged);
	return sortChanges([
		...changes.filter(({ before, after }) => !unmerged.has((after ?? before)?.path ?? '')),
		...[...unmerged].map(unmergedChange)
	]);
}

/** Files in the index that are not in conflict. */
export function stagedFiles({ index }: Repository): Map<string, TreeFile> {
	return new Map(index.entries().flatMap((entry) => (entry.stage === 0 ? [[entry.path, entry] as const] : [])));
}

/**
 * Unstaged changes in the working tree.
 *
 * @param states of the submodules that count as changed; none if absent
 */
export function indexToWorktree(
	repository: Repository,
	scan: Scan = scanRepository(repository),
	states?: ReadonlyMap<string, SubmoduleState>,
	announced: Announced = 'none'
): Change[] {
	const { index, files } = repository;
	const changes: Change[] = [];
	const unmerged = new Set<string>();
	for (const entry of index.entries()) {
		if (entry.stage > 0) {
			unmerged.add(entry.path);
			continue;
		}
		const state = states?.get(entry.path);
		if (state) {
			changes.push(submoduleChange(entry.path, entry, entry, state));
			continue;
		}
		const stat = scan.files.get(entry.path);
		if (!stat) {
			const inPlace = states ? repositoryInPlace(repository, entry, scan) : null;
			if (inPlace) changes.push(makeChange(entry.path, entry, inPlace, true));
			if (scan.nested.includes(`${entry.path}/`) || entry.assumeUnchanged || entry.skipWorktree) continue;
			// The directory of an uninitialized submodule is empty.
			if (entry.mode === Mode.commit && files.statOrNull(repository.absolute(entry.path))?.kind === 'directory')
				continue;
			changes.push(makeChange(entry.path, entry, null));
			continue;
		}
		const now = changedFile(repository, entry, stat);
		if (entry.intentToAdd && announced === 'none') changes.push(makeChange(entry.path, null, now ?? entry, true));
		else if (now) changes.push(makeChange(entry.path, entry, now, true));
	}
	return sortChanges([...changes, ...[...unmerged].map(unmergedChange)]);
}

/**
 * Tracked files whose size or time is not that of the index, even if their content is: for scripts, they count as
 * changed until the index is refreshed.
 */
export function touchedFiles({ index }: Repository, scan: Scan): Change[] {
	return index.entries().flatMap((entry) => {
		const stat = scan.files.get(entry.path);
		const isLooked = entry.stage === 0 && !entry.assumeUnchanged && !entry.skipWorktree && !entry.intentToAdd;
		if (!stat || !isLooked || entry.mode === Mode.commit || hasStatOf(entry, stat)) return [];
		return [makeChange(entry.path, entry, { mode: entry.mode, id: entry.id }, true)];
	});
}

/** A repository with a commit in place of a tracked file counts as a submodule. */
function repositoryInPlace(
	repository: Repository,
	{ path, mode }: TreeFile & { path: string },
	scan: Scan
): TreeFile | null {
	if (mode === Mode.commit || !scan.nested.includes(`${path}/`)) return null;
	const head = repository.nested(path)?.head() ?? null;
	return head === null ? null : { mode: Mode.commit, id: head };
}

/** Change of a submodule that has another commit or its own changes. */
function submoduleChange(path: string, before: TreeFile | null, entry: TreeFile, state: SubmoduleState): Change {
	const { head, isMoved, isModified, hasUntracked } = state;
	const change = makeChange(path, before, { mode: entry.mode, id: isMoved ? head : entry.id }, isMoved);
	if (isModified || hasUntracked) change.after!.dirt = { isModified, hasUntracked };
	return change;
}

/**
 * Differences between `tree` and the tracked files of the working tree.
 *
 * @param states of the submodules that count as changed; others have their staged commit
 */
export function treeToWorktree(
	repository: Repository,
	tree: string,
	states?: ReadonlyMap<string, SubmoduleState>
): Change[] {
	const { index } = repository;
	const scan = scanRepository(repository);
	const before = treeFiles(repository.objects, tree);
	const changes: Change[] = [];
	const tracked = new Map(index.entries().map((entry) => [entry.path, entry]));
	for (const path of new Set([...before.keys(), ...tracked.keys()])) {
		const entry = tracked.get(path);
		const stat = entry && scan.files.get(path);
		const old = before.get(path) ?? null;
		let now: TreeFile | null = null;
		const state = states?.get(path);
		if (entry && state) {
			changes.push(submoduleChange(path, old, entry, state));
			continue;
		}
		const inPlace = entry && states ? repositoryInPlace(repository, entry, scan) : null;
		if (inPlace) now = inPlace;
		else if (entry?.mode === Mode.commit && scan.nested.includes(`${path}/`)) now = entry;
		else if (entry && stat) {
			now = entry.stage > 0 ? worktreeFile(repository, path, stat) : (changedFile(repository, entry, stat) ?? entry);
		} else if (entry?.skipWorktree) now = entry;
		if (old?.id === now?.id && old?.mode === now?.mode) continue;
		changes.push(makeChange(path, old, now && { mode: now.mode, id: now.id }, true));
	}
	return sortChanges(changes);
}

function unmergedChange(path: string): Change {
	const side: ChangeSide = { path, mode: 0, id: NULL_ID, inWorktree: true };
	return { status: 'U', before: side, after: side, similarity: 0 };
}

/** Content of one side; empty if the side does not exist. */
export function sideContent(repository: Repository, side: ChangeSide | null): Uint8Array {
	if (!side) return new Uint8Array(0);
	if (side.content) return side.content;
	// A submodule's commit is in another repository; git shows its id as the content.
	if (side.mode === Mode.commit) return encode(`Subproject commit ${side.id}${side.dirt ? '-dirty' : ''}\n`);
	if (!side.inWorktree) {
		return repository.objects.read(side.id, 'blob');
	}
	const path = side.source ?? side.path;
	// Content of the working tree may never have been an object of any repository.
	const found = repository.objects.findPresent(side.id);
	return found?.type === 'blob'
		? found.content
		: storedContent(repository, path, repository.files.lstat(repository.absolute(path)));
}
