import { binaryBytes, splitLines } from '../diff/lines.ts';
import { Mode } from '#environment/mode.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull, placeFile, removeFile } from '../worktree/checkout.ts';
import { changedFile, contentOf, modeOf } from '../worktree/file-state.ts';
import { stageFile } from '../worktree/staging.ts';
import { isWorktreePath } from '../worktree/verify-path.ts';
import { applyHunks, type HunkRules } from './apply-hunks.ts';
import type { FilePatch } from './file-patch.ts';
import { newEntry } from '../index/index-file.ts';

interface Patched {
	mode: number;
	content: Uint8Array;
}

/** The files patches are applied to: nothing is written before all have been taken. */
export class PatchTarget {
	/** Result for each path; null to remove it. */
	#results = new Map<string, Patched | null>();

	/** @param where `files`: the working tree; `index`: it alone; `both`: they must be the same before */
	constructor(
		private readonly repository: Repository,
		private readonly where: 'files' | 'index' | 'both',
		private readonly rules: HunkRules
	) {}

	/** Applies one more patch in memory. @returns what keeps it from being applied, as git says it */
	take(patch: FilePatch): string[] {
		const { kind, oldPath, newPath } = patch;
		const hostile = [oldPath, newPath].find((path) => !isWorktreePath(path));
		if (hostile !== undefined) return [`invalid path '${hostile}'`];
		const isNew = kind === 'create';
		const before = isNew ? { mode: patch.newMode ?? Mode.file, content: new Uint8Array(0) } : this.#before(oldPath);
		if (typeof before === 'string') return [before];
		if (isNew || ((kind === 'rename' || kind === 'copy') && newPath !== oldPath)) {
			const problem = this.#inTheWay(newPath);
			if (problem !== null) return [problem];
		}
		if (patch.isBinary)
			return [`cannot apply binary patch to '${newPath}' without full index line`, `${newPath}: patch does not apply`];
		const applied = applyHunks(splitLines(before.content), patch.hunks, this.rules);
		if ('failed' in applied)
			return [`patch failed: ${oldPath}:${applied.failed.oldStart}`, `${oldPath}: patch does not apply`];
		const content = binaryBytes(applied.lines.join(''));
		if (kind === 'delete' && content.length > 0)
			return ['removal patch leaves file contents', `${oldPath}: patch does not apply`];
		if (kind === 'delete' || kind === 'rename') this.#results.set(oldPath, null);
		if (kind !== 'delete') this.#results.set(newPath, { mode: patch.newMode ?? before.mode, content });
		return [];
	}

	/** Writes what was taken. */
	write(): void {
		const { repository, where } = this;
		const all = [...this.#results];
		// What goes makes way for what comes.
		for (const [path, result] of all) {
			if (result) continue;
			if (where !== 'index') removeFile(repository, path);
			if (where !== 'files') repository.index.remove(path);
		}
		for (const [path, result] of all) {
			if (!result) continue;
			if (where !== 'index') placeFile(repository, path, result.mode, result.content);
			if (where === 'both') stageFile(repository, path, repository.files.lstat(repository.absolute(path)));
			if (where === 'index') {
				const id = repository.objects.write('blob', result.content);
				repository.index.set(newEntry(path, { mode: result.mode, id }));
			}
		}
		if (where !== 'files') repository.index.save();
	}

	#before(path: string): Patched | string {
		const earlier = this.#results.get(path);
		if (earlier) return earlier;
		if (earlier === null) return `${path}: No such file or directory`;
		const { repository, where } = this;
		const entry = where === 'files' ? undefined : repository.index.get(path);
		if (where !== 'files' && !entry) return `${path}: does not exist in index`;
		if (entry && where === 'index') return { mode: entry.mode, content: repository.objects.read(entry.id, 'blob') };
		const stat = lstatOrNull(repository, repository.absolute(path));
		if (!stat) return `${path}: No such file or directory`;
		if (stat.kind === 'directory') return `${path}: wrong type`;
		if (entry && changedFile(repository.files, repository.index, repository.root, entry, stat))
			return `${path}: does not match index`;
		return { mode: modeOf(stat), content: contentOf(repository.files, repository.absolute(path), stat) };
	}

	#inTheWay(path: string): string | null {
		const { repository, where } = this;
		const earlier = this.#results.get(path);
		if (earlier === null) return null;
		if (earlier) return `${path}: already exists in working directory`;
		if (where !== 'files' && repository.index.has(path)) return `${path}: already exists in index`;
		const stat = where === 'index' ? null : lstatOrNull(repository, repository.absolute(path));
		return stat && stat.kind !== 'directory' ? `${path}: already exists in working directory` : null;
	}
}
