import { describe, expect, it } from 'vitest';
import { childOptions } from '#agent/child-options.ts';
import { MemoryLog } from '#agent/memory-log.ts';
import { fakeSession } from './fake-session.ts';

/**
 * Creates a session with all options that apply only to its own log, machine and user, and returns those of its
 * subagent.
 */
async function childOf(more: Partial<Parameters<typeof childOptions>[1]> = {}) {
	const { session } = await fakeSession([], {
		id: 'own',
		log: new MemoryLog(),
		forked: true,
		reasoningEffort: 'high',
		spendingCapUsd: 3,
		maxToolRoundsPerInput: 7
	});
	const environment = session.options.environment;
	const [options, parent] = childOptions(session, {
		agentId: 'a',
		environment,
		ownFiles: false,
		maxTurns: 5,
		...more
	});
	return { session, environment, options, parent };
}

describe('a subagent', () => {
	it('gets the settings of its parent, but neither its log nor why it was opened', async () => {
		const { session, environment, options } = await childOf();
		expect(options).toMatchObject({
			environment,
			profile: session.profile,
			reasoningEffort: 'high',
			spendingCapUsd: 3,
			maxTurns: 5,
			maxToolRoundsPerInput: 0
		});
		for (const own of ['id', 'log', 'forked']) expect(options).not.toHaveProperty(own);
	});

	it('works with the model that it is given', async () => {
		const { session, options } = await childOf({ model: 'small' });
		expect(options.profile).toEqual({ ...session.profile, model: 'small' });
	});

	it('has the files of its parent, so that its changes are undone with the parent’s', async () => {
		const { session, parent } = await childOf();
		expect(parent).toMatchObject({ agentId: 'a', depth: 1 });
		expect(parent.files).toBe(session.files);
		expect(parent).not.toHaveProperty('copiedFrom');
	});

	it('with files of its own knows which fork they were copied from', async () => {
		const { parent } = await childOf({ ownFiles: true });
		expect(parent).not.toHaveProperty('files');
		expect(parent.copiedFrom).toBeNull();
	});
});
