/** Maximum number of changes stored: readers of older states read everything again. */
const REMEMBERED = 1_000;

/** Recently changed paths of a volume, by the number of the change. */
export class RecentChanges {
	#paths: { at: number; path: string }[] = [];
	/** Number of the last change that was evicted. */
	#forgotten = 0;

	/** @param at number of the change */
	add(at: number, paths: readonly string[]): void {
		for (const path of paths) this.#paths.push({ at, path });
		if (this.#paths.length < 2 * REMEMBERED) return;
		const dropped = this.#paths.splice(0, REMEMBERED);
		this.#forgotten = dropped.at(-1)?.at ?? this.#forgotten;
	}

	/** Paths changed after the change `at`, without duplicates; `null` if those changes were evicted. */
	since(at: number): string[] | null {
		if (at < this.#forgotten) return null;
		return [...new Set(this.#paths.filter((change) => change.at > at).map(({ path }) => path))];
	}
}
