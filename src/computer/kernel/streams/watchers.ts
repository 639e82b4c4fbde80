/** Callbacks that are notified of each change until they are removed. */
export class Watchers {
	#callers = new Set<() => void>();

	/** @returns function that removes `caller` */
	add(caller: () => void): () => void {
		this.#callers.add(caller);
		return () => this.#callers.delete(caller);
	}

	notify(): void {
		for (const caller of [...this.#callers]) caller();
	}
}
