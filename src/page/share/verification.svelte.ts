import type { ShareBundle } from '#session/contract.ts';
import { isJudged, verdictOf, type Verified } from '#session/share/match.ts';
import type { Parts } from '../parts.ts';

/** Runs the commands of a share again in a separate computer, from the user's click to the last result. */
export class Verification {
	/** Results so far. */
	results: readonly Verified[] = $state.raw([]);
	state: 'not started' | 'running' | 'ended' = $state('not started');
	failure: unknown = $state.raw(null);
	#abort = new AbortController();

	constructor(
		private readonly parts: Parts,
		private readonly bundle: ShareBundle
	) {}

	/** Matching commands among those with a receipt; `null` before the end. */
	get summary(): { matches: number; judged: number } | null {
		if (this.state !== 'ended' || this.failure !== null || this.results.length === 0) return null;
		const verdicts = this.results.map(verdictOf).filter(isJudged);
		return { matches: verdicts.filter((verdict) => verdict === 'match').length, judged: verdicts.length };
	}

	/** Never rejects: stores the error in `failure`. */
	async run(): Promise<void> {
		this.results = [];
		this.failure = null;
		this.state = 'running';
		this.#abort = new AbortController();
		const { signal } = this.#abort;
		try {
			const { verifyReceipt } = await import('#session/share/verify.ts');
			const environment = await this.parts.createEnvironment();
			// Freeing the computer stops the running command.
			const stop = (): void => void environment.cleanup();
			signal.addEventListener('abort', stop);
			try {
				signal.throwIfAborted();
				const options = { signal, serverUrl: location.origin };
				for await (const result of verifyReceipt(this.bundle, environment, this.parts.importRepository, options)) {
					signal.throwIfAborted();
					this.results = [...this.results, result];
				}
			} finally {
				signal.removeEventListener('abort', stop);
				await environment.cleanup();
			}
		} catch (error) {
			// Stopping by the user is not a failure.
			if (!signal.aborted) this.failure = error;
		} finally {
			this.state = 'ended';
		}
	}

	stop(): void {
		this.#abort.abort();
	}
}
