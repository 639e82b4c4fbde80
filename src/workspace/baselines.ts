import type { Checkpoint } from './contract.ts';
import type { ReadonlyTree, Tree } from './checkpoint-store.ts';
import { headOf } from './head-of.ts';

/** Tree ids that changes are counted from. */
export interface KeptBaselines {
	/** Applies to a commit that was not seen before. */
	current: string;
	/** By the commit of git's HEAD, see {@link headOf}. */
	byHead: Readonly<Record<string, string>>;
}

interface BaselineStore {
	checkpoints(): readonly Checkpoint[];
	readTree(id: string): Promise<Tree>;
}

/** Label of the checkpoint that a commit of the workspace takes. */
export const commitLabel = (message: string): string => `Commit: ${message.split('\n')[0] ?? ''}`;

/**
 * Finds the tree that changes are counted from: the import's, or that of the last commit made through the workspace.
 * It belongs to git's HEAD, so that whatever moves HEAD (going back, `git reset`, `git switch`) moves it too. A commit
 * made by anyone else is new and keeps the baseline of the moment it is first seen.
 */
export class Baselines {
	#loaded: { id: string; tree: ReadonlyTree };

	private constructor(
		private readonly store: BaselineStore,
		private readonly readBlob: (id: string) => Promise<Uint8Array>,
		private kept: KeptBaselines,
		tree: ReadonlyTree,
		private readonly onChange: ((kept: KeptBaselines) => void) | undefined
	) {
		this.#loaded = { id: kept.current, tree };
	}

	/** @param kept from an earlier visit; only the id where nothing was kept by commit */
	static async open(
		store: BaselineStore,
		readBlob: (id: string) => Promise<Uint8Array>,
		kept: KeptBaselines | string,
		onChange?: (kept: KeptBaselines) => void
	): Promise<Baselines> {
		const known = typeof kept === 'string' ? { current: kept, byHead: await fromCheckpoints(store, readBlob) } : kept;
		return new Baselines(store, readBlob, known, await store.readTree(known.current), onChange);
	}

	/** The tree that changes are counted from while these are the files. */
	async of(now: ReadonlyTree): Promise<ReadonlyTree> {
		const head = await headOf(now, this.readBlob);
		const id = this.#at(head);
		this.#keep(head, id);
		if (id !== this.#loaded.id) this.#loaded = { id, tree: await this.store.readTree(id) };
		return this.#loaded.tree;
	}

	/** Id of the tree that changes would be counted from if these were the files. */
	async idFor(files: ReadonlyTree): Promise<string> {
		return this.#at(await headOf(files, this.readBlob));
	}

	/** Counts changes from a tree while HEAD is where it is in this tree. */
	async set(id: string, tree: ReadonlyTree): Promise<void> {
		this.#keep(await headOf(tree, this.readBlob), id);
		this.#loaded = { id, tree };
	}

	#at(head: string): string {
		return this.kept.byHead[head] ?? this.kept.current;
	}

	#keep(head: string, id: string): void {
		const { current, byHead } = this.kept;
		if (current === id && byHead[head] === id) return;
		this.kept = { current: id, byHead: { ...byHead, [head]: id } };
		this.onChange?.(this.kept);
	}
}

/** What the checkpoints of an earlier version tell: those of the import and of each commit are baselines. */
async function fromCheckpoints(
	store: BaselineStore,
	readBlob: (id: string) => Promise<Uint8Array>
): Promise<Record<string, string>> {
	const byHead: Record<string, string> = {};
	for (const [index, { label, tree }] of store.checkpoints().entries()) {
		if (index > 0 && !label.startsWith(commitLabel(''))) continue;
		byHead[await headOf(await store.readTree(tree), readBlob)] ??= tree;
	}
	return byHead;
}
