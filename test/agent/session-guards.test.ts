import { describe, expect, it } from 'vitest';
import type { GuardOptions, Guards } from '#agent/api.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession, ofType } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';
import { ALL_RIGHTS } from '#environment/contract.ts';
import type { CommandGrant } from '#agent/tool.ts';

const change = { kind: 'execute' as const, command: 'make', cwd: '/', description: 'Run make', background: false };

/** A session with the host's own guards, and what they grant to a tool. */
async function guardedBy(guards: Guards, options: Parameters<typeof fakeSession>[1] = {}) {
	const given: GuardOptions[] = [];
	const grants: CommandGrant[] = [];
	const run = fakeTool(
		'run',
		async (_, context) => {
			grants.push(await context.permitCommand!(change, { line: 'make', options: {} } as never));
			return 'ran';
		},
		'write'
	);
	const client = new FakeClient([{ calls: [{ name: 'run' }] }, { text: 'Done.' }]);
	const { session, seen } = await fakeSession([], {
		client,
		profile: fakeProfile([run]),
		createGuards: (each) => (given.push(each), guards),
		...options
	});
	await session.submit('Go').result;
	return { given, grants, seen, session };
}

describe('guards of a host', () => {
	it('that only know proposals let a command run, with all rights, or not', async () => {
		const proposed: unknown[] = [];
		const allowing = await guardedBy({ propose: async (each) => void proposed.push(each) });
		expect(proposed).toEqual([change]);
		expect(allowing.grants).toEqual([{ kind: 'run', rights: ALL_RIGHTS }]);
		const refusing = await guardedBy({ propose: () => Promise.reject(new Error('Not today.')) });
		expect(refusing.grants).toEqual([]);
		expect(ofType(refusing.seen, 'tool_call_end')).toMatchObject([
			{ isError: true, output: expect.stringContaining('Not today.') }
		]);
	});

	it('get what the session has: its mode, rules, network and memory of answers', async () => {
		const network = { allow: () => () => undefined, allowed: () => [] };
		const onAllowRule = () => undefined;
		const { given, session } = await guardedBy(
			{ propose: async () => undefined },
			{ network, onAllowRule, mode: 'auto-edit', allowRules: [{ kind: 'path', pattern: 'src/**' }] }
		);
		expect(given[0]).toMatchObject({ network, onAllowRule, allowRules: [{ kind: 'path', pattern: 'src/**' }] });
		expect(given[0]?.mode()).toBe('auto-edit');
		session.setMode('plan');
		expect(given[0]?.mode()).toBe('plan');
		expect(given[0]?.readBeforeWrite()).toBe('off');
		// This host cannot answer questions.
		expect(given.map(({ ask }) => ask)).toEqual(given.map(() => undefined));
		const bare = await guardedBy({ propose: async () => undefined });
		expect(bare.given[0]).not.toHaveProperty('network');
		expect(bare.given[0]).not.toHaveProperty('onAllowRule');
	});

	it('use the grants of guards that judge commands themselves', async () => {
		const ended = { kind: 'ended' as const, result: { exitCode: 0 } as never };
		const { grants } = await guardedBy({ propose: async () => undefined, permitCommand: () => Promise.resolve(ended) });
		expect(grants).toEqual([ended]);
	});
});
