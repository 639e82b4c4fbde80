import { expect, it } from 'vitest';
import { playRequests } from '#test/server/fuzz/play.ts';
import { soak } from './size.ts';

it('30,000 requests of any kind: each is answered, none with a 500, none hangs', async () => {
	const { seed, size } = soak(30_000);
	const statuses = await playRequests(size, seed);
	console.log(`Seed ${seed}:`, Object.fromEntries([...statuses].sort(([a], [b]) => a - b)));
	expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(size);
});
