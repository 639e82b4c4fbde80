import { expect, it } from 'vitest';
import { FORMATS, playMutations } from '#test/agent/tools/mutations/play.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { soak } from './size.ts';

it.each(FORMATS)(
	'2,000 changes of files, %s: none in the wrong place, each refusal leads to one that works',
	async (format) => {
		const { seed, size } = soak(2_000);
		const environment = await createTemporary();
		const tally = await playMutations(environment, format, seed, size);
		console.log(`Seed ${seed}, ${format}:`, tally);
		expect(tally.applied + tally.ambiguous + tally.stale).toBe(size);
		await environment.cleanup();
		await removeTemporary();
	}
);
