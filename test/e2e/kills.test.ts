import { afterAll, beforeAll, expect, it } from 'vitest';
import { killOften } from './kills/kills.ts';
import { startProduct } from './world.ts';

let world: Awaited<ReturnType<typeof startProduct>>;
beforeAll(async () => {
	world = await startProduct();
});
afterAll(() => world.close());

it('keeps every acknowledged command when the browser is killed while it writes', async () => {
	const { acknowledged } = await killOften(world, 1, () => 0.5);
	expect(acknowledged).toBeGreaterThan(1);
});
