import type { LoadEntry } from '../contract.ts';

/** Limit for one transfer of an import. */
const MAX_FILES = 2_000;
const MAX_BYTES = 8 * 1024 * 1024;

export async function* inBatches(entries: AsyncIterable<LoadEntry> | Iterable<LoadEntry>): AsyncGenerator<LoadEntry[]> {
	let batch: LoadEntry[] = [];
	let size = 0;
	for await (const entry of entries) {
		batch.push(entry);
		size += entry.bytes.length;
		if (batch.length < MAX_FILES && size < MAX_BYTES) continue;
		yield batch;
		batch = [];
		size = 0;
	}
	if (batch.length) yield batch;
}
