/**
 * Web Lock that decides which tab may write a session. Taking over steals the lock; the previous tab is
 * notified, closes its files and confirms on a channel.
 */
export class SessionLock {
	readonly #name: string;
	readonly #onLost: () => void;
	#release: (() => void) | null = null;

	/**
	 * Creates the lock without acquiring it.
	 * @param onLost called when another tab took the session over
	 */
	constructor(sessionId: string, onLost: () => void) {
		this.#name = `sandglass:session:${sessionId}`;
		this.#onLost = onLost;
	}

	/** Resolves to false if another tab holds the lock. */
	acquire(): Promise<boolean> {
		return this.#request({ ifAvailable: true });
	}

	async steal(): Promise<void> {
		await this.#request({ steal: true });
	}

	release(): void {
		this.#release?.();
		this.#release = null;
	}

	#request(options: LockOptions): Promise<boolean> {
		return new Promise((resolve, reject) => {
			let held = false;
			navigator.locks
				.request(this.#name, options, (lock) => {
					if (!lock) return void resolve(false);
					held = true;
					resolve(true);
					return new Promise<void>((release) => (this.#release = release));
				})
				.catch((error: unknown) => {
					// A stolen lock rejects the request of the tab that held it.
					if (held) {
						this.#release = null;
						this.#onLost();
					} else reject(error);
				});
		});
	}
}
