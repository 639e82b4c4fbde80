/** Most list items in one message: receiving more would block the page's thread noticeably. */
export const PART_ITEMS = 1_000;

/** Splits a list into pieces of at most `size` items; an empty list gives none. */
export function* slices<Item>(items: readonly Item[], size = PART_ITEMS): Generator<Item[]> {
	for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
