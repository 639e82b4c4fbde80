/** Concurrent reads: over a network each takes a round trip. */
const AT_ONCE = 32;

/** Reads items in the given order, several at a time. A failed read rejects when it is its turn. */
export async function* readAhead<Item, Value>(
	items: readonly Item[],
	read: (item: Item) => Promise<Value>
): AsyncGenerator<[Item, Value]> {
	const begun: Promise<Value>[] = [];
	const begin = (index: number): void => {
		const item = items[index];
		if (item === undefined) return;
		const reading = read(item);
		// Errors are reported where the read is awaited; reads after a failure never are.
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
