import { afterEach, describe, expect, it } from 'vitest';
import { removeTemporary } from '#test/environment/local/temporary.ts';
import { playWildCalls } from './play.ts';

afterEach(removeTemporary);

describe('whatever a model sends', () => {
	it('gets a result and stays in the workspace', async () => {
		const { refused, done } = await playWildCalls(1, 400);
		expect(refused + done).toBeGreaterThanOrEqual(400);
		expect(done).toBeGreaterThan(40);
	});

	it('does so without ripgrep', async () => {
		const { refused, done } = await playWildCalls(2, 150, null);
		expect(refused + done).toBeGreaterThanOrEqual(150);
	});
});
