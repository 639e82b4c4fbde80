import { describe, expect, it } from 'vitest';
import { canRunTrials, openMachine } from '#test/soak/attacks/machine.ts';
import { tryAttacks, type AttackFigures } from '#test/soak/attacks/run.ts';

const canEnforce = await canRunTrials();
const missing = canEnforce ? '' : ' (skipped: nothing on this machine enforces rights; bubblewrap does)';

async function tried(isEnforced: boolean, count: number): Promise<AttackFigures> {
	const target = await openMachine({ isEnforced });
	try {
		return await tryAttacks(target, count, 1);
	} finally {
		await target.close();
	}
}

describe('a disguised command on a real machine', () => {
	it.skipIf(!canEnforce)(`is asked about by its effects, and does nothing before${missing}`, async () => {
		const figures = await tried(true, 24);
		expect(figures.working).toBeGreaterThan(12);
		expect(figures.asked).toBeGreaterThan(8);
		expect(figures.refused).toBeGreaterThan(4);
	});

	it('does not run before it was asked about where nothing enforces rights, and never in the mode plan', async () => {
		const { tried: count, asked, refused } = await tried(false, 60);
		expect(asked + refused).toBe(count);
		expect(refused).toBe(20);
	});
});
