/** Walks through what was said before, as a shell does: up is older; past the newest comes what was being written. */
export class MessageHistory {
	#at: number | null = null;
	#begun = '';

	/**
	 * @param said oldest first
	 * @param now what stands in the box
	 * @returns what to put there; `null` where there is nothing older, or nothing was walked yet
	 */
	older(said: readonly string[], now: string): string | null {
		if (this.#at === null) this.#begun = now;
		const at = (this.#at ?? said.length) - 1;
		if (at < 0) return null;
		this.#at = at;
		return said[at] ?? null;
	}

	newer(said: readonly string[]): string | null {
		if (this.#at === null) return null;
		const at = this.#at + 1;
		this.#at = at < said.length ? at : null;
		return said[at] ?? this.#begun;
	}

	/** Something was typed or sent: the next step up begins at the newest again. */
	reset(): void {
		this.#at = null;
	}

	/** Whether what stands in the box came from here. */
	get walking(): boolean {
		return this.#at !== null;
	}
}
