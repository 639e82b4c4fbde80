/** History of sent messages, as in a shell: up is older; below the newest is the draft. */
export class MessageHistory {
	#at: number | null = null;
	#draft = '';

	/**
	 * @param sent sent messages, oldest first
	 * @param now current content of the box
	 * @returns its new content; `null` if there is nothing older
	 */
	older(sent: readonly string[], now: string): string | null {
		if (this.#at === null) this.#draft = now;
		const at = (this.#at ?? sent.length) - 1;
		if (at < 0) return null;
		this.#at = at;
		return sent[at] ?? null;
	}

	newer(sent: readonly string[]): string | null {
		if (this.#at === null) return null;
		const at = this.#at + 1;
		this.#at = at < sent.length ? at : null;
		return sent[at] ?? this.#draft;
	}

	/** Starts again from the newest message, after something was typed or sent. */
	reset(): void {
		this.#at = null;
	}

	/** True if the current text came from the history. */
	get walking(): boolean {
		return this.#at !== null;
	}
}
