import { expect, it } from 'vitest';
import { canRunTrials, openMachine } from './attacks/machine.ts';
import { tryAttacks } from './attacks/run.ts';
import { soak } from './size.ts';

const isEnforced = await canRunTrials();

it.skipIf(!isEnforced)('1,100 disguised commands on this machine: none does what it was not asked about', async () => {
	const { seed, size } = soak(1_100);
	const target = await openMachine({ isEnforced: true });
	try {
		const figures = await tryAttacks(target, size, seed);
		console.log(`Attacks on this machine, seed ${seed}: ${JSON.stringify(figures)}`);
		expect(figures.tried).toBe(size);
		expect(figures.working).toBeGreaterThan(size / 2);
	} finally {
		await target.close();
	}
});

it('1,100 disguised commands where nothing enforces rights: none runs before it was asked about', async () => {
	const { seed, size } = soak(1_100);
	const target = await openMachine({ isEnforced: false });
	try {
		const figures = await tryAttacks(target, size, seed);
		console.log(`Attacks where nothing enforces rights, seed ${seed}: ${JSON.stringify(figures)}`);
		expect(figures.asked + figures.refused).toBe(size);
	} finally {
		await target.close();
	}
});
