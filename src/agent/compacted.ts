import type { Message } from '#llm/types.ts';
import { itemsOf } from './conversation.ts';
import type { SessionEntry } from './session-log.ts';

/** Messages that a compaction dropped and the summary that replaced them. */
export interface Compacted {
	summary: string;
	/** Messages the model no longer sees, possibly including an earlier summary. */
	dropped: Message[];
	/** Set if an earlier summary, the first of `dropped`, was replaced too. */
	again: boolean;
}

/**
 * Returns the messages that the compaction before an event dropped; the log still contains it.
 *
 * @param seq of a `context_compact` event
 * @returns `null` if the branch has no such event, or no summary was created
 */
export function compactedAt(branch: readonly SessionEntry[], seq: number): Compacted | null {
	const at = branch.findIndex((entry) => entry.type === 'event' && entry.event.seq === seq);
	const index = branch.slice(0, at).findLastIndex((entry) => entry.type === 'compaction');
	const entry = branch[index];
	if (entry?.type !== 'compaction') return null;
	const before = itemsOf(branch.slice(0, index));
	const kept = before.findIndex(({ entryId }) => entryId === entry.firstKeptId);
	const dropped = kept === -1 ? before : before.slice(0, kept);
	return {
		summary: entry.summary,
		dropped: dropped.map(({ message }) => message),
		again: before[0]?.summary !== undefined
	};
}
