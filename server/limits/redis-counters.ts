import { createClient } from '@redis/client';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { CountersAway, counterOn, memoryCounters, type Counters } from './counters.ts';

/** Timeout for Redis, after which it counts as unavailable: no request waits longer. */
const ANSWER_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Counts in Redis, for all servers together. Also starts while Redis is unavailable, and reconnects.
 * @param notify receives a message when Redis becomes unavailable or available again; it never contains its address,
 * which can include a password
 */
export async function redisCounters(url: string, notify: (sentence: string) => void): Promise<Counters> {
	const client = createClient({
		url,
		disableOfflineQueue: true,
		socket: {
			connectTimeout: ANSWER_MS,
			reconnectStrategy: (tries) => Math.min(50 * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS)
		}
	});
	let away = false;
	client.on('error', () => {
		if (!away) notify('Redis does not respond. Requests are counted by this server only, and budgets are closed.');
		away = true;
	});
	client.on('ready', () => {
		if (away) notify('Redis responds again.');
		away = false;
	});
	// Retries for as long as Redis is unavailable: the 'error' event has reported it, and `close` ends the
	// attempts.
	await inTime(client.connect()).catch(() => undefined);

	const here = memoryCounters();
	return {
		counter(name, duration, whenAway) {
			const limiter = new RateLimiterRedis({
				storeClient: client,
				useRedisPackage: true,
				rejectIfRedisNotReady: true,
				keyPrefix: `sandglass:${name}`,
				points: 1,
				duration
			});
			const shared = counterOn(limiter);
			const local = here.counter(name, duration, whenAway);
			return {
				async add(key, amount) {
					try {
						return await inTime(shared.add(key, amount));
					} catch (error) {
						if (whenAway === 'count-here') return local.add(key, amount);
						throw new CountersAway('Redis does not respond.', { cause: error });
					}
				}
			};
		},
		async state() {
			if (!client.isReady) return 'away';
			return inTime(client.ping()).then(
				() => 'redis',
				() => 'away'
			);
		},
		close: () => client.destroy()
	};
}

function inTime<T>(answer: Promise<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Error('Redis took too long.')), ANSWER_MS);
		answer.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}
