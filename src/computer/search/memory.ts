import type { ProcessContext } from '#computer/process/program.ts';
import { KnownTree } from './known-tree.ts';

/** Limit for contents cached between searches. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** Cached data of a volume, from searches. */
export interface Memory {
	tree: KnownTree;
	contents: Contents;
}

/** Contents of files by path, as far as there is room. */
class Contents {
	#bytes = new Map<string, Uint8Array>();
	#room = CACHE_BYTES;

	get(path: string): Uint8Array | undefined {
		return this.#bytes.get(path);
	}

	/** Caches all of them, or none if there is no room. */
	keep(contents: Record<string, Uint8Array>): void {
		const size = Object.values(contents).reduce((sum, bytes) => sum + bytes.length, 0);
		if (size > this.#room) return;
		this.#room -= size;
		for (const [path, bytes] of Object.entries(contents)) this.#bytes.set(path, bytes);
	}

	/** @param paths files, and directories for everything below them */
	forget(paths: readonly string[]): void {
		const directories = paths.filter((path) => !this.#drop(path)).map((path) => `${path}/`);
		if (directories.length === 0) return;
		for (const path of this.#bytes.keys()) {
			if (directories.some((directory) => path.startsWith(directory))) this.#drop(path);
		}
	}

	#drop(path: string): boolean {
		this.#room += this.#bytes.get(path)?.length ?? 0;
		return this.#bytes.delete(path);
	}
}

let last: (Memory & { volume: number; generation: number; ignores: boolean }) | null = null;

/**
 * Returns what the last search of this worker cached and is still valid, for the next one to use and extend.
 *
 * @param ignores ignore files are applied: the tree lacks what they exclude
 */
export function recall({ volume, generation, sync }: ProcessContext, ignores: boolean): Memory {
	const now = generation();
	if (volume === undefined) return { tree: new KnownTree(sync, ignores), contents: new Contents() };
	const changed = last?.volume !== volume ? null : last.generation === now ? [] : sync.changedSince(last.generation);
	const contents = (changed && last?.contents) ?? new Contents();
	contents.forget(changed ?? []);
	const tree = changed?.length === 0 && last?.ignores === ignores ? last.tree : new KnownTree(sync, ignores);
	tree.files = sync;
	last = { volume, generation: now, ignores, tree, contents };
	return last;
}
