import { expect, it } from 'vitest';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { playMoveFaults } from '#test/environment/remote/move-faults.ts';
import { createMachine } from '#test/environment/remote/temporary.ts';
import { soak } from './size.ts';

it('1,000 moves with broken connections, dead machines and cancels: both sides keep whole trees', async () => {
	const { seed, size } = soak(1_000);
	const machine = await createMachine();
	const home = await createTemporary();
	const figures = await playMoveFaults({ home, machine }, size, seed);
	console.log(`Moves with faults, seed ${seed}: ${JSON.stringify(figures)}`);
	expect(figures.moved + figures.failed).toBe(size);
	await home.cleanup();
	await machine.dispose();
	await removeTemporary();
});
