import { Mode } from '#environment/mode.ts';
import { binaryBytes, splitLines } from '../diff/lines.ts';
import type { Invocation } from '../invocation.ts';
import { MARKER_SIZE, mergeText } from '../merge/merge-text.ts';
import type { Repository } from '../repository.ts';
import { Attributes } from '../worktree/attributes.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { contentOf } from '../worktree/file-state.ts';
import { stageFile } from '../worktree/staging.ts';
import { forget } from '../sequence/replay.ts';
import { normalFile, type NormalFile } from './conflict-hunks.ts';
import { ResolutionCache, type Recorded } from './resolution-cache.ts';

/** Returns whether resolutions are recorded: as configured, or by default if a cache exists. */
export function remembersResolutions(repository: Repository): boolean {
	const set = repository.config.get('rerere.enabled');
	return set === undefined ? new ResolutionCache(repository).exists : repository.config.flag('rerere.enabled', false);
}

/**
 * Records conflicts and their resolutions, and resolves known conflicts.
 *
 * @param stages whether to stage resolved paths; by default as configured
 */
export function rememberResolutions(git: Invocation, stages?: boolean): void {
	const { repository } = git;
	if (!remembersResolutions(repository)) return;
	const cache = new ResolutionCache(repository);
	const entries = cache.underWay();
	for (const path of conflictingPaths(repository)) {
		const file = entries.has(path) ? null : normalAt(repository, path);
		if (file && file.hunks > 0) entries.set(path, { id: file.id, variant: null });
	}
	const resolved: string[] = [];
	for (const [path, recorded] of [...entries]) {
		const outcome = rememberOne(git, cache, path, recorded);
		if (outcome !== 'recorded') entries.delete(path);
		if (outcome === 'replayed') resolved.push(path);
	}
	if (stages ?? repository.config.flag('rerere.autoupdate', false)) stage(git, resolved);
	else for (const path of resolved) git.err(`Resolved '${path}' using previous resolution.\n`);
	if (entries.size > 0 || repository.note('MERGE_RR') !== null) cache.keepUnderWay(entries);
}

/** Conflicting paths that are files on both sides. */
export function conflictingPaths({ index }: Repository): string[] {
	const isFile = (path: string, stage: number) => {
		const mode = index.get(path, stage)?.mode;
		return mode === Mode.file || mode === Mode.executable;
	};
	return index.unmerged().filter((path) => isFile(path, 2) && isFile(path, 3));
}

/** Normalized file at a path; null if there is no file, or its markers do not match. */
function normalAt(repository: Repository, path: string): NormalFile | null {
	const content = contentAt(repository, path);
	return content && normalFile(content, markerSize(repository, path));
}

export function contentAt(repository: Repository, path: string): Uint8Array | null {
	const full = repository.absolute(path);
	const stat = lstatOrNull(repository, full);
	return stat?.kind === 'file' ? contentOf(repository.files, full, stat) : null;
}

function markerSize(repository: Repository, path: string): number {
	const size = Number(new Attributes(repository).get(path, 'conflict-marker-size'));
	return Number.isInteger(size) && size > 0 ? size : MARKER_SIZE;
}

function rememberOne(
	git: Invocation,
	cache: ResolutionCache,
	path: string,
	recorded: Recorded
): 'recorded' | 'resolved' | 'replayed' {
	const { repository } = git;
	const file = normalAt(repository, path);
	if (recorded.variant !== null) {
		const content = contentAt(repository, path);
		if (!content || !file || file.hunks > 0) return 'recorded';
		cache.write(recorded, 'postimage', content);
		git.err(`Recorded resolution for '${path}'.\n`);
		return 'resolved';
	}
	if (!file) return 'resolved';
	if (replay(repository, cache, path, file)) return 'replayed';
	const known = cache.variants(recorded.id);
	let variant = 0;
	while (known.includes(variant)) variant++;
	recorded.variant = variant;
	cache.write(recorded, 'preimage', file.content);
	git.err(`Recorded preimage for '${path}'\n`);
	return 'recorded';
}

/** Reapplies a known resolution. Returns false if none applies. */
function replay(repository: Repository, cache: ResolutionCache, path: string, file: NormalFile): boolean {
	const resolved = new Set(cache.variants(file.id, 'postimage'));
	for (const variant of cache.variants(file.id)) {
		const recorded = { id: file.id, variant };
		const [before, after] = [cache.read(recorded, 'preimage'), cache.read(recorded, 'postimage')];
		if (!resolved.has(variant) || !before || !after) continue;
		const labels = { ours: '', theirs: '' };
		const merged = mergeText(splitLines(before), splitLines(file.content), splitLines(after), labels);
		if (merged.conflicts > 0) continue;
		repository.files.writeFile(repository.absolute(path), binaryBytes(merged.lines.join('')));
		// Rewritten so that a resolution in use is kept longer.
		cache.write(recorded, 'postimage', after);
		return true;
	}
	return false;
}

function stage(git: Invocation, paths: readonly string[]): void {
	const { repository } = git;
	for (const path of paths) {
		const stat = lstatOrNull(repository, repository.absolute(path));
		if (!stat) continue;
		stageFile(repository, path, stat);
		git.err(`Staged '${path}' using previous resolution.\n`);
	}
	repository.index.save();
}

/** Forgets the resolution of a conflicting path, and tracks the conflict again. */
export function forgetResolution(git: Invocation, path: string): void {
	const { repository } = git;
	const cache = new ResolutionCache(repository);
	const file = conflictOf(repository, path);
	if (!file || file.hunks === 0) return git.err(`error: could not parse conflict hunks in '${path}'\n`);
	const resolved = cache.variants(file.id, 'postimage');
	const fits = (variant: number) => {
		const recorded = { id: file.id, variant };
		const [before, after] = [cache.read(recorded, 'preimage'), cache.read(recorded, 'postimage')];
		if (!before || !after) return false;
		const labels = { ours: '', theirs: '' };
		return mergeText(splitLines(before), splitLines(file.content), splitLines(after), labels).conflicts === 0;
	};
	const variant = resolved.find(fits);
	if (variant === undefined) return git.err(`error: no remembered resolution for '${path}'\n`);
	const recorded = { id: file.id, variant };
	cache.remove(recorded, 'postimage');
	cache.write(recorded, 'preimage', file.content);
	git.err(`Updated preimage for '${path}'\nForgot resolution for '${path}'\n`);
	cache.keepUnderWay(cache.underWay().set(path, recorded));
}

/** Conflict of a path, computed from its index stages. */
function conflictOf(repository: Repository, path: string): NormalFile | null {
	const size = markerSize(repository, path);
	const [base, ours, theirs] = [1, 2, 3].map((at) => {
		const entry = repository.index.get(path, at);
		return entry ? splitLines(repository.objects.read(entry.id, 'blob')) : [];
	});
	const merged = mergeText(base!, ours!, theirs!, { ours: 'ours', theirs: 'theirs', markerSize: size });
	return normalFile(binaryBytes(merged.lines.join('')), size);
}

/** Stops tracking the current conflicts, and deletes the records of those that were not resolved. */
export function forgetConflicts(repository: Repository): void {
	const cache = new ResolutionCache(repository);
	for (const recorded of cache.underWay().values())
		if (cache.read(recorded, 'postimage') === null) cache.remove(recorded, 'preimage', 'thisimage');
	forget(repository, 'MERGE_RR');
}
