import type { FileChange } from '#environment/contract.ts';

/** Bytes after which the next change begins another batch: each is copied to the storage worker whole. */
const BATCH_BYTES = 4_000_000;
/** The same for small files, whose copying is felt by their number. */
const BATCH_CHANGES = 2_000;

/**
 * Changes of files that wait for storage, as one write: an import or an `npm install` has thousands, and a message to
 * the storage worker for each would take longer than the writing.
 */
export class ChangeBatch {
	#changes: FileChange[] = [];
	#bytes = 0;
	#isClosed = false;

	/** Takes a change, unless this batch is full or on its way. */
	take(change: FileChange): boolean {
		if (this.#isClosed || this.#bytes >= BATCH_BYTES || this.#changes.length >= BATCH_CHANGES) return false;
		this.#changes.push(change);
		this.#bytes += change.bytes?.length ?? 0;
		return true;
	}

	/** Takes no more. */
	close(): readonly FileChange[] {
		this.#isClosed = true;
		return this.#changes;
	}
}
