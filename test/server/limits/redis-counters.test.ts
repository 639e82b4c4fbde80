import { EventEmitter, once } from 'node:events';
import { createClient } from '@redis/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CountersAway } from '#server/limits/counters.ts';
import { redisCounters } from '#server/limits/redis-counters.ts';
import { inTime } from '#test/in-time.ts';
import { freePort, noRedis, startRedis } from './redis.ts';

const AWAY = 'Redis does not respond. Requests are counted by this server only, and budgets are closed.';

async function start(url: string) {
	const said: string[] = [];
	const voice = new EventEmitter();
	const notify = (sentence: string) => {
		said.push(sentence);
		voice.emit('said');
	};
	const counters = await inTime(redisCounters(url, notify), 'counters in Redis');
	onTestFinished(counters.close);
	return { counters, said, saysMore: () => inTime(once(voice, 'said'), 'a sentence about Redis') };
}

async function startWithRedis() {
	const redis = await startRedis();
	onTestFinished(redis.stop);
	const looking = await createClient({ url: redis.url }).connect();
	looking.on('error', () => undefined); // Redis stops before it does
	onTestFinished(() => looking.destroy());
	return { redis, looking, ...(await start(redis.url)) };
}

describe.skipIf(noRedis)(`counters in Redis${noRedis ? `: ${noRedis}` : ''}`, () => {
	it('add up for all servers, each under its own name, and say nothing where all is well', async () => {
		const { redis, looking, counters, said } = await startWithRedis();
		const other = await start(redis.url);
		const llm = counters.counter('llm', 60, 'fail');
		expect((await llm.add('me', 2)).total).toBe(2);
		expect((await other.counters.counter('llm', 60, 'fail').add('me', 3)).total).toBe(5);
		const { total, resetMs } = await llm.add('me', -1);
		expect(total).toBe(4);
		expect(resetMs).toBeGreaterThan(0);
		expect(resetMs).toBeLessThanOrEqual(60_000);
		expect((await counters.counter('shares', 60, 'fail').add('me', 1)).total).toBe(1);
		expect((await looking.keys('*')).sort()).toEqual(['sandglass:llm:me', 'sandglass:shares:me']);
		expect([await counters.state(), said, other.said]).toEqual(['redis', [], []]);
	});

	it('are counted here, or not at all, while Redis takes too long', async () => {
		const { redis, counters } = await startWithRedis();
		const here = counters.counter('llm', 60, 'count-here');
		const shared = counters.counter('spent', 60, 'fail');
		expect((await here.add('me', 5)).total).toBe(5);
		redis.pause();
		const [state, counted, failed] = await inTime(
			Promise.all([counters.state(), here.add('me', 1), shared.add('me', 1).catch((error: unknown) => error)]),
			'an end of waiting for Redis'
		);
		expect([state, counted.total]).toEqual(['away', 1]);
		expect(failed).toBeInstanceOf(CountersAway);
		expect(failed).toMatchObject({
			name: 'CountersAway',
			message: 'Redis does not respond.',
			cause: { message: 'Redis took too long.' }
		});
	});

	it('go on when Redis is there again, which is said once, as is its absence', async () => {
		const port = await freePort();
		const { counters, said, saysMore } = await start(`redis://127.0.0.1:${port}`);
		expect([await counters.state(), said]).toEqual(['away', [AWAY]]);
		const isBack = saysMore();
		const redis = await startRedis(port);
		onTestFinished(redis.stop);
		await isBack;
		expect([await counters.state(), said]).toEqual(['redis', [AWAY, 'Redis responds again.']]);
		expect((await counters.counter('llm', 60, 'fail').add('me', 1)).total).toBe(1);
		const isGone = saysMore();
		await redis.stop();
		await isGone;
		expect([await counters.state(), said]).toEqual(['away', [AWAY, 'Redis responds again.', AWAY]]);
	});

	it('leave no timer and no connection behind', async () => {
		const { looking, counters } = await startWithRedis();
		const connections = async () => String(await looking.sendCommand(['CLIENT', 'LIST'])).match(/^id=/gm)?.length;
		expect(await connections()).toBe(2);
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		onTestFinished(() => void vi.useRealTimers());
		await counters.counter('llm', 60, 'fail').add('me', 1);
		await counters.state();
		expect(vi.getTimerCount()).toBe(0);
		vi.useRealTimers();
		counters.close();
		await expect.poll(connections).toBe(1);
	});
});
