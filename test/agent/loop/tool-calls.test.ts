import { describe, expect, it } from 'vitest';
import { PermissionDenied } from '#agent/index.ts';
import { groupByAccess } from '#agent/loop/tool-calls.ts';
import { fakeSession, ofType } from '../fake-session.ts';
import { broken, echo, fakeProfile, fakeTool } from '../fake-tools.ts';

const denied = fakeTool(
	'denied',
	() => {
		throw new PermissionDenied('The person said no.');
	},
	'write'
);

/** Each waits until all of them are running, so it ends only when they run at the same time. */
function meeting(count: number): ReturnType<typeof fakeTool> {
	let here = 0;
	let open: () => void = () => undefined;
	const all = new Promise<void>((resolve) => (open = resolve));
	return fakeTool('meet', async ({ text }) => {
		if (++here === count) open();
		await all;
		return String(text);
	});
}

describe('tool calls', () => {
	it('groups neighbours that do not write [F-001-4]', () => {
		const access = (name: string) => (name === 'w' ? 'write' : 'read');
		const calls = [...'rrwwr'].map((name) => ({ call: { type: 'tool_call' as const, id: name, name, arguments: {} } }));
		expect(groupByAccess(calls, { access }).map((group) => group.length)).toEqual([2, 1, 1, 1]);
	});

	it('runs reads at the same time and gives each result to its call, in call order [9.3-5] [J.9-4.6]', async () => {
		const calls = ['a', 'b', 'c'].map((text) => ({ name: 'meet', arguments: { text } }));
		const { session, client } = await fakeSession([{ calls }], { profile: fakeProfile([meeting(3)]) });
		await session.submit('Go').result;
		expect(client.requests[1]?.messages.at(-1)?.content).toMatchObject([
			{ callId: 'call_1', content: 'a' },
			{ callId: 'call_2', content: 'b' },
			{ callId: 'call_3', content: 'c' }
		]);
	});

	it('runs one after another where the profile says so', async () => {
		const order: string[] = [];
		const slow = fakeTool('slow', async ({ text }) => {
			order.push(`start ${String(text)}`);
			await Promise.resolve();
			order.push(`end ${String(text)}`);
			return '';
		});
		const calls = ['a', 'b'].map((text) => ({ name: 'slow', arguments: { text } }));
		const profile = fakeProfile([slow], { supportsParallelToolCalls: false });
		const { session } = await fakeSession([{ calls }], { profile });
		await session.submit('Go').result;
		expect(order).toEqual(['start a', 'end a', 'start b', 'end b']);
	});

	it('answers a call without valid JSON, a reused id and runs neither [F-007-1] [F-007-2] [F-007-3] [F-007-4] [F-007-e1] [F-007-e2] [J.9-5.2]', async () => {
		const calls = [
			{ id: 'x', name: 'echo', rawArguments: '{"text": "cut' },
			{ id: 'y', name: 'echo', arguments: { text: 'ran' } },
			{ id: 'y', name: 'echo', arguments: { text: 'twice' } }
		];
		const { session, client, seen } = await fakeSession([{ calls }]);
		await session.submit('Go').result;
		const [assistant, tool] = client.requests[1]?.messages.slice(-2) ?? [];
		const ids = assistant?.content.map((part) => part.type === 'tool_call' && part.id);
		expect(new Set(ids).size).toBe(3);
		expect(assistant?.content[0]).toMatchObject({ arguments: {} });
		expect(tool?.content).toMatchObject([
			{
				callId: ids?.[0],
				isError: true,
				content: expect.stringMatching(/^Invalid tool call format: .*Please retry with correct format\.$/)
			},
			{ callId: ids?.[1], isError: false, content: 'ran' },
			{ callId: ids?.[2], isError: true, content: expect.stringContaining('used twice') }
		]);
		expect(ofType(seen, 'tool_call_start').map(({ callId }) => callId)).toEqual(ids);
		expect(ofType(seen, 'tool_call_end')).toHaveLength(3);
	});

	it('runs a call whose id an earlier response had, under a fresh one', async () => {
		const again = { calls: [{ id: 'call_0', name: 'echo', arguments: { text: 'ran' } }] };
		const { session, client } = await fakeSession([again, again]);
		await session.submit('Go').result;
		const results = client.requests[2]?.messages
			.filter(({ role }) => role === 'tool')
			.flatMap(({ content }) => content);
		expect(results).toMatchObject([{ content: 'ran' }, { content: 'ran' }]);
		expect(new Set(results?.map((part) => part.type === 'tool_result' && part.callId)).size).toBe(2);
	});

	it('counts invalid calls as failures and ends the run [F-007-e3] [F-005-6]', async () => {
		const invalid = { calls: [{ name: 'echo', rawArguments: '{' }] };
		const { session, seen } = await fakeSession([invalid, invalid, invalid, { text: 'never' }]);
		expect(await session.submit('Go').result).toMatchObject({ stopReason: 'failure_threshold', turns: 3 });
		expect(ofType(seen, 'agent_end')).toMatchObject([{ result: { stopReason: 'failure_threshold' } }]);
	});

	it('does not count a command that exits non-zero, nor text [F-005-4] [F-005-e3]', async () => {
		const failing = fakeTool('shell', () => ({ content: 'no', details: { exitCode: 1 }, isError: true }));
		const call = { calls: [{ name: 'shell' }] };
		const { session } = await fakeSession([call, call, call, call, { text: 'Tests fail.' }], {
			profile: fakeProfile([failing])
		});
		expect((await session.submit('Go').result).stopReason).toBe('end_turn');
	});

	it('ends the run when permission is denied and answers the calls left [F-004-4]', async () => {
		const { session, seen } = await fakeSession(
			[{ calls: [{ name: 'denied' }, { name: 'echo' }] }, { text: 'never' }],
			{
				profile: fakeProfile([denied, echo])
			}
		);
		expect(await session.submit('Go').result).toMatchObject({ stopReason: 'permission_denied', turns: 1 });
		expect(ofType(seen, 'tool_call_end')).toMatchObject([
			{ toolName: 'denied', isError: true },
			{ toolName: 'echo', isError: true, output: expect.stringContaining('Not run') }
		]);
		expect(session.state).toBe('idle');
	});

	it('shows the whole output and gives the model the truncated one [9.10-3] [9.5-4]', async () => {
		const long = 'x'.repeat(60_000);
		const { session, client, seen } = await fakeSession([{ calls: [{ name: 'big' }] }], {
			profile: fakeProfile([fakeTool('big', () => long)]),
			outputLimits: { outputCharacters: { big: 1000 } }
		});
		await session.submit('Go').result;
		expect(ofType(seen, 'tool_call_end')[0]?.output).toBe(long);
		const [result] = client.requests[1]?.messages.at(-1)?.content ?? [];
		expect(result?.type === 'tool_result' && result.content.length).toBeLessThan(1400);
	});

	it('streams a tool’s output while it runs [S-36]', async () => {
		const talks = fakeTool('talks', (_, context) => {
			context.onProgress('one ');
			context.onProgress('two');
			return 'one two';
		});
		const { session, seen } = await fakeSession([{ calls: [{ name: 'talks' }] }], { profile: fakeProfile([talks]) });
		await session.submit('Go').result;
		expect(ofType(seen, 'tool_call_output_delta').map(({ delta }) => delta)).toEqual(['one ', 'two']);
	});

	it('warns the model once of a loop [9.1-7]', async () => {
		const same = { calls: [{ name: 'echo', arguments: { text: 'again' } }] };
		const { session, client, seen } = await fakeSession([...Array<typeof same>(14).fill(same), { text: 'I stop.' }], {
			profile: fakeProfile([echo, broken])
		});
		await session.submit('Go').result;
		expect(ofType(seen, 'loop_detection')).toMatchObject([{ pattern: ['echo'] }]);
		expect(client.requests[10]?.messages.at(-1)).toMatchObject({
			role: 'user',
			content: [{ text: expect.stringContaining('Loop detected') }]
		});
	});
});
