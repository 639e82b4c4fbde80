import type { LoadEntry } from '#environment/contract.ts';
import { packed } from '#environment/packed.ts';

const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_ENTRIES = 2000;

/** Sends entries in batches, each when the last one was written; meanwhile the next one is collected. */
export async function loadInBatches(
	entries: AsyncIterable<LoadEntry> | Iterable<LoadEntry>,
	send: (batch: LoadEntry[]) => Promise<unknown>
): Promise<void> {
	let batch: LoadEntry[] = [];
	let bytes = 0;
	let written: Promise<unknown> = Promise.resolve();
	const next = async (): Promise<void> => {
		await written;
		written = send(packed(batch).items);
		// Callers waiting for the next batch, or for the end, receive the failure.
		written.catch(() => {});
		batch = [];
		bytes = 0;
	};
	try {
		for await (const entry of entries) {
			batch.push(entry);
			bytes += entry.bytes.length;
			if (bytes < BATCH_BYTES && batch.length < BATCH_ENTRIES) continue;
			await next();
		}
		if (batch.length > 0) await next();
	} finally {
		await written;
	}
}
