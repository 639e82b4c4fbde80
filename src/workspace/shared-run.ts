/**
 * Coalesces calls of expensive work: it never runs twice at once, and all callers during a run share one
 * further run.
 */
export class SharedRun<Result> {
	#running: Promise<unknown> | null = null;
	#next: Promise<Result> | null = null;

	constructor(private readonly work: () => Promise<Result>) {}

	/** Result of a run that starts after this call. Rejects as the work does. */
	next(): Promise<Result> {
		return (this.#next ??= this.#start());
	}

	async #start(): Promise<Result> {
		// Its failure was reported to its own callers.
		await this.#running?.catch(() => undefined);
		const run = this.work();
		this.#running = run;
		this.#next = null;
		return run;
	}
}
