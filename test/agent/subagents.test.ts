import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
	createAnthropicProfile,
	createGeminiProfile,
	createOpenAIProfile,
	createPiProfile,
	MemoryLog,
	runAgentLoop,
	type Profile,
	type Tool,
	type ToolBinding
} from '#agent/index.ts';
import { agentTools } from '#agent/profiles/agent-tools.ts';
import type { Message } from '#llm/types.ts';
import { fakeSession, ofType, temporaryEnvironment, untilEvent } from './fake-session.ts';
import { FakeClient, type FakeTurn } from './fake-client.ts';
import { echo, fakeProfile, fakeTool } from './fake-tools.ts';

let agentId = '';
let agentIds: string[] = [];
const spawn = fakeTool(
	'spawn_agent',
	async (args, { agents }) => {
		if (!agents) return 'No subagents here.';
		const child = await agents.spawn({ task: String(args['task']), overlay: args['overlay'] === true });
		agentId = child.agentId;
		agentIds.push(agentId);
		return `${child.agentId} ${child.status}`;
	},
	'none'
);
const wait = fakeTool(
	'wait',
	async ({ nth }, { agents, signal }) =>
		JSON.stringify(await agents?.wait(nth === undefined ? agentId : (agentIds[Number(nth)] ?? ''), signal)),
	'none'
);
const send = fakeTool(
	'send_input',
	async (args, { agents }) => (await agents?.send(agentId, String(args['message']))) ?? '',
	'none'
);
const close = fakeTool('close_agent', async (_, { agents }) => (await agents?.close(agentId)) ?? '', 'none');
const write = fakeTool(
	'write',
	async ({ text }, { environment }) => {
		await environment.writeFile('out.txt', String(text));
		return 'written';
	},
	'write'
);
const profile = fakeProfile([spawn, wait, send, close, write]);

const spawned = (task: string, overlay = false): FakeTurn => ({
	calls: [{ name: 'spawn_agent', arguments: { task, overlay } }]
});
const waits: FakeTurn = { calls: [{ name: 'wait' }] };
const writesHi: FakeTurn = { calls: [{ name: 'write', arguments: { text: 'hi' } }] };

const textOf = ({ content }: Message): string => content.map((part) => (part.type === 'text' ? part.text : '')).join();

