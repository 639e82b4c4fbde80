import type { StoredSession } from '#session/contract.ts';

const KEY = 'leaf';

/** Position to which the conversation was put back, and the last entry at that time. */
interface Kept {
	leaf: string;
	last: string;
}

/** Remembers that the conversation was put back to an earlier entry: the log itself only grows. */
export async function keepLeaf(stored: StoredSession): Promise<void> {
	const leaf = stored.log.leafId();
	const last = stored.log.entries().at(-1)?.id;
	if (leaf !== null && last !== undefined) await stored.writePageState(KEY, { leaf, last } satisfies Kept);
}

/** Restores the position of a reopened conversation; newer messages are on the right branch already. */
export async function restoreLeaf(stored: StoredSession): Promise<void> {
	const kept = await stored.readPageState<Kept>(KEY);
	if (kept && stored.log.entries().at(-1)?.id === kept.last) stored.log.moveTo(kept.leaf);
}
