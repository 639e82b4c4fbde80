import { PART_ITEMS, slices } from '#environment/parts.ts';

const itemsOf = (value: unknown): unknown[] | null =>
	Array.isArray(value) ? value : value instanceof Map ? [...value] : null;

/**
 * Splits a long list or map into parts sent ahead and a remainder: receiving it in one message would block the
 * page noticeably.
 */
export function splitReply(result: unknown): { parts: unknown[][]; rest: unknown } {
	const items = itemsOf(result);
	if (!items || items.length <= PART_ITEMS) return { parts: [], rest: result };
	return { parts: [...slices(items)], rest: result instanceof Map ? new Map() : [] };
}

/** Reassembles a reply from the `items` sent ahead and the `rest`. */
export function joinReply(items: unknown[], rest: unknown): unknown {
	if (items.length === 0) return rest;
	// The worker and the page are one build: the items of a map are its entries.
	return rest instanceof Map ? new Map(items as [unknown, unknown][]) : items;
}
