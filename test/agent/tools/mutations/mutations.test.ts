import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { FORMATS, playMutations } from './play.ts';

describe('changes of files that make them hard', () => {
	let environment: LocalExecutionEnvironment;
	beforeAll(async () => {
		environment = await createTemporary();
	});
	afterAll(async () => {
		await environment.cleanup();
		await removeTemporary();
	});

	it.each(FORMATS)('land where they were meant, or say what to do: %s', async (format) => {
		const { applied, ambiguous, stale } = await playMutations(environment, format, 1, 60);
		expect(applied + ambiguous + stale).toBe(60);
		expect(applied).toBeGreaterThan(20);
		expect(stale).toBeGreaterThan(2);
	});
});
