import type { StoredSession } from '#session/contract.ts';

const KEY = 'leaf';

/** Position that the conversation was moved back to, and the last entry at that time. */
interface Kept {
	leaf: string;
	last: string;
}

/** Records that the conversation was moved back to an earlier entry: the log itself is append-only. */
export async function keepLeaf(stored: StoredSession): Promise<void> {
	const leaf = stored.log.leafId();
	const last = stored.log.entries().at(-1)?.id;
	if (leaf !== null && last !== undefined) await stored.writePageState(KEY, { leaf, last } satisfies Kept);
}

/**
 * Restores the position of a reopened conversation; if there are newer messages, the log is already on the right
 * branch.
 */
export async function restoreLeaf(stored: StoredSession): Promise<void> {
	const kept = await stored.readPageState<Kept>(KEY);
	if (kept && stored.log.entries().at(-1)?.id === kept.last) stored.log.moveTo(kept.leaf);
}
