import type { ReflogEntry } from './refs.ts';

/** Sets the old id of each entry to the new id of the next older entry. */
export function rewriteChain(newestFirst: readonly ReflogEntry[]): void {
	for (const [at, entry] of newestFirst.entries()) {
		const older = newestFirst[at + 1];
		if (older) entry.from = older.to;
	}
}
