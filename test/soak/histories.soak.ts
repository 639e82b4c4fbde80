import fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { history } from '#test/session/histories/history.ts';
import { play } from '#test/session/histories/play.ts';
import { soak } from './size.ts';

it('100,000 histories of kills, torn writes, full disks, evictions, takeovers and clock jumps', async () => {
	const { seed, size } = soak(100_000);
	const counts = new Map<string, number>();
	await fc.assert(
		fc.asyncProperty(history, async (happenings) => {
			await play(happenings);
			for (const { do: happened } of happenings) counts.set(happened, (counts.get(happened) ?? 0) + 1);
		}),
		{ numRuns: size, seed }
	);
	console.log(`Seed ${seed}:`, Object.fromEntries(counts));
	expect(counts.get('power cut')).toBeGreaterThan(0);
});