describe('subagents', () => {
	it('work in the parent’s files with a history of their own, and their result is a tool result [9.9-2] [9.9-3] [9.9-5] [9.9-6]', async () => {
		const environment = await temporaryEnvironment();
		const client = new FakeClient([spawned('Write it'), waits, { text: 'All done.' }], {
			tasks: { 'Write it': [writesHi, { text: 'I wrote it.' }] }
		});
		const machineChange = { action: 'return', kind: 'host', name: 'x', tree: 't', files: 0, durationMs: 1 } as const;
		const opened = { forked: true, machineChange };
		const { session, seen } = await fakeSession([], { profile, environment, client, ...opened });
		expect((await session.submit('Delegate').result).text).toBe('All done.');
		expect(await environment.readFile('out.txt')).toBe('hi');
		const ofChild = client.requests.filter(({ messages }) => JSON.stringify(messages[0]).includes('Write it'));
		expect(ofChild).toHaveLength(2);
		expect(JSON.stringify(ofChild)).not.toContain('Delegate');
		const result = ofType(seen, 'tool_call_end').find(({ toolName }) => toolName === 'wait');
		expect(JSON.parse(result?.output ?? '')).toEqual({ output: 'I wrote it.', success: true, turns: 2 });
		const ofAgent = ofType(seen, 'subagent_event').map(({ event }) => event.type);
		expect(ofAgent).toContain('tool_call_end');
		// Only the parent session reports how it was opened.
		expect(ofAgent.filter((type) => type === 'machine_change' || type === 'session_fork')).toEqual([]);
		const first = session.log.entries().flatMap((entry) => (entry.type === 'event' ? [entry.event.type] : []));
		expect(first.slice(0, 3)).toEqual(['session_start', 'session_fork', 'machine_change']);
	});

	it.each<[string, Profile, { name: string; arguments: Record<string, unknown> }]>([
		[
			'Claude',
			createAnthropicProfile({ model: 'claude-opus-4-6', provider: 'fake' }),
			{ name: 'Agent', arguments: { description: 'Look', prompt: 'Look around' } }
		],
		[
			'GPT',
			createOpenAIProfile({ model: 'gpt-5.2', provider: 'fake' }),
			{ name: 'spawn_agent', arguments: { message: 'Look around' } }
		],
		[
			'Gemini',
			createGeminiProfile({ model: 'gemini-3-pro-preview', provider: 'fake' }),
			{ name: 'invoke_agent', arguments: { prompt: 'Look around' } }
		],
		[
			'any other model',
			createPiProfile({ model: 'local', provider: 'fake', tools: agentTools() }),
			{ name: 'spawn_agent', arguments: { task: 'Look around' } }
		]
	])('are started with a task by %s through its own tool [9.9-1]', async (_, own, started) => {
		const seen = () => client.requests.filter(({ messages }) => JSON.stringify(messages[0]).includes('Look around'));
		const client = new FakeClient(
			[
				{ calls: [started] },
				{
					text: 'Done.',
					onRequest: async () => {
						await expect.poll(() => seen().length).toBe(1);
					}
				}
			],
			{ tasks: { 'Look around': [{ text: 'Seen.' }] } }
		);
		const { session } = await fakeSession([], { profile: own, client });
		expect((await session.submit('Delegate').result).text).toBe('Done.');
		expect(seen()).toHaveLength(1);
		expect(seen()[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Look around' }] }]);
		expect(seen()[0]?.tools?.map(({ name }) => name)).toEqual(
			expect.arrayContaining(client.requests[0]?.tools?.slice(0, 3).map(({ name }) => name) ?? [])
		);
	});

	it('have a history and limits of their own, and by default may not start another [S-15]', async () => {
		const tools = [...agentTools(), echo];
		const works: FakeTurn = { calls: [{ name: 'echo' }] };
		const client = new FakeClient(
			[
				{ calls: [{ name: 'spawn_agent', arguments: { task: 'Short', max_turns: 2 } }] },
				{ calls: [{ name: 'wait', arguments: { agent_id: '' } }] },
				{ calls: [{ name: 'spawn_agent', arguments: { task: 'Long' } }] },
				{ calls: [{ name: 'wait', arguments: { agent_id: '' } }] },
				works,
				{ text: 'Done.' }
			].map((turn) => ({
				...turn,
				onRequest: () => {
					// The id is known once the agent has started.
					for (const call of turn.calls ?? [])
						if ('agent_id' in (call.arguments ?? {}))
							Object.assign(call.arguments ?? {}, { agent_id: ofType(seen, 'subagent_event').at(-1)?.agentId });
				}
			})),
			{
				tasks: {
					Short: [works, works, { text: 'never' }],
					Long: [{ calls: [{ name: 'spawn_agent', arguments: { task: 'Deeper' } }] }, { text: 'Alone.' }]
				}
			}
		);
		const options = { client, profile: fakeProfile(tools), maxTurns: 30, log: new MemoryLog() };
		const { session, seen } = await fakeSession([], options);
		expect(await session.submit('Go').result).toMatchObject({ stopReason: 'end_turn', turns: 6, text: 'Done.' });
		const nested = ofType(seen, 'subagent_event').map(({ event }) => event);
		expect(ofType(nested, 'agent_start').map(({ maxTurns }) => maxTurns)).toEqual([2, 50]);
		expect(ofType(nested, 'agent_end').map(({ result }) => [result.stopReason, result.turns])).toEqual([
			['turn_limit', 2],
			['end_turn', 2]
		]);
		expect(ofType(nested, 'tool_call_end').at(-1)).toMatchObject({
			isError: true,
			output: expect.stringContaining('No further agents can be started from here')
		});
		expect(JSON.stringify(client.requests)).not.toContain('"text":"Deeper"');
		const said = client.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user').map(textOf));
		expect(said.filter((texts) => !texts.includes('Go'))).toEqual([['Short'], ['Short'], ['Long'], ['Long']]);
		expect(said.filter((texts) => texts.includes('Go')).every((texts) => !/Short|Long/.test(texts.join()))).toBe(true);
	});

	it('are made by a host with the loop in at most 20 lines [S-39]', async () => {
		const environment = await temporaryEnvironment();
		const client = new FakeClient(
			[{ calls: [{ name: 'delegate', arguments: { task: 'Count' } }] }, { text: 'Three.' }],
			{
				tasks: { Count: [{ calls: [{ name: 'echo' }] }, { text: 'It is three.' }] }
			}
		);
		const common = { client, provider: 'fake', model: 'fake-1', environment };
		// What a host writes:
		const schema = z.object({ task: z.string() });
		const tool: Tool<typeof schema> = {
			name: 'delegate',
			description: 'Gives a task to a helper.',
			schema,
			access: 'none',
			async execute({ task }, { signal }) {
				const limits = { maxIterations: 10, abortSignal: signal };
				const run = runAgentLoop({ ...common, ...limits, systemPrompt: 'You help.', tools: [echo] }, task);
				const { text, stopReason } = await run.result;
				return { content: text, isError: stopReason !== 'end_turn' };
			}
		};
		const { name, description } = tool;
		const delegate: ToolBinding = { definition: { name, description, parameters: z.toJSONSchema(schema) }, tool };
		// That was it.
		const source = await readFile(import.meta.filename, 'utf8');
		const snippet = /\/\/ What a host writes:\n([\s\S]*?)\n\s*\/\/ That was it\./.exec(source)?.[1] ?? '';
		expect(snippet).toContain('runAgentLoop(');
		expect(snippet.split('\n').length).toBeLessThanOrEqual(20);
		const { session, seen } = await fakeSession([], { client, environment, profile: fakeProfile([delegate]) });
		expect((await session.submit('How many?').result).text).toBe('Three.');
		expect(ofType(seen, 'tool_call_end')).toMatchObject([
			{ toolName: 'delegate', output: 'It is three.', isError: false }
		]);
		expect(client.requests.map(({ messages }) => messages.length)).toEqual([1, 1, 3, 3]);
	});

	it('have no tool that the agent which started them may not use', async () => {
		const client = new FakeClient([spawned('Look'), waits, { text: 'Done.' }], {
			tasks: { Look: [writesHi, { text: 'Not possible.' }] }
		});
		const { session, seen } = await fakeSession([], { profile, client });
		session.setActiveTools(['spawn_agent', 'wait']);
		await session.submit('Go').result;
		expect(client.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual(
			Array(5).fill(['spawn_agent', 'wait'])
		);
		const nested = ofType(seen, 'subagent_event').map(({ event }) => event);
		expect(ofType(nested, 'tool_call_end')).toMatchObject([{ toolName: 'write', isError: true }]);
	});

	it('start none themselves [9.9-4]', async () => {
		const client = new FakeClient([spawned('Delegate further'), waits, { text: 'Ok.' }], {
			tasks: { 'Delegate further': [spawned('Deeper'), { text: 'Not possible.' }] }
		});
		const { session, seen } = await fakeSession([], { profile, client });
		await session.submit('Go').result;
		const nested = ofType(seen, 'subagent_event').map(({ event }) => event);
		expect(ofType(nested, 'tool_call_end')).toMatchObject([{ output: 'No subagents here.' }]);
	});

	it('write to an overlay that is merged when they are done', async () => {
		const environment = await temporaryEnvironment();
		const client = new FakeClient([spawned('Write it', true), waits, { text: 'Ok.' }], {
			tasks: { 'Write it': [writesHi, { text: 'I wrote it.' }] }
		});
		const { session, seen } = await fakeSession([], { profile, environment, client });
		await session.submit('Go').result;
		expect(await environment.readFile('out.txt')).toBe('hi');
		const result = ofType(seen, 'tool_call_end').find(({ toolName }) => toolName === 'wait');
		expect(result?.output).toContain('Merged 1 changed file');
	});

	it('work several at once, and what two of them changed is reported and left to the parent', async () => {
		agentIds = [];
		const environment = await temporaryEnvironment();
		let begun = 0;
		let bothWork: () => void;
		const both = new Promise<void>((resolve) => (bothWork = resolve));
		// Each waits until the other has started.
		const meets = async () => {
			if (++begun === 2) bothWork();
			await both;
		};
		const writes = (text: string): FakeTurn[] => [
			{ calls: [{ name: 'write', arguments: { text } }], onRequest: meets },
			{ text: `I wrote ${text}.` }
		];
		const waitsFor = (nth: number): FakeTurn => ({ calls: [{ name: 'wait', arguments: { nth } }] });
		const turns = [spawned('One', true), spawned('Two', true), waitsFor(0), waitsFor(1), { text: 'Ok.' }];
		const client = new FakeClient(turns, { tasks: { One: writes('one'), Two: writes('two') } });
		const { session, seen } = await fakeSession([], { profile, environment, client });
		await session.submit('Go').result;
		const results = ofType(seen, 'tool_call_end').filter(({ toolName }) => toolName === 'wait');
		expect(results[0]?.output).toContain('Merged 1 changed file');
		expect(results[1]?.output).toContain('Not merged, because they changed on both sides: ');
		expect(results[1]?.output).toContain('out.txt');
		expect(await environment.readFile('out.txt')).toBe('one');
		const nested = ofType(seen, 'subagent_event').map((event) => event.agentId);
		expect(new Set(nested)).toEqual(new Set(agentIds));
	});

	it('take another task, and end when they are closed [9.9-6]', async () => {
		const sends: FakeTurn = { calls: [{ name: 'send_input', arguments: { message: 'Second' } }] };
		const closes: FakeTurn = { calls: [{ name: 'close_agent' }] };
		const client = new FakeClient([spawned('First'), waits, sends, waits, closes, { text: 'Ok.' }], {
			tasks: { First: [{ text: 'One.' }, { text: 'Two.' }] }
		});
		const { session, seen } = await fakeSession([], { profile, client });
		await session.submit('Go').result;
		const outputs = ofType(seen, 'tool_call_end').map(({ output }) => output);
		expect(outputs[3]).toContain('Two.');
		expect(outputs[4]).toMatch(/is closed; it was completed/);
		const nested = ofType(seen, 'subagent_event').map(({ event }) => event);
		expect(ofType(nested, 'session_end')).toHaveLength(1);
	});

	it('are closed with the session [S-25]', async () => {
		const client = new FakeClient([spawned('Long'), waits], { tasks: { Long: [{ text: 'Hm', stall: true }] } });
		const { session, seen } = await fakeSession([], { profile, client });
		const run = session.submit('Go');
		await untilEvent(session, 'subagent_event');
		await session.abort();
		expect((await run.result).stopReason).toBe('aborted');
		const nested = ofType(seen, 'subagent_event').map(({ event }) => event);
		expect(nested.at(-1)?.type).toBe('session_end');
		expect(seen.at(-1)?.type).toBe('session_end');
	});
});
