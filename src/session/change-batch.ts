import type { FileChange } from '#environment/contract.ts';

/** Bytes after which a batch is full: each batch is copied to the storage worker as a whole. */
const BATCH_BYTES = 4_000_000;
/** Changes after which a batch is full, since copying many small files has a cost per file. */
const BATCH_CHANGES = 2_000;

/**
 * File changes waiting for storage, combined into one write: an import or an `npm install` has thousands, and
 * sending a message to the storage worker for each would take longer than writing them.
 */
export class ChangeBatch {
	#changes: FileChange[] = [];
	#bytes = 0;
	#isClosed = false;

	/** Adds a change, unless this batch is full or already being sent. */
	take(change: FileChange): boolean {
		if (this.#isClosed || this.#bytes >= BATCH_BYTES || this.#changes.length >= BATCH_CHANGES) return false;
		this.#changes.push(change);
		this.#bytes += change.bytes?.length ?? 0;
		return true;
	}

	/** Closes the batch and returns its changes. */
	close(): readonly FileChange[] {
		this.#isClosed = true;
		return this.#changes;
	}
}
