import { expect, it } from 'vitest';
import { memoryCounters } from '#server/limits/counters.ts';

it('counts in memory by name and key, and says that it does', async () => {
	const counters = memoryCounters();
	const llm = counters.counter('llm', 60, 'fail');
	await llm.add('me', 2);
	const { total, resetMs } = await llm.add('me', -1);
	expect(total).toBe(1);
	expect(resetMs).toBeGreaterThan(0);
	expect(resetMs).toBeLessThanOrEqual(60_000);
	expect((await llm.add('you', 4)).total).toBe(4);
	expect((await counters.counter('shares', 60, 'fail').add('me', 1)).total).toBe(1);
	expect(await counters.state()).toBe('memory');
});
