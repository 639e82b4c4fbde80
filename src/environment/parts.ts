/** Items of a list that one message has at most: taking in more is felt in the page, whose thread they arrive on. */
export const PART_ITEMS = 1_000;

/** Cuts a list into pieces of at most `size` items; none of an empty list. */
export function* slices<Item>(items: readonly Item[], size = PART_ITEMS): Generator<Item[]> {
	for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
