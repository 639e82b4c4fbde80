/** Number of changes remembered: for older ones everything is read again. */
const REMEMBERED = 1_000;

/** Recently changed paths of a volume, by the number of the change. */
export class RecentChanges {
	#paths: { at: number; path: string }[] = [];
	/** The changes up to this one are forgotten. */
	#forgotten = 0;

	/** @param at which change of the volume it is */
	add(at: number, paths: readonly string[]): void {
		for (const path of paths) this.#paths.push({ at, path });
		if (this.#paths.length < 2 * REMEMBERED) return;
		const dropped = this.#paths.splice(0, REMEMBERED);
		this.#forgotten = dropped.at(-1)?.at ?? this.#forgotten;
	}

	/** Paths changed after the change `at`, each once; `null` if that is no longer known. */
	since(at: number): string[] | null {
		if (at < this.#forgotten) return null;
		return [...new Set(this.#paths.filter((change) => change.at > at).map(({ path }) => path))];
	}
}
