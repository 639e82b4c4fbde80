import { expect } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import type { Tree } from '#session/storage/file-journal.ts';
import type { Checkpoint } from '#workspace/contract.ts';

/** Folder of the files; paths in trees are relative to it. */
export const ROOT = '/workspace/';

type Texts = Record<string, string>;

/** State found when the session was reopened. */
export interface Found {
	entries: string[];
	files: Texts;
	checkpoints: { checkpoint: Checkpoint; texts: Texts }[];
}

/** Expected content of a session: everything acknowledged, and nothing that never happened. */
export class Model {
	/** The computer's files, including those that are not stored. */
	files: Texts = {};
	readonly entries: string[] = [];
	/** The stored files after each change. */
	readonly #states: Texts[] = [{}];
	readonly #checkpoints: { id: string; texts: Texts }[] = [];
	#acknowledged = { entries: 0, states: 0, checkpoints: 0 };

	changed(): void {
		this.#states.push(this.kept());
	}

	/** Creates a checkpoint of the current files. */
	async checkpoint(): Promise<{ checkpoint: Checkpoint; tree: Tree }> {
		const texts = this.kept();
		const tree: Tree = new Map();
		for (const [path, text] of Object.entries(texts))
			tree.set(path.slice(ROOT.length), { mode: 0o100644, blob: await blobId(new TextEncoder().encode(text)) });
		const id = `checkpoint ${this.#checkpoints.length}`;
		this.#checkpoints.push({ id, texts });
		const checkpoint = { id, tree: `tree of ${JSON.stringify(texts)}`, label: 'a turn', timestamp: 0, entryId: '' };
		return { checkpoint, tree };
	}

	acknowledge(): void {
		const states = this.#states.length - 1;
		this.#acknowledged = { entries: this.entries.length, states, checkpoints: this.#checkpoints.length };
	}

	/**
	 * Requires that everything acknowledged is there and nothing is incomplete; of the rest, anything missing never
	 * happened.
	 */
	check(found: Found): void {
		const { entries, states, checkpoints } = this.#acknowledged;
		expect(found.entries).toEqual(this.entries.slice(0, found.entries.length));
		expect(found.entries.length).toBeGreaterThanOrEqual(entries);
		const wanted = JSON.stringify(sorted(found.files));
		// The same files may have occurred more than once; until the next flush, a power cut restores a state after the
		// last.
		const state = this.#states.findLastIndex((each, index) => index >= states && JSON.stringify(each) === wanted);
		if (state === -1) expect(this.#states.slice(states)).toContainEqual(found.files);
		const known = found.checkpoints.map(({ checkpoint, texts }) => ({ id: checkpoint.id, texts: sorted(texts) }));
		expect(known).toEqual(this.#checkpoints.slice(0, known.length));
		expect(known.length).toBeGreaterThanOrEqual(checkpoints);
		this.entries.length = found.entries.length;
		this.#states.length = state + 1;
		this.#checkpoints.length = known.length;
		this.files = { ...found.files };
	}

	kept(): Texts {
		return sorted(Object.fromEntries(Object.entries(this.files).filter(([path]) => !path.startsWith('/tmp/'))));
	}
}

function sorted(texts: Texts): Texts {
	return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
