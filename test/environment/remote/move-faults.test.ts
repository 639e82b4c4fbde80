import { afterEach, expect, it } from 'vitest';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { playMoveFaults } from './move-faults.ts';
import { createMachine, type Machine } from './temporary.ts';

let machine: Machine | undefined;
afterEach(async () => {
	await machine?.dispose();
	await removeTemporary();
});

it('ends a move whose connection breaks, whose machine dies or that is cancelled with whole trees', async () => {
	machine = await createMachine();
	const home = await createTemporary();
	const figures = await playMoveFaults({ home, machine }, 8, Number(process.env['SOAK_SEED'] ?? 1));
	expect(figures.moved + figures.failed).toBe(8);
	expect(figures.moved).toBeGreaterThan(0);
	expect(figures.struck).toBeGreaterThan(0);
	await home.cleanup();
}, 120_000);
