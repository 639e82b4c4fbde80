/** Changes come in crowds. */
const QUIET_MS = 200;

/**
 * While something runs for long, looks for what it changed whenever the container says that
 * something did. What ends soon is looked at once, when it ends.
 */
export class WatchedScans {
	#running = 0;
	#close: (() => void) | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/**
	 * @param watch begins to watch and returns what ends it
	 * @param scan never rejects
	 */
	constructor(
		private readonly watch: (changed: () => void) => () => void,
		private readonly scan: () => Promise<void>
	) {}

	/** Watches until this has ended, then scans once more. */
	during(ended: Promise<unknown>): void {
		this.#running++;
		this.#close ??= this.watch(() => this.#changed());
		// What it did before the watch began.
		this.#changed();
		void ended.then(() => {
			this.#running--;
			if (this.#running === 0) this.stop();
			return this.scan();
		});
	}

	stop(): void {
		this.#close?.();
		this.#close = undefined;
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#changed(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			void this.scan();
		}, QUIET_MS);
	}
}
