/** Characters that may be on their way or waiting to be displayed. */
const WINDOW = 512 * 1024;

/** Lets a terminal print as much as the page has displayed, and some more. */
export class OutputCredit {
	#open = 0;
	#go: (() => void) | undefined;
	#waiting: Promise<void> | undefined;

	/** Returns a promise while the page has to catch up. */
	sent(characters: number): Promise<void> | undefined {
		this.#open += characters;
		if (this.#open <= WINDOW) return undefined;
		this.#waiting ??= new Promise((resolve) => (this.#go = resolve));
		return this.#waiting;
	}

	/** The page has displayed so much. */
	taken(characters: number): void {
		this.#open = Math.max(0, this.#open - characters);
		if (this.#open <= WINDOW) this.release();
	}

	/** Lets the terminal go on, before it is ended. */
	release(): void {
		this.#go?.();
		this.#go = this.#waiting = undefined;
	}
}
