import { RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** What a window holds so far. */
export interface Count {
	total: number;
	/** Until the window ends and counting starts at nought. */
	resetMs: number;
}

/** Adds up whole numbers by key; each key has a window that begins with its first addition. */
export interface Counter {
	/**
	 * @param amount whole; a negative one takes back
	 * @throws CountersAway
	 */
	add(key: string, amount: number): Promise<Count>;
}

/** The store that counts for all servers does not answer. */
export class CountersAway extends Error {
	override readonly name = 'CountersAway';
}

export interface Counters {
	/**
	 * @param windowSeconds how long an addition stays
	 * @param away what happens while a shared store does not answer: `count-here` goes on in the memory
	 *   of this server, `fail` throws CountersAway
	 */
	counter(name: string, windowSeconds: number, away: 'count-here' | 'fail'): Counter;
	/** `away`: a shared store was set and does not answer. */
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

/** Counts in this process alone. */
export function memoryCounters(): Counters {
	return {
		counter: (name, duration) => counterOn(new RateLimiterMemory({ keyPrefix: name, points: 1, duration })),
		state: () => Promise.resolve('memory'),
		close: () => undefined
	};
}
