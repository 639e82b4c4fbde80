import { expect, it, onTestFinished, vi } from 'vitest';
import { askInTime as ask } from '../ask-in-time.ts';
import { startSandglass } from '../start.ts';
import { noRedis, startRedis } from './redis.ts';

const health = async (url: string) => JSON.parse((await ask(`${url}/api/health`)).text);

it.skipIf(noRedis)(`counts one limit for two servers in a real Redis${noRedis ? `: ${noRedis}` : ''}`, async () => {
	const redis = await startRedis();
	onTestFinished(redis.stop);
	const start = () => startSandglass({ REDIS_URL: redis.url }, { rateLimits: { llm: 3 } });
	const [one, other] = [await start(), await start()];
	expect(await health(one.url)).toMatchObject({ status: 'ready', limits: expect.stringContaining('in Redis') });
	const statuses: number[] = [];
	for (const { url } of [one, other, one, other, one])
		statuses.push((await ask(`${url}/api/llm/openai/responses`, { method: 'POST' })).status);
	expect(statuses).toEqual([401, 401, 401, 429, 429]);
});

it.skipIf(noRedis)(
	`goes on counting alone while Redis is away, says so, and finds it again${noRedis ? `: ${noRedis}` : ''}`,
	async () => {
		const redis = await startRedis();
		onTestFinished(redis.stop);
		const server = await startSandglass({ REDIS_URL: redis.url }, { rateLimits: { llm: 1 } });
		await redis.stop();
		await vi.waitFor(async () => expect(await health(server.url)).toMatchObject({ status: 'degraded' }), 10_000);
		const post = () => ask(`${server.url}/api/llm/openai/responses`, { method: 'POST' });
		expect([(await post()).status, (await post()).status]).toEqual([401, 429]);
		expect(server.logged.filter((line) => line.includes('Redis does not respond'))).toHaveLength(1);
		const again = await startRedis(redis.port);
		onTestFinished(again.stop);
		await vi.waitFor(async () => expect(await health(server.url)).toMatchObject({ status: 'ready' }), 15_000);
	},
	30_000
);

it('starts and stops while Redis is away, and never reveals its password', async () => {
	const server = await startSandglass({ REDIS_URL: 'redis://:sesame-word@127.0.0.1:1' });
	const answer = await health(server.url);
	expect(answer).toMatchObject({ status: 'degraded', limits: expect.stringContaining('does not respond') });
	await server.close();
	expect(JSON.stringify([answer, server.logged])).not.toContain('sesame-word');
});
