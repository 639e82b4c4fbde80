import { expect, it } from 'vitest';
import { playLoad } from '#test/server/processes/load.ts';
import { soak } from './size.ts';

it('10 minutes of mixed load: every answer is right, and neither memory, handles nor calls behind it grow', async () => {
	const { seed, size } = soak(600);
	const report = await playLoad(size * 1_000, seed);
	console.log(`Seed ${seed}:`, report);
	expect(report.wrong).toEqual([]);
	expect(report.openBehindIt).toBe(0);
	expect(report.descriptorsLeft).toBeLessThanOrEqual(report.descriptorsAtFirst + 20);
	// A heap settles in the first minute; after that it may vary, but not grow.
	expect(report.lastMB).toBeLessThan(report.firstMB * 1.3 + 20);
});
