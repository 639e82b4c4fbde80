import { expect, it } from 'vitest';
import type { ServerContext } from '#server/context.ts';
import { memoryCounters } from '#server/limits/counters.ts';
import { createRateLimit, RATE_LIMITS } from '#server/limits/rate-limit.ts';
import { Refusal } from '#server/refusal.ts';

const from = (client: string) =>
	({ get: (name: string) => (name === 'client' ? client : undefined) }) as unknown as ServerContext;

it('refuses what a client asks beyond its number, and says when to try again', async () => {
	const limit = createRateLimit(memoryCounters().counter('test', 60, 'fail'), 2);
	await limit(from('a'));
	await limit(from('a'));
	const refused = await limit(from('a')).catch((error: unknown) => error);
	expect(refused).toBeInstanceOf(Refusal);
	expect(refused).toMatchObject({
		status: 429,
		code: 'rate_limited',
		message: 'Too many requests from this address. Try again in 60 s.',
		headers: { 'Retry-After': '60' }
	});
	await limit(from('b'));
});

it('asks nobody to wait for no time at all', async () => {
	const limit = createRateLimit({ add: () => Promise.resolve({ total: 3, resetMs: 0 }) }, 2);
	await expect(limit(from('a'))).rejects.toMatchObject({ headers: { 'Retry-After': '1' } });
});

it('forgets a client when its window is over', async () => {
	const counter = memoryCounters().counter('short', 1, 'fail');
	expect(await counter.add('a', 2)).toMatchObject({ total: 2 });
	expect((await counter.add('a', -1)).total).toBe(1);
	expect((await counter.add('b', 1)).resetMs).toBeLessThanOrEqual(1_000);
});

it('limits guesses of the token and machines more than models, and installs least', () => {
	expect(RATE_LIMITS).toEqual({ llm: 300, outbound: 6_000, shares: 30, machines: 10, wrongTokens: 10 });
});
