/** Times during which commands wait for the user, for example to decide whether a host may be reached. */
export interface Pauses {
	isPaused(): boolean;
	/** Calls back when a pause may have started or ended. @returns the unsubscriber */
	onChange(listener: () => void): () => void;
}

/** Time limit of one command. It is paused while the user is asked something: the command cannot continue meanwhile. */
export class CommandClock {
	#leftMs = 0;
	#sinceMs = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#isOver = false;
	readonly #unsubscribe: (() => void) | undefined;

	/** @param expire called once, when the limit is reached */
	constructor(
		private readonly expire: () => void,
		private readonly pauses?: Pauses
	) {
		this.#unsubscribe = pauses?.onChange(() => this.#run());
	}

	/** Restarts with this limit. */
	set(limitMs: number): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#leftMs = limitMs;
		this.#run();
	}

	/** The command has ended. */
	stop(): void {
		this.#isOver = true;
		clearTimeout(this.#timer);
		this.#unsubscribe?.();
	}

	#run(): void {
		if (this.#isOver) return;
		const isPaused = this.pauses?.isPaused() ?? false;
		if (isPaused === (this.#timer === undefined)) return;
		if (isPaused) {
			clearTimeout(this.#timer);
			this.#timer = undefined;
			this.#leftMs -= performance.now() - this.#sinceMs;
			return;
		}
		this.#sinceMs = performance.now();
		this.#timer = setTimeout(() => {
			this.stop();
			this.expire();
		}, this.#leftMs);
	}
}
