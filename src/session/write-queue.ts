/**
 * Sequential writes to storage. A failed write stays first and is retried with the next write and at each
 * flush, so that nothing is lost once a full disk has been freed and the order is preserved.
 */
export class WriteQueue {
	#writes: (() => Promise<void>)[] = [];
	#running: Promise<void> | null = null;

	/**
	 * Creates an empty queue.
	 * @param onOutcome called with each failure, and with `null` when the failed write has succeeded
	 */
	constructor(private readonly onOutcome: (failure: unknown) => void = () => undefined) {}

	/**
	 * Appends a write.
	 * @param write may be called again after it has rejected
	 */
	add(write: () => Promise<void>): void {
		this.#writes.push(write);
		void this.settled();
	}

	/**
	 * Resolves when all writes so far are done. Rejects with the first failure; that write and those after it
	 * stay queued.
	 */
	async flush(): Promise<void> {
		// The running write may have started before the disk was freed.
		await this.#running?.catch(() => undefined);
		await this.#run();
	}

	/** Like {@link flush}, but ignores failures, which the next flush reports. Never rejects. */
	async settled(): Promise<void> {
		await this.#run().catch(() => undefined);
	}

	/** Discards pending writes: another tab writes now. */
	clear(): void {
		this.#writes = [];
	}

	#run(): Promise<void> {
		this.#running ??= this.#writeAll().finally(() => (this.#running = null));
		return this.#running;
	}

	async #writeAll(): Promise<void> {
		for (let write = this.#writes[0]; write; write = this.#writes[0]) {
			try {
				await write();
			} catch (failure) {
				this.onOutcome(failure);
				throw failure;
			}
			this.onOutcome(null);
			if (this.#writes[0] === write) this.#writes.shift();
		}
	}
}
