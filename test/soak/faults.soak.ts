import fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { faultScript } from '#test/agent/faults/generate.ts';
import { playFault } from '#test/agent/faults/play.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { wires } from '#test/llm/wires.ts';
import { soak } from './size.ts';

it('500 fault scripts over four wires: nothing hangs and no session is bricked', async () => {
	const { seed, size } = soak(500);
	const environment = await createTemporary();
	const endings = new Map<string, number>();
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...wires), faultScript, async (wire, script) => {
			const { result } = await playFault(wire, script, environment);
			const ending = result.error ? `error ${result.error.code}` : result.stopReason;
			endings.set(ending, (endings.get(ending) ?? 0) + 1);
		}),
		{ numRuns: size, seed }
	);
	console.log(`Seed ${seed}:`, Object.fromEntries([...endings].sort((a, b) => b[1] - a[1])));
	expect([...endings.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(size);
	await environment.cleanup();
	await removeTemporary();
});
