import { expect, it } from 'vitest';
import { killOften } from '#test/e2e/kills/kills.ts';
import { startProduct } from '#test/e2e/world.ts';
import { soak } from './size.ts';

it('100 real browsers killed while they write', async () => {
	const { seed, size } = soak(100);
	const world = await startProduct();
	let state = seed;
	// The Park-Miller generator: the same seed gives the same moments.
	const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
	const { kills, acknowledged } = await killOften(world, size, random);
	console.log(`Seed ${seed}: ${kills} kills, ${acknowledged} acknowledged commands, all of them there.`);
	expect(acknowledged).toBeGreaterThanOrEqual(kills);
	await world.close();
});
