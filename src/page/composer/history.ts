/** History of sent messages, as in a shell: up is older; past the newest comes the draft. */
export class MessageHistory {
	#at: number | null = null;
	#draft = '';

	/**
	 * @param said sent messages, oldest first
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

	/** Something was typed or sent: the next step up begins at the newest again. */
	reset(): void {
		this.#at = null;
	}

	/** True if the content of the box came from here. */
	get walking(): boolean {
		return this.#at !== null;
	}
}
