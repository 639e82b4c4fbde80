import { expect, it } from 'vitest';
import { playWildCalls } from '#test/agent/tools/fuzz/play.ts';
import { removeTemporary } from '#test/environment/local/temporary.ts';
import { soak } from './size.ts';

it('100,000 wild calls of tools: each gets a result, none hangs or leaves the workspace', async () => {
	const { seed, size } = soak(100_000);
	const tally = await playWildCalls(seed, size);
	console.log(`Seed ${seed}: ${tally.done} done, ${tally.refused} refused`);
	console.table(tally.byTool);
	expect(tally.refused + tally.done).toBeGreaterThanOrEqual(size);
	await removeTemporary();
});
