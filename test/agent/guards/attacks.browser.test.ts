import { expect, it } from 'vitest';
import { tryAttacks } from '#test/soak/attacks/run.ts';
import { openTab } from '#test/soak/attacks/tab.ts';

it('asks about every disguised command by its effects, and lets none of them happen before', async () => {
	const target = await openTab();
	try {
		const figures = await tryAttacks(target, 40, 1);
		expect(figures.working).toBeGreaterThan(20);
		expect(figures.asked).toBeGreaterThan(10);
		expect(figures.refused).toBeGreaterThan(5);
	} finally {
		await target.close();
	}
}, 240_000);
