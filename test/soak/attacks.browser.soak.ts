import { expect, it } from 'vitest';
import { tryAttacks } from './attacks/run.ts';
import { soak } from './size.ts';

it('1,500 disguised commands: none does what it was not asked about', async () => {
	const { seed, size } = soak(1_500);
	const figures = await tryAttacks(size, seed);
	console.log(`Attacks, seed ${seed}: ${JSON.stringify(figures)}`);
	expect(figures.tried).toBe(size);
	expect(figures.working).toBeGreaterThan(size / 2);
});
