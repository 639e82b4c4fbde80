import type { ReflogEntry } from './refs.ts';

/** Lets each entry begin where the one before it ends. */
export function rewriteChain(newestFirst: readonly ReflogEntry[]): void {
	for (const [at, entry] of newestFirst.entries()) {
		const older = newestFirst[at + 1];
		if (older) entry.from = older.to;
	}
}
