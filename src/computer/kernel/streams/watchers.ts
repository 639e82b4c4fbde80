/** Callers that are notified of each change of a thing, until they leave. */
export class Watchers {
	#callers = new Set<() => void>();

	/** @returns ends the notifications */
	add(caller: () => void): () => void {
		this.#callers.add(caller);
		return () => this.#callers.delete(caller);
	}

	notify(): void {
		for (const caller of [...this.#callers]) caller();
	}
}
