import { RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** Current total of a window. */
export interface Count {
	total: number;
	/** Time until the window ends and the count restarts at zero. */
	resetMs: number;
}

/** Adds up integers by key; the window of a key starts with its first addition. */
export interface Counter {
	/**
	 * Adds to a key's current window.
	 * @param amount integer; a negative one subtracts
	 * @throws CountersAway
	 */
	add(key: string, amount: number): Promise<Count>;
}

/** The store shared by all servers does not respond. */
export class CountersAway extends Error {
	override readonly name = 'CountersAway';
}

export interface Counters {
	/**
	 * Creates a counter.
	 * @param windowSeconds length of the window of a key
	 * @param away behavior while a shared store does not respond: `count-here` falls back to the memory of this server,
	 * `fail` throws CountersAway
	 */
	counter(name: string, windowSeconds: number, away: 'count-here' | 'fail'): Counter;
	/** `away`: a shared store is configured and does not respond. */
	state(): Promise<'memory' | 'redis' | 'away'>;
	close(): void;
}

export function counterOn(limiter: RateLimiterAbstract): Counter {
	return {
		async add(key, amount) {
			const { consumedPoints, msBeforeNext } = await limiter.penalty(key, amount);
			return { total: consumedPoints, resetMs: msBeforeNext };
		}
	};
}

/** Counts in this process only. */
export function memoryCounters(): Counters {
	return {
		counter: (name, duration) => counterOn(new RateLimiterMemory({ keyPrefix: name, points: 1, duration })),
		state: () => Promise.resolve('memory'),
		close: () => undefined
	};
}
