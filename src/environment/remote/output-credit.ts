/** Characters that may be in transit or waiting to be displayed. */
const WINDOW = 512 * 1024;

/** Limits how far a terminal's output may be ahead of what the page has displayed. */
export class OutputCredit {
	#open = 0;
	#go: (() => void) | undefined;
	#waiting: Promise<void> | undefined;

	/** Counts output; returns a promise while the page has to catch up. */
	sent(characters: number): Promise<void> | undefined {
		this.#open += characters;
		if (this.#open <= WINDOW) return undefined;
		this.#waiting ??= new Promise((resolve) => (this.#go = resolve));
		return this.#waiting;
	}

	/** Records that the page has displayed this many characters. */
	taken(characters: number): void {
		this.#open = Math.max(0, this.#open - characters);
		if (this.#open <= WINDOW) this.release();
	}

	/** Lets the terminal continue before it is ended. */
	release(): void {
		this.#go?.();
		this.#go = this.#waiting = undefined;
	}
}
