import { Mode } from '#environment/mode.ts';
import { decode, encode } from '../bytes.ts';
import { failure } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { newEntry } from '../index/index-file.ts';
import { lstatOrNull, placeFile, removeFile } from '../worktree/checkout.ts';
import { changedFile, modeOf, storedContent } from '../worktree/file-state.ts';
import { stageFile } from '../worktree/staging.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import type { PatchSource, PatchTarget } from './target.ts';

/** Destination of patches: the working tree, the index, or both, which must match before. */
export type PatchPlace = 'files' | 'index' | 'both';

function objectOf(repository: Repository, id: string): Uint8Array | null {
	const found = repository.objects.find(id);
	return found?.type === 'blob' ? found.content : null;
}

/** Content of a submodule commit in patches. */
const linkContent = (id: string): Uint8Array => encode(`Subproject commit ${id}\n`);

/** Commit in the content of a patched submodule. @throws GitError if there is none */
function linkedCommit(path: string, content: Uint8Array): string {
	const id = /^Subproject commit ([0-9a-f]{40})\n?$/.exec(decode(content))?.[1];
	if (id === undefined) throw failure(`corrupt patch for submodule ${path}`, 128);
	return id;
}

/** Uses the files of a repository as a source for patches. */
export function repositorySource(repository: Repository, where: PatchPlace): PatchSource {
	const { objects } = repository;
	return {
		read(path, hasCrlf = false) {
			const entry = where === 'files' ? undefined : repository.index.get(path);
			if (where !== 'files' && !entry) return `${path}: does not exist in index`;
			if (entry?.mode === Mode.commit) return { mode: entry.mode, content: linkContent(entry.id) };
			if (entry && where === 'index') return { mode: entry.mode, content: objects.read(entry.id, 'blob') };
			const stat = lstatOrNull(repository, repository.absolute(path));
			if (!stat) return `${path}: No such file or directory`;
			const linked = stat.kind === 'directory' && where === 'files' ? repository.index.get(path) : undefined;
			if (linked?.mode === Mode.commit) return { mode: linked.mode, content: linkContent(linked.id) };
			if (stat.kind === 'directory') return `${path}: wrong type`;
			if (entry && changedFile(repository, entry, stat)) return `${path}: does not match index`;
			const purpose = hasCrlf ? 'keep line ends' : 'renormalize';
			return { mode: modeOf(stat), content: storedContent(repository, path, stat, purpose) };
		},
		occupied(path) {
			const entry = where === 'files' ? undefined : repository.index.get(path);
			// An intent-to-add entry has no content in the index yet.
			if (entry?.intentToAdd && where === 'both') return `${path}: does not match index`;
			if (entry ? !entry.intentToAdd : where !== 'files' && repository.index.has(path))
				return `${path}: already exists in index`;
			const stat = where === 'index' ? null : lstatOrNull(repository, repository.absolute(path));
			return stat && stat.kind !== 'directory' ? `${path}: already exists in working directory` : null;
		},
		object: (id) => objectOf(repository, id)
	};
}

/** Uses the files of a tree as a source for patches. */
export function treeSource(repository: Repository, tree: ReadonlyMap<string, TreeFile>): PatchSource {
	return {
		read(path) {
			const file = tree.get(path);
			return file
				? { mode: file.mode, content: repository.objects.read(file.id, 'blob') }
				: `${path}: does not exist in index`;
		},
		occupied: (path) => (tree.has(path) ? `${path}: already exists in index` : null),
		object: (id) => objectOf(repository, id)
	};
}

/** Writes the results of a patch target. @param isIntended adds new files to the index as intent-to-add */
export function writePatched(repository: Repository, target: PatchTarget, where: PatchPlace, isIntended = false): void {
	const all = [...target.results];
	const stages = where !== 'files';
	// Removals come first, so that they make room for new files.
	for (const [path, result] of all) {
		if (result) continue;
		if (where !== 'index') removeFile(repository, path);
		if (stages) repository.index.remove(path);
	}
	for (const [path, result] of all) {
		if (!result) continue;
		if (result.mode === Mode.commit) {
			if (where !== 'index') repository.files.mkdir(repository.absolute(path), { recursive: true });
			const id = linkedCommit(path, result.content);
			if (stages) repository.index.set(newEntry(path, { mode: Mode.commit, id }));
			continue;
		}
		if (where !== 'index') placeFile(repository, path, result.mode, result.content);
		if (where === 'both') {
			stageFile(repository, path, repository.files.lstat(repository.absolute(path)));
			// If permissions are not tracked, the mode is that of the patch.
			const entry = repository.index.get(path);
			if (entry && entry.mode !== result.mode) repository.index.set({ ...entry, mode: result.mode });
		}
		if (where === 'index') {
			const id = repository.objects.write('blob', result.content);
			repository.index.set(newEntry(path, { mode: result.mode, id }));
		} else if (isIntended && !repository.index.has(path)) {
			const id = repository.objects.write('blob', new Uint8Array(0));
			repository.index.set({ ...newEntry(path, { mode: result.mode, id }), intentToAdd: true });
		}
	}
	if (stages || isIntended) repository.index.save();
}
