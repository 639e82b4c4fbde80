/** Index of the item with a key in a list sorted by key, or the index to insert it at. */
export function placeOf<Item>(sorted: readonly Item[], key: string, keyOf: (item: Item) => string): number {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		const item = sorted[middle];
		if (item !== undefined && keyOf(item) < key) low = middle + 1;
		else high = middle;
	}
	return low;
}
