/** Contents that are under way at the same time: over a network each takes a round trip. */
const AT_ONCE = 32;

/** Reads in the order given, with several reads under way. A failed read rejects in its turn. */
export async function* readAhead<Item, Value>(
	items: readonly Item[],
	read: (item: Item) => Promise<Value>
): AsyncGenerator<[Item, Value]> {
	const begun: Promise<Value>[] = [];
	const begin = (index: number): void => {
		const item = items[index];
		if (item === undefined) return;
		const reading = read(item);
		// Reported where it is awaited; the others may never be.
		reading.catch(() => undefined);
		begun.push(reading);
	};
	for (let index = 0; index < AT_ONCE; index++) begin(index);
	for (const [index, item] of items.entries()) {
		const reading = begun.shift();
		if (!reading) return;
		begin(index + AT_ONCE);
		yield [item, await reading];
	}
}
