import type { Message } from '#llm/types.ts';
import { itemsOf } from './conversation.ts';
import type { SessionEntry } from './session-log.ts';

/** What a compaction put in the place of what. */
export interface Compacted {
	summary: string;
	/** What the model no longer reads, an earlier summary among it. */
	dropped: Message[];
	/** Put in the place of an earlier summary, which the first of `dropped` is. */
	again: boolean;
}

/**
 * What the compaction before an event dropped; the log keeps it all.
 *
 * @param seq of a `context_compact` event
 * @returns `null` where the branch has no such event, or no summary was made then
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
