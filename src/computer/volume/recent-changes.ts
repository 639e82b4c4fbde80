import type { VolumeChange } from '#computer/abi/volume-change.ts';

/** How many are remembered: whoever asks about more looks at everything anew. */
const REMEMBERED = 1_000;

/** Which paths a volume has changed lately, by the count of its changes. */
export class RecentChanges {
	#paths: { at: number; path: string }[] = [];
	/** The changes up to this one are forgotten. */
	#forgotten = 0;

	/** @param at which change of the volume it is */
	add(at: number, { path, to }: VolumeChange): void {
		this.#paths.push({ at, path });
		if (to !== undefined) this.#paths.push({ at, path: to });
		if (this.#paths.length < 2 * REMEMBERED) return;
		const dropped = this.#paths.splice(0, REMEMBERED);
		this.#forgotten = dropped.at(-1)?.at ?? this.#forgotten;
	}

	/** What has changed after the change `at`, each path once; `null` when that is not known any more. */
	since(at: number): string[] | null {
		if (at < this.#forgotten) return null;
		return [...new Set(this.#paths.filter((change) => change.at > at).map(({ path }) => path))];
	}
}
