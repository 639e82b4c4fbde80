import type {
	ExecOptions,
	ExecResult,
	ExecutionEnvironment,
	FileChange,
	Trial,
	TrialMerge
} from '#environment/contract.ts';
import { ClosedEnvironment } from '#environment/wrappers/closed.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';

/** A trial whose changes count as applied only once they are stored. */
class PersistedTrial implements Trial {
	constructor(
		private readonly inner: Trial,
		private readonly flush: () => Promise<void>
	) {}

	get result(): Trial['result'] {
		return this.inner.result;
	}

	get effects(): Trial['effects'] {
		return this.inner.effects;
	}

	read(path: string, side: 'before' | 'after'): Promise<Uint8Array | null> {
		return this.inner.read(path, side);
	}

	async apply(): Promise<TrialMerge> {
		const merge = await this.inner.apply();
		// As after a command: the session's next flush retries and reports the failure.
		await this.flush().catch(() => undefined);
		return merge;
	}

	discard(): Promise<void> {
		return this.inner.discard();
	}
}

/**
 * Environment whose commands complete only after their writes are stored: a reload directly after a command
 * loses nothing.
 */
export class PersistedEnvironment extends DelegatingEnvironment {
	readonly #flush: () => Promise<void>;
	/** Unsubscribers of the journal. */
	readonly #listening = new Set<() => void>();

	/**
	 * Wraps an environment.
	 * @param flush resolves when storage has acknowledged every change so far; if it rejects, the command's
	 *   result is returned anyway, since the session's next flush retries and reports the failure
	 */
	constructor(inner: ExecutionEnvironment, flush: () => Promise<void>) {
		super(inner);
		this.#flush = flush;
	}

	/**
	 * Detaches from the computer, which now belongs to someone else: later calls are refused, and no more changes
	 * are reported.
	 */
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

	override get runOnTrial(): ExecutionEnvironment['runOnTrial'] {
		const run = super.runOnTrial;
		return run && (async (command, options) => new PersistedTrial(await run(command, options), this.#flush));
	}

	override async exec(command: string, options?: ExecOptions): Promise<ExecResult> {
		const result = await super.exec(command, options);
		await this.#flush().catch(() => undefined);
		return result;
	}
}
