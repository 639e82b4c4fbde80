import type { ProviderError } from './errors.ts';

export interface RetryPolicy {
	/** Number of retries after the first attempt; 0 disables them. */
	retries: number;
	baseMs: number;
	factor: number;
	/** Maximum delay; if a provider requests a longer one, the request fails. */
	capMs: number;
	/** Returns 0 … 1; replaced in tests. */
	random: () => number;
}

export const defaultRetry: RetryPolicy = { retries: 2, baseMs: 1000, factor: 2, capMs: 60_000, random: Math.random };

/**
 * Delay before the next attempt.
 * @param attempt 1 for the first retry
 * @returns ms, or `null` if the error should not be retried
 */
export function retryDelay(policy: RetryPolicy, attempt: number, error: ProviderError): number | null {
	if (!error.retryable || attempt > policy.retries) return null;
	if (error.retryAfterMs !== undefined) return error.retryAfterMs <= policy.capMs ? error.retryAfterMs : null;
	const backoff = policy.baseMs * policy.factor ** (attempt - 1);
	return Math.round(Math.min(policy.capMs, backoff * (0.5 + policy.random())));
}

/** Resolves after `ms`, or at once when `signal` fires. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve) => {
		if (signal?.aborted) return resolve();
		const done = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		signal?.addEventListener('abort', done, { once: true });
	});
}
