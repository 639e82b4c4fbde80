/** Delay before a scan, since changes come in bursts. */
const QUIET_MS = 200;

/**
 * Scans for changes of a long-running process whenever the container reports that something changed, and once more when
 * the process ends.
 */
export class WatchedScans {
	#running = 0;
	#close: (() => void) | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/**
	 * @param watch starts watching and returns a function that stops it
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
		// Covers changes from before the watch started.
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
