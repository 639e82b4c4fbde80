import type { ExecOptions, ExecResult, ExecutionEnvironment } from '../environment/contract.ts';
import { DelegatingEnvironment } from '../environment/wrappers/delegating.ts';

/**
 * An environment whose commands count as done only when what they wrote is stored: a reload right
 * after a command loses nothing of it.
 */
export class PersistedEnvironment extends DelegatingEnvironment {
	readonly #flush: () => Promise<void>;

	/**
	 * @param flush resolves when storage has acknowledged every change so far; where it fails the command's result is
	 *   given all the same, since the session's next flush meets the failure again and tells it
	 */
	constructor(inner: ExecutionEnvironment, flush: () => Promise<void>) {
		super(inner);
		this.#flush = flush;
	}

	override async exec(command: string, options?: ExecOptions): Promise<ExecResult> {
		const result = await super.exec(command, options);
		await this.#flush().catch(() => undefined);
		return result;
	}
}
