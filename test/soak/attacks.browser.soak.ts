import { expect, it } from 'vitest';
import { tryAttacks } from './attacks/run.ts';
import { openTab } from './attacks/tab.ts';
import { soak } from './size.ts';

it('1,500 disguised commands: none does what it was not asked about', async () => {
	const { seed, size } = soak(1_500);
	const target = await openTab();
	try {
		const figures = await tryAttacks(target, size, seed);
		console.log(`Attacks in the tab, seed ${seed}: ${JSON.stringify(figures)}`);
		expect(figures.tried).toBe(size);
		expect(figures.working).toBeGreaterThan(size / 2);
	} finally {
		await target.close();
	}
});
