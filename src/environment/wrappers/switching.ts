import type { ExecutionEnvironment, FileChange } from '../contract.ts';
import { DelegatingEnvironment } from './delegating.ts';

/**
 * One environment that stands now for this, now for that one: who holds it need not know. Its
 * journal goes on without a gap; what differs between the two is no entry in it.
 */
export class SwitchingEnvironment extends DelegatingEnvironment {
	readonly #listeners = new Set<(change: FileChange) => void>();
	#seq = 0;
	#unsubscribe: () => void = () => {};

	/** @param base where it begins and goes back to */
	constructor(readonly base: ExecutionEnvironment) {
		super(base);
	}

	/** Every later call goes there. What runs in the other one goes on in it. */
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
