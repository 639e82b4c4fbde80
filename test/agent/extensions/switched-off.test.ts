import { describe, expect, it, vi } from 'vitest';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { fakeSession, ofType, temporaryEnvironment } from '../fake-session.ts';
import { fakeTool } from '../fake-tools.ts';

const SKILL = '---\nname: release\ndescription: How a release is made.\n---\nTag.';
const theirs = fakeTool('notes__find', () => 'found');
const edit = { name: 'Edit', arguments: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } };

async function repository() {
	const environment = await temporaryEnvironment();
	await environment.writeFile('a.txt', 'one\n');
	await environment.writeFile('.agents/skills/release/SKILL.md', SKILL);
	return environment;
}

describe('what goes beyond the core', () => {
	it('is there when it is switched on: MCP tools, skills, approvals, read before write, compaction [S-26]', async () => {
		const environment = await repository();
		const askPermission = vi.fn(() => Promise.resolve({ kind: 'allow_once' as const }));
		const turns = [
			{ calls: [edit] },
			{ calls: [{ name: 'Read', arguments: { file_path: 'a.txt' } }] },
			{ calls: [edit] }
		];
		const { session, client, seen } = await fakeSession(
			[...turns, { text: 'word '.repeat(40_000), usage: { inputTokens: 39_000 } }, { text: 'Ok.' }],
			{
				environment,
				profile: createAnthropicProfile({ model: 'm', contextWindowTokens: 40_000 }),
				tools: [theirs],
				trustProjectInstructions: true,
				mode: 'ask',
				askPermission,
				compaction: true
			}
		);
		await session.submit('Change it').result;
		await session.submit('And more').result;
		const names = client.requests[0]?.tools?.map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(['notes__find', 'skill']));
		expect(ofType(seen, 'tool_call_end').map(({ isError }) => isError)).toEqual([true, false, false]);
		expect(askPermission).toHaveBeenCalledTimes(1);
		expect(ofType(seen, 'context_compact')).toHaveLength(1);
	});

	it('is gone when it is switched off [S-26]', async () => {
		const environment = await repository();
		const askPermission = vi.fn();
		const { session, client, seen } = await fakeSession(
			[{ calls: [edit] }, { text: 'word '.repeat(40_000), usage: { inputTokens: 39_000 } }, { text: 'Ok.' }],
			{
				environment,
				profile: createAnthropicProfile({ model: 'm', contextWindowTokens: 40_000, readBeforeWrite: 'off' }),
				trustProjectInstructions: true,
				skills: false,
				mode: 'full',
				askPermission
			}
		);
		await session.submit('Change it').result;
		await session.submit('And more').result;
		const names = client.requests[0]?.tools?.map(({ name }) => name);
		expect(names).not.toContain('notes__find');
		expect(names).not.toContain('skill');
		expect(ofType(seen, 'tool_call_end')).toMatchObject([{ isError: false }]);
		expect(askPermission).not.toHaveBeenCalled();
		expect(ofType(seen, 'context_compact')).toEqual([]);
		expect(await environment.readFile('a.txt')).toBe('two\n');
	});

	it('asks for approval only of a call that makes sense [S-26]', async () => {
		const beforeToolCall = vi.fn();
		const wrong = { name: 'Edit', arguments: { file_path: 'a.txt' } };
		const { session } = await fakeSession([{ calls: [wrong] }, { text: 'Ok.' }], {
			environment: await repository(),
			profile: createAnthropicProfile({ model: 'm' }),
			hooks: [{ beforeToolCall }]
		});
		await session.submit('Go').result;
		expect(beforeToolCall).not.toHaveBeenCalled();
	});
});
