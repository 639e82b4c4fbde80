import type { ExecutionEnvironment } from '../environment/contract.ts';

/** Tells listeners once for a burst of file changes, at the latest 100 ms after the first. */
export class Updates {
	readonly #listeners = new Set<() => void>();
	readonly #detach: () => void;
	#timer: ReturnType<typeof setTimeout> | null = null;

	constructor(environment: ExecutionEnvironment) {
		this.#detach = environment.onChange(() => {
			this.#timer ??= setTimeout(() => this.notify(), 100);
		});
	}

	notify(): void {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		for (const listener of this.#listeners) listener();
	}

	listen(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	close(): void {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#listeners.clear();
		this.#detach();
	}
}
