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

/** A trial whose changes count as applied only when they are stored. */
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
		// As after a command: the session's next flush meets a failure again and reports it.
		await this.flush().catch(() => undefined);
		return merge;
	}

	discard(): Promise<void> {
		return this.inner.discard();
	}
}

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
