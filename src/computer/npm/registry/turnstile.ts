/** Limits the number of concurrent tasks; the others are queued. */
export class Turnstile {
	#running = 0;
	readonly #waiting: (() => void)[] = [];

	constructor(private readonly atOnce: number) {}

	async pass<Value>(task: () => Promise<Value>): Promise<Value> {
		while (this.#running >= this.atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
		this.#running++;
		try {
			return await task();
		} finally {
			this.#running--;
			this.#waiting.shift()?.();
		}
	}
}
