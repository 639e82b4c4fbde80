import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PermissionDenied, type ToolBinding } from '#agent/index.ts';
import { groupByAccess } from '#agent/loop/tool-calls.ts';
import { checkResponse } from '#agent/loop/entry-validation.ts';
import type { Message } from '#llm/types.ts';
import { fakeSession, ofType, temporaryEnvironment } from '../fake-session.ts';
import { broken, echo, fakeProfile, fakeTool } from '../fake-tools.ts';

const denied = fakeTool(
	'denied',
	() => {
		throw new PermissionDenied('The person said no.');
	},
	'write'
);

/**
 * Each call waits until all of them are running, so they end only if they run concurrently. The last one ends first.
 */
function meeting(count: number, ended: string[]): ReturnType<typeof fakeTool> {
	const waiting: (() => void)[] = [];
	const endLast = (): void => waiting.pop()?.();
	return fakeTool('meet', async ({ text }) => {
		const turn = new Promise<void>((resolve) => waiting.push(resolve));
		if (waiting.length === count) endLast();
		await turn;
		ended.push(String(text));
		// The result is delivered before the next call ends.
		setImmediate(endLast);
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
		const ended: string[] = [];
		const { session, client, seen } = await fakeSession([{ calls }], { profile: fakeProfile([meeting(3, ended)]) });
		await session.submit('Go').result;
		expect(ended).toEqual(['c', 'b', 'a']);
		expect(ofType(seen, 'tool_call_end').map(({ callId, output }) => [callId, output])).toEqual([
			['call_3', 'c'],
			['call_2', 'b'],
			['call_1', 'a']
		]);
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

	it('answers a call without valid JSON, a reused id and runs neither [F-007-1] [F-007-2] [F-007-3] [F-007-4] [F-007-e1] [F-007-e2]', async () => {
		const calls = [
			{ id: 'x', name: 'echo', rawArguments: '{"text": "cut' },
			{ id: 'y', name: 'echo', arguments: { text: 'ran' } },
			{ id: 'y', name: 'echo', arguments: { text: 'twice' } }
		];
		const corrected = { calls: [{ id: 'z', name: 'echo', arguments: { text: 'mended' } }] };
		const { session, client, seen } = await fakeSession([{ calls }, corrected, { text: 'Done.' }]);
		await session.submit('Go').result;
		const [assistant, tool] = client.requests[1]?.messages.slice(-2) ?? [];
		expect(client.requests[2]?.messages.at(-1)?.content).toMatchObject([{ isError: false, content: 'mended' }]);
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
		expect(ofType(seen, 'tool_call_start').map(({ callId }) => callId)).toEqual([...(ids ?? []), 'z']);
		expect(ofType(seen, 'tool_call_end')).toHaveLength(4);
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

	it('brings a response without the shape providers accept into it [F-007-2]', () => {
		const of = (content: unknown, used: string[] = []) =>
			checkResponse({ role: 'assistant', content } as Message, new Set(used));
		expect(of('Plain words').message).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Plain words' }] });
		for (const nothing of ['', null, undefined, [null, 'x', {}], [{ type: 'text', text: '' }]])
			expect(of(nothing)).toEqual({ message: { role: 'assistant', content: [] }, calls: [] });
		const call = { type: 'tool_call', id: 'a', name: 'echo', arguments: {} };
		expect(of([{ ...call, name: '' }]).calls).toMatchObject([
			{ call: { name: 'unknown_tool' }, problem: 'the tool has no name' }
		]);
		const [unnamed] = of([{ ...call, id: '' }]).calls;
		expect(unnamed?.call.id).toMatch(/^call_[0-9a-f]{32}$/);
		expect(unnamed?.problem).toBeUndefined();
		for (const rawArguments of ['[1]', 'null', '"text"', '{"cut'])
			expect(of([{ ...call, rawArguments }]).calls).toMatchObject([
				{ call: { arguments: {} }, problem: /JSON object/ }
			]);
		for (const wrong of [[1], null, 'text'])
			expect(of([{ ...call, arguments: wrong }]).calls[0]?.call.arguments).toEqual({});
		expect(of([{ ...call, rawArguments: ' ' }]).calls[0]?.problem).toBeUndefined();
	});

	it('does not count what the user denied with words or interrupted [F-005-4]', async () => {
		const environment = await temporaryEnvironment();
		const proposes = fakeTool(
			'proposes',
			async (_, { propose }) => {
				await propose({
					kind: 'write',
					path: 'a.txt',
					before: null,
					after: new Uint8Array(1),
					description: 'Write a.txt'
				});
				return 'written';
			},
			'write'
		);
		const call = { calls: [{ name: 'proposes' }] };
		const asked = await fakeSession([call, call, call, call, { text: 'I see.' }], {
			environment,
			profile: fakeProfile([proposes]),
			mode: 'ask',
			askPermission: () => Promise.resolve({ kind: 'deny_explain', explanation: 'Not there.' })
		});
		expect(await asked.session.submit('Go').result).toMatchObject({ stopReason: 'end_turn', turns: 5 });
		expect(ofType(asked.seen, 'tool_call_end').map(({ isError }) => isError)).toEqual([true, true, true, true]);

		const interrupted = fakeTool(
			'interrupted',
			(_, { signal }) =>
				new Promise((_, reject) => {
					signal.addEventListener('abort', () => reject(new Error('stopped')));
					session.steer('Not so', { interrupt: true });
				}),
			'write'
		);
		const again = { calls: [{ name: 'interrupted' }, { name: 'interrupted' }] };
		const { session, seen } = await fakeSession([again, again, again, { text: 'I see.' }], {
			environment,
			profile: fakeProfile([interrupted])
		});
		expect(await session.submit('Go').result).toMatchObject({ stopReason: 'end_turn', turns: 4 });
		expect(ofType(seen, 'tool_call_end').map(({ isError }) => isError)).toEqual(Array(6).fill(true));
	});

	it('leaves the window as it is in a turn without calls [F-005-e3]', async () => {
		const fails = { calls: [{ name: 'broken' }] };
		const { session } = await fakeSession(
			[fails, fails, { text: 'Done?', onRequest: () => session.steer('Once more') }, fails, { text: 'never' }],
			{ profile: fakeProfile([broken]) }
		);
		expect(await session.submit('Go').result).toMatchObject({ stopReason: 'failure_threshold', turns: 4 });
		// A turn with only text is not a success either: it does not remove a failure from the window.
		const small = await fakeSession(
			[fails, { text: 'Done?', onRequest: () => small.session.steer('Once more') }, fails, { text: 'never' }],
			{ profile: fakeProfile([broken]), failureDetection: { windowSize: 2, failureThreshold: 2 } }
		);
		expect(await small.session.submit('Go').result).toMatchObject({ stopReason: 'failure_threshold', turns: 3 });
	});

	it.each([
		['pushes failures out', 'x..x..x.', { stopReason: 'end_turn', turns: 9 }],
		['keeps them while they are among the last calls', 'x.x', { stopReason: 'failure_threshold', turns: 3 }],
		['lets failures and successes alternate below the threshold', '.x.', { stopReason: 'end_turn', turns: 4 }]
	])('counts each call, and a success %s [F-005-2] [F-005-e2]', async (_, outcomes, ended) => {
		const turns = [...outcomes].map((outcome, index) => ({
			calls: [{ name: outcome === 'x' ? 'broken' : 'echo', arguments: { text: String(index) } }]
		}));
		const { session } = await fakeSession([...turns, { text: 'Done.' }], {
			profile: fakeProfile([broken, echo]),
			failureDetection: { windowSize: 3, failureThreshold: 2 }
		});
		expect(await session.submit('Go').result).toMatchObject(ended);
	});

	it('does not count a command that exits non-zero', async () => {
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
		const idsOf = (type: 'tool_call_start' | 'tool_call_end') => ofType(seen, type).map(({ callId }) => callId);
		expect(idsOf('tool_call_end')).toEqual(idsOf('tool_call_start'));
		expect(new Set(idsOf('tool_call_start')).size).toBe(2);
		expect(session.state).toBe('idle');
	});

	it('looks a tool up, validates, runs, truncates, and tells the whole before the model gets its part [S-17]', async () => {
		const order: string[] = [];
		const long = 'x'.repeat(500);
		const schema = z.object({ text: z.string() }).superRefine(() => void order.push('validate'));
		const tool = fakeTool('big', () => (order.push('execute'), long), 'read', schema);
		const calls = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, arguments: args }] });
		const { session, client, seen } = await fakeSession(
			[calls('gone', { text: '' }), calls('big', { text: 1 }), calls('big', { text: '' }), { text: 'Done.' }].map(
				(turn, index) => ({ ...turn, onRequest: () => void order.push(`request ${index}`) })
			),
			{ profile: fakeProfile([tool]), outputLimits: { outputCharacters: { big: 100 } } }
		);
		session.emitter.onEvent((event) => {
			if (event.type === 'tool_call_end') order.push(event.output === long ? 'emit whole' : 'emit error');
		});
		await session.submit('Go').result;
		expect(order).toEqual([
			...['request 0', 'emit error'],
			...['request 1', 'emit error'],
			...['request 2', 'validate', 'execute', 'emit whole', 'request 3']
		]);
		expect(ofType(seen, 'tool_call_end').map(({ output }) => output)).toEqual([
			expect.stringContaining('Unknown tool: gone'),
			expect.stringContaining('Invalid arguments for big: text'),
			long
		]);
		const [result] = client.requests[3]?.messages.at(-1)?.content ?? [];
		expect(result).toMatchObject({ content: expect.stringContaining('400 characters were removed') });
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

	it('takes both limits from the options of the session [9.5-6]', async () => {
		const { session, client } = await fakeSession([{ calls: [{ name: 'big' }, { name: 'long' }] }], {
			profile: fakeProfile([fakeTool('big', () => 'x'.repeat(11)), fakeTool('long', () => '1\n2\n3\n4\n5\n6')]),
			outputLimits: { outputCharacters: { big: 10 }, outputLines: { long: 4 } }
		});
		await session.submit('Go').result;
		expect(client.requests[1]?.messages.at(-1)?.content).toMatchObject([
			{ content: expect.stringContaining(' 1 characters were removed') },
			{ content: '1\n2\n[... 2 lines omitted ...]\n5\n6' }
		]);
	});

	it('limits a tool by what it is, whatever name a profile gives it [S-6]', async () => {
		const named = (name: string, tool: ToolBinding): ToolBinding => ({
			...tool,
			definition: { ...tool.definition, name }
		});
		const tools = [
			named(
				'Write',
				fakeTool('write_file', () => 'x'.repeat(2_000))
			),
			named(
				'Bash',
				fakeTool('shell', () => '.\n'.repeat(300))
			)
		];
		const calls = [{ name: 'Write' }, { name: 'Bash' }];
		const { session, client } = await fakeSession([{ calls }], { profile: fakeProfile(tools) });
		await session.submit('Go').result;
		expect(client.requests[1]?.messages.at(-1)?.content).toMatchObject([
			{ toolName: 'Write', content: expect.stringContaining('First 1000 characters were removed') },
			{ toolName: 'Bash', content: expect.stringMatching(/\[\.\.\. 4[45] lines omitted \.\.\.\]/) }
		]);
	});

	it('streams a tool’s output while it runs [S-36]', async () => {
		const deltas = () => ofType(seen, 'tool_call_output_delta').map(({ delta }) => delta);
		const seenByTool: string[][] = [];
		const talks = fakeTool('talks', (_, context) => {
			for (const delta of ['one ', 'two']) {
				context.onProgress(delta);
				seenByTool.push(deltas());
			}
			return 'one two';
		});
		const { session, seen } = await fakeSession([{ calls: [{ name: 'talks' }] }], { profile: fakeProfile([talks]) });
		await session.submit('Go').result;
		expect(seenByTool).toEqual([['one '], ['one ', 'two']]);
		expect(deltas()).toEqual(['one ', 'two']);
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
