import { expect, it } from 'vitest';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { replaySession } from '#test/session/replays/replay.ts';
import { soak } from './size.ts';

/** Only the commands of one session in this many are run again, which takes most of the time. */
const VERIFY_EACH = 20;

it('1,000 sessions are shared and replayed to the same trees', async () => {
	const { seed, size } = soak(1_000);
	let [trees, commands, bytes] = [0, 0, 0];
	for (let session = 0; session < size; session++) {
		// A separate seed each, so that a failing one can be run alone.
		let state = seed * 1_000 + session + 1;
		const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
		const replayed = await replaySession(random, createTemporary, session % VERIFY_EACH === 0).catch(
			(error: unknown) => {
				throw new Error(`Seed ${seed}, session ${session}`, { cause: error });
			}
		);
		trees += replayed.trees;
		commands += replayed.commands;
		bytes += replayed.bytes;
		await removeTemporary();
	}
	console.log(`Seed ${seed}: ${size} sessions, ${trees} trees the same, ${commands} commands with the same outcome.`);
	expect(trees).toBeGreaterThan(size);
	expect(bytes).toBeGreaterThan(0);
});
