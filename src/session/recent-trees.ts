import type { Tree } from './storage/file-journal.ts';

const KEPT = 4;

/** Cache of the most recently used trees, by id. */
export class RecentTrees {
	readonly #trees = new Map<string, Tree>();

	get(id: string): Tree | undefined {
		const tree = this.#trees.get(id);
		if (tree) this.add(id, tree);
		return tree;
	}

	add(id: string, tree: Tree): void {
		this.#trees.delete(id);
		this.#trees.set(id, tree);
		const [oldest] = this.#trees.keys();
		if (this.#trees.size > KEPT && oldest !== undefined) this.#trees.delete(oldest);
	}
}
