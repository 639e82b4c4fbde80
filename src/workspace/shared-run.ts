/** Work that is asked for more often than it ends: it never runs twice at once, and who asks meanwhile shares one more run. */
export class SharedRun<Result> {
	#running: Promise<unknown> | null = null;
	#next: Promise<Result> | null = null;

	constructor(private readonly work: () => Promise<Result>) {}

	/** The result of a run that begins after this call. Rejects as the work does. */
	next(): Promise<Result> {
		return (this.#next ??= this.#start());
	}

	async #start(): Promise<Result> {
		// Its failure was told to who asked for it.
		await this.#running?.catch(() => undefined);
		const run = this.work();
		this.#running = run;
		this.#next = null;
		return run;
	}
}
