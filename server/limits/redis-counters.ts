import { createClient } from '@redis/client';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { CountersAway, counterOn, memoryCounters, type Counters } from './counters.ts';

/** A Redis slower than this is treated as away: no request waits for it longer. */
const ANSWER_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Counts in Redis, for all servers together. Starts also while Redis is away, and finds it again.
 * @param tell gets a sentence when Redis goes away or comes back; never its address, which can hold a password
 */
export async function redisCounters(url: string, tell: (sentence: string) => void): Promise<Counters> {
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
		if (!away) tell('Redis does not answer. Requests are counted by this server alone, and budgets stay closed.');
		away = true;
	});
	client.on('ready', () => {
		if (away) tell('Redis answers again.');
		away = false;
	});
	// Without end while Redis is away: 'error' has told it, and `close` ends the attempts.
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
						throw new CountersAway('Redis does not answer.', { cause: error });
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
