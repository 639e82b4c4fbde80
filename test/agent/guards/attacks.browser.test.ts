import { expect, it } from 'vitest';
import { tryAttacks } from '../../soak/attacks/run.ts';

it('asks about every disguised command by its effects, and lets none of them happen before', async () => {
	const figures = await tryAttacks(60, 1);
	expect(figures.working).toBeGreaterThan(30);
	expect(figures.asked).toBeGreaterThan(15);
	expect(figures.refused).toBeGreaterThan(8);
});
