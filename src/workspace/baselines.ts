import type { Checkpoint } from './contract.ts';
import type { ReadonlyTree, Tree } from './checkpoint-store.ts';
import { headOf } from './head-of.ts';

/** Ids of the trees that changes are counted from. */
export interface StoredBaselines {
	/** Applies to a commit that was not seen before. */
	current: string;
	/** By the commit of git's HEAD, see {@link headOf}. */
	byHead: Readonly<Record<string, string>>;
}

interface BaselineStore {
	checkpoints(): readonly Checkpoint[];
	readTree(id: string): Promise<Tree>;
}

/** Label of the checkpoint for a commit of the workspace. */
export const commitLabel = (message: string): string => `Commit: ${message.split('\n')[0] ?? ''}`;

/**
 * Finds the tree that changes are counted from: the import's, or that of the last commit made through the
 * workspace. It depends on git's HEAD, so that everything that moves HEAD (going back, `git reset`, `git
 * switch`) moves it too. A commit made elsewhere is new and uses the baseline that applies when it is first
 * seen.
 */
export class Baselines {
	#loaded: { id: string; tree: ReadonlyTree };

	private constructor(
		private readonly store: BaselineStore,
		private readonly readBlob: (id: string) => Promise<Uint8Array>,
		private stored: StoredBaselines,
		tree: ReadonlyTree,
		private readonly onChange: ((stored: StoredBaselines) => void) | undefined
	) {
		this.#loaded = { id: stored.current, tree };
	}

	/**
	 * Restores the baselines of a workspace.
	 * @param stored from an earlier visit; only the id if nothing was stored by commit
	 */
	static async open(
		store: BaselineStore,
		readBlob: (id: string) => Promise<Uint8Array>,
		stored: StoredBaselines | string,
		onChange?: (stored: StoredBaselines) => void
	): Promise<Baselines> {
		const known =
			typeof stored === 'string' ? { current: stored, byHead: await fromCheckpoints(store, readBlob) } : stored;
		return new Baselines(store, readBlob, known, await store.readTree(known.current), onChange);
	}

	/** The tree that changes are counted from, given the current files. */
	async of(now: ReadonlyTree): Promise<ReadonlyTree> {
		const head = await headOf(now, this.readBlob);
		const id = this.#at(head);
		this.#keep(head, id);
		if (id !== this.#loaded.id) this.#loaded = { id, tree: await this.store.readTree(id) };
		return this.#loaded.tree;
	}

	/** Returns true if git's HEAD is another commit than in the tree that changes are counted from. */
	async isBehind(now: ReadonlyTree): Promise<boolean> {
		const before = await this.of(now);
		return (await headOf(now, this.readBlob)) !== (await headOf(before, this.readBlob));
	}

	/** Id of the tree that changes would be counted from, given these files. */
	async idFor(files: ReadonlyTree): Promise<string> {
		return this.#at(await headOf(files, this.readBlob));
	}

	/** Counts changes from a tree as long as HEAD is the same as in this tree. */
	async set(id: string, tree: ReadonlyTree): Promise<void> {
		this.#keep(await headOf(tree, this.readBlob), id);
		this.#loaded = { id, tree };
	}

	#at(head: string): string {
		return this.stored.byHead[head] ?? this.stored.current;
	}

	#keep(head: string, id: string): void {
		const { current, byHead } = this.stored;
		if (current === id && byHead[head] === id) return;
		this.stored = { current: id, byHead: { ...byHead, [head]: id } };
		this.onChange?.(this.stored);
	}
}

/** Derives baselines from the checkpoints of an earlier version: the import's and each commit's. */
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
