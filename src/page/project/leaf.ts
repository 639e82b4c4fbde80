import type { StoredSession } from '#session/contract.ts';

const KEY = 'leaf';

/** Where the conversation was put back to, and the entry that was written last then. */
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

/** Puts a reopened conversation where it was; what was said since then is on the right branch already. */
export async function restoreLeaf(stored: StoredSession): Promise<void> {
	const kept = await stored.readPageState<Kept>(KEY);
	if (kept && stored.log.entries().at(-1)?.id === kept.last) stored.log.moveTo(kept.leaf);
}
