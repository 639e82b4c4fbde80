import type { ExecutionEnvironment, FileChange } from '../contract.ts';
import { DelegatingEnvironment } from './delegating.ts';

/**
 * Environment that delegates to a replaceable one, transparently for its users. Its journal continues without gaps;
 * differences between the two environments are not reported.
 */
export class SwitchingEnvironment extends DelegatingEnvironment {
	readonly #listeners = new Set<(change: FileChange) => void>();
	#seq = 0;
	#unsubscribe: () => void = () => {};

	/** @param base environment that it starts with and returns to */
	constructor(readonly base: ExecutionEnvironment) {
		super(base);
	}

	/** Redirects later calls. Processes in the previous environment continue there. */
	use(environment: ExecutionEnvironment): void {
		this.inner = environment;
		if (this.#listeners.size > 0) this.#listen();
	}

	override onChange(listener: (change: FileChange) => void): () => void {
		if (this.#listeners.size === 0) this.#listen();
		this.#listeners.add(listener);
		return () => {
			this.#listeners.delete(listener);
			if (this.#listeners.size > 0) return;
			this.#unsubscribe();
			this.#unsubscribe = () => {};
		};
	}

	#listen(): void {
		this.#unsubscribe();
		this.#unsubscribe = this.inner.onChange((change) => {
			const numbered = { ...change, seq: ++this.#seq };
			for (const listener of this.#listeners) listener(numbered);
		});
	}
}
