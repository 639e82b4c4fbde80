import type { ExecOptions, ExecResult, ExecutionEnvironment, FileChange } from '../environment/contract.ts';
import { ClosedEnvironment } from '../environment/wrappers/closed.ts';
import { DelegatingEnvironment } from '../environment/wrappers/delegating.ts';

/**
 * An environment whose commands count as done only when what they wrote is stored: a reload right
 * after a command loses nothing of it.
 */
export class PersistedEnvironment extends DelegatingEnvironment {
	readonly #flush: () => Promise<void>;
	/** What ends each subscription to the journal. */
	readonly #listening = new Set<() => void>();

	/**
	 * @param flush resolves when storage has acknowledged every change so far; where it fails the command's result is
	 *   given all the same, since the session's next flush meets the failure again and tells it
	 */
	constructor(inner: ExecutionEnvironment, flush: () => Promise<void>) {
		super(inner);
		this.#flush = flush;
	}

	/** The computer is somebody else's from now on: whoever still holds this one is refused, and told of nothing more. */
	leave(): void {
		for (const unsubscribe of this.#listening) unsubscribe();
		this.#listening.clear();
		this.inner = new ClosedEnvironment(this.inner);
	}

	override onChange(listener: (change: FileChange) => void): () => void {
		const unsubscribe = super.onChange(listener);
		this.#listening.add(unsubscribe);
		return () => {
			this.#listening.delete(unsubscribe);
			unsubscribe();
		};
	}

	override async exec(command: string, options?: ExecOptions): Promise<ExecResult> {
		const result = await super.exec(command, options);
		await this.#flush().catch(() => undefined);
		return result;
	}
}
