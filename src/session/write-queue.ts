/**
 * Writes to storage, one after the other. One that fails stays first and is tried again with the next write and at each
 * flush, so that a full disk that is freed loses nothing and the order is kept.
 */
export class WriteQueue {
	#writes: (() => Promise<void>)[] = [];
	#running: Promise<void> | null = null;

	/** @param onOutcome told of each failure, and with `null` when the write that had failed is done */
	constructor(private readonly onOutcome: (failure: unknown) => void = () => undefined) {}

	/** @param write may be called again after it has rejected */
	add(write: () => Promise<void>): void {
		this.#writes.push(write);
		void this.settled();
	}

	/** All writes so far are done. Rejects as the first that fails; it and those after it are kept. */
	async flush(): Promise<void> {
		// What runs now may have begun before the disk was freed.
		await this.#running?.catch(() => undefined);
		await this.#run();
	}

	/** As {@link flush}, for who does not mind a failure: the next flush meets it again. Never rejects. */
	async settled(): Promise<void> {
		await this.#run().catch(() => undefined);
	}

	/** Forgets what is not written: another tab writes now. */
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
