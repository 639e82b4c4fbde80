import { afterAll, expect, it } from 'vitest';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { replaySession } from './replays/replay.ts';

afterAll(removeTemporary);

it('replays a shared session to the same trees, and its commands to the same outcomes', async () => {
	let state = 20_261_122;
	const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
	let [trees, commands] = [0, 0];
	for (let session = 0; session < 2; session++) {
		const replayed = await replaySession(random, createTemporary, true);
		trees += replayed.trees;
		commands += replayed.commands;
	}
	expect(trees).toBeGreaterThan(6);
	expect(commands).toBeGreaterThan(1);
});
