import { ConfigValidationError } from '../session-errors.ts';
import type { FailureDetection } from './config.ts';

export const DEFAULT_WINDOW_SIZE = 10;
export const DEFAULT_FAILURE_THRESHOLD = 3;

/** Ring buffer of the last tool calls' outcomes; too many failures among them end the run (002 F-005). */
export class FailureWindow {
	readonly #ring: boolean[] = [];
	readonly #size: number;
	readonly #threshold: number;
	#next = 0;
	#tripped = false;

	/** @throws ConfigValidationError if the threshold can never be reached or a number is not positive */
	constructor({
		windowSize = DEFAULT_WINDOW_SIZE,
		failureThreshold = DEFAULT_FAILURE_THRESHOLD
	}: FailureDetection = {}) {
		if (!Number.isInteger(windowSize) || windowSize < 1)
			throw new ConfigValidationError('windowSize', 'windowSize must be a whole number of at least 1.');
		if (!Number.isInteger(failureThreshold) || failureThreshold < 1)
			throw new ConfigValidationError('failureThreshold', 'failureThreshold must be a whole number of at least 1.');
		if (failureThreshold > windowSize)
			throw new ConfigValidationError(
				'failureThreshold',
				`failureThreshold (${failureThreshold}) must not be over windowSize (${windowSize}): it would never be reached.`
			);
		this.#size = windowSize;
		this.#threshold = failureThreshold;
	}

	push(failed: boolean): void {
		this.#ring[this.#next] = failed;
		this.#next = (this.#next + 1) % this.#size;
		if (this.failures >= this.#threshold) this.#tripped = true;
	}

	get failures(): number {
		return this.#ring.filter(Boolean).length;
	}

	/** True once the threshold was reached, regardless of later calls in the same round. */
	get tripped(): boolean {
		return this.#tripped;
	}
}
