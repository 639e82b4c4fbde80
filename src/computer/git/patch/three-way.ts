import type { Invocation } from '../invocation.ts';
import { newEntry } from '../index/index-file.ts';
import { mergeContents } from '../merge/merge-blobs.ts';
import { MergePlan, type OfSides } from '../merge/merge-plan.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { Mode } from '#environment/mode.ts';
import { quotePath } from '../quote-path.ts';
import { findRevision } from '../refs/revision.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import type { FilePatch, PatchedFile } from './file-patch.ts';

const LABELS = { ours: 'ours', theirs: 'theirs', base: 'base' };

/** Merges patches into the current files, based on the versions that they were made for. */
export class ThreeWay {
	/** Stages of files in conflict, by path. */
	readonly conflicts = new Map<string, OfSides<TreeFile | null>>();

	constructor(
		private readonly git: Invocation,
		private readonly say: (text: string) => void
	) {}

	/** @returns true if a three-way merge of the patch is possible; a new file is merged with an existing one */
	suits({ kind, oldMode, newMode, hunks, isBinary }: FilePatch, isInTheWay: boolean): boolean {
		if (kind === 'delete' || oldMode === Mode.commit || newMode === Mode.commit) return false;
		if (kind === 'create') return isInTheWay;
		return kind !== 'rename' || hunks.length > 0 || isBinary;
	}

	/**
	 * Merges one file.
	 *
	 * @param apply applies the patch to a content; null if it does not apply
	 * @returns null if the merge is not possible
	 */
	merge(
		patch: FilePatch,
		now: PatchedFile,
		isInTheWay: boolean,
		apply: (base: Uint8Array) => Uint8Array | null
	): Uint8Array | null {
		const { git } = this;
		const { objects } = git.repository;
		const path = patch.newPath;
		const isNew = patch.kind === 'create';
		const base = isNew ? new Uint8Array(0) : this.#blob(patch.oldId);
		if (!base) {
			this.say('error: repository lacks the necessary blob to perform 3-way merge.\n');
			return null;
		}
		if (isInTheWay) this.say('Performing three-way merge...\n');
		const after = apply(base);
		if (!after) return null;
		const ids = [base, now.content, after].map((bytes) => objects.write('blob', bytes)) as OfSides<string>;
		const { bytes, isClean } = this.#merged(path, ids, [base, now.content, after]);
		if (!isClean) {
			const mode = patch.newMode ?? now.mode;
			const stages = ids.map((id, at) => (at === 0 && isNew ? null : { mode, id }));
			this.conflicts.set(path, stages as OfSides<TreeFile | null>);
		}
		this.say(`Applied patch to '${path}' ${isClean ? 'cleanly' : 'with conflicts'}.\n`);
		return bytes;
	}

	#blob(id: string): Uint8Array | null {
		const { repository } = this.git;
		const full = id === '' ? null : findRevision(repository, id);
		const found = full === null ? null : repository.objects.find(full);
		return found?.type === 'blob' ? found.content : null;
	}

	#merged(path: string, ids: OfSides<string>, [, now, after]: OfSides<Uint8Array>) {
		const [base, ours, theirs] = ids;
		if (base === ours) return { bytes: after, isClean: true };
		if (base === theirs || ours === theirs) return { bytes: now, isClean: true };
		const plan = new MergePlan(this.git, [EMPTY_TREE, EMPTY_TREE, EMPTY_TREE], LABELS, 0);
		const merged = mergeContents(plan, path, ids, [path, path, path], 0);
		for (const { text } of plan.notices()) this.say(`${text}\n`);
		return merged;
	}

	/** Records the conflicts in the index, and reports them. */
	stage(): void {
		const { index } = this.git.repository;
		for (const [path, stages] of [...this.conflicts].sort(([a], [b]) => (a < b ? -1 : 1))) {
			index.remove(path);
			stages.forEach((file, at) => {
				if (file) index.setStage(newEntry(path, file, at + 1));
			});
			this.say(`U ${quotePath(path)}\n`);
		}
		index.save();
	}
}
