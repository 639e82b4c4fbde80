import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PermissionDenied, runAgentLoop, type AgentLoopConfig, type SessionEvent } from '#agent/index.ts';
import { AuthenticationError, ServerError } from '#llm/errors.ts';
import { FakeClient, type FakeTurn } from '../fake-client.ts';
import { fakeSession, ofType, temporaryEnvironment, typesOf } from '../fake-session.ts';
import { broken, echo, fakeTool } from '../fake-tools.ts';

async function run(
	turns: FakeTurn[],
	changes: Partial<AgentLoopConfig> = {},
	history: Parameters<typeof runAgentLoop>[2] = []
) {
	const client = new FakeClient(turns);
	const config: AgentLoopConfig = {
		client,
		provider: 'fake',
		model: 'fake-1',
		systemPrompt: 'You help.',
		tools: [echo, broken],
		environment: await temporaryEnvironment(),
		...changes
	};
	const run = runAgentLoop(config, 'Hello', history);
	const events: SessionEvent[] = [];
	for await (const event of run) events.push(event);
	return { client, events, result: await run.result };
}

const denied = fakeTool('denied', () => {
	throw new PermissionDenied('The user said no.');
});
const call = (text: string): FakeTurn => ({ calls: [{ name: 'echo', arguments: { text } }] });

describe('runAgentLoop', () => {
	it('ends when the model answers without a call [9.1-3] [J.9-1.1]', async () => {
		const { result, client } = await run([{ text: 'Hello there.' }]);
		expect(result).toMatchObject({ text: 'Hello there.', stopReason: 'end_turn', turns: 1 });
		expect(client.requests).toHaveLength(1);
	});

	it('calls the model, runs its tools and calls it again until it is done [9.1-2] [J.9-1.2]', async () => {
		const { client, result } = await run([call('one'), call('two'), { text: 'Both said.' }]);
		expect(result).toMatchObject({ text: 'Both said.', turns: 3 });
		expect(client.requests[2]?.messages.at(-1)).toEqual({
			role: 'tool',
			content: [{ type: 'tool_result', callId: 'call_2', toolName: 'echo', content: 'two', isError: false }]
		});
	});

	it('emits its events in order [F-004-2] [F-004-5] [J.10-1.2]', async () => {
		const { events } = await run([{ text: 'Look', ...call('a') }, { text: 'Done' }]);
		expect(typesOf(events, 'assistant_text_delta', 'tool_call_delta')).toEqual([
			'agent_start',
			...['turn_start', 'message_start', 'assistant_text_start', 'assistant_text_end', 'message_end', 'usage'],
			...['tool_call_start', 'tool_call_end', 'turn_end'],
			...[
				'turn_start',
				'message_start',
				'assistant_text_start',
				'assistant_text_end',
				'message_end',
				'usage',
				'turn_end'
			],
			'agent_end'
		]);
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
	});

	it('ends with its steps and how long it took [J.10-1.2]', async () => {
		vi.useFakeTimers({ toFake: ['performance'] });
		onTestFinished(() => void vi.useRealTimers());
		const pass = (ms: number) => ({ onRequest: () => void vi.advanceTimersByTime(ms) });
		const { events } = await run([
			{ ...call('a'), ...pass(300) },
			{ text: 'Done', ...pass(45) }
		]);
		expect(ofType(events, 'agent_end')).toMatchObject([{ durationMs: 345, result: { turns: 2 } }]);
		expect(ofType(events, 'turn_end').map(({ durationMs }) => durationMs)).toEqual([300, 45]);
	});

	it('names the calls of a turn at its end [J.10-1.3]', async () => {
		const { events } = await run([call('a'), { text: 'Done' }]);
		expect(ofType(events, 'turn_end').map(({ toolCalls }) => toolCalls.map(({ name }) => name))).toEqual([
			['echo'],
			[]
		]);
	});

	it('keeps nothing between two runs and leaves the history it was given alone [F-001-1]', async () => {
		const history = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Before' }] }];
		const fails: FakeTurn = { calls: [{ name: 'broken' }] };
		const { client } = await run([{ text: 'Yes' }], {}, history);
		expect(history).toHaveLength(1);
		expect(client.requests[0]?.messages[0]?.content).toHaveLength(2);
		// One configuration for two concurrent runs: each counts its own turns, events, failures and usage.
		const config: Omit<AgentLoopConfig, 'client'> = Object.freeze({
			provider: 'fake',
			model: 'fake-1',
			systemPrompt: 'You help.',
			tools: [broken],
			environment: await temporaryEnvironment(),
			failureDetection: Object.freeze({ failureThreshold: 3 })
		});
		const start = (input: string) =>
			runAgentLoop({ ...config, client: new FakeClient([fails, fails]) }, input, history);
		for (const each of [start('One'), start('Two')]) {
			const seqs: number[] = [];
			for await (const { seq } of each) seqs.push(seq);
			expect(seqs).toEqual(seqs.map((_, index) => index + 1));
			const usage = expect.objectContaining({ inputTokens: 30 });
			expect(await each.result).toMatchObject({ stopReason: 'end_turn', turns: 3, usage });
		}
		expect(history).toHaveLength(1);
	});

	it('runs one turn with maxIterations 1 and says so [F-001-b5] [F-001-e3]', async () => {
		const { result, events } = await run([call('a'), { text: 'never' }], { maxIterations: 1 });
		expect(result).toMatchObject({ stopReason: 'max_iterations', turns: 1 });
		expect(events.at(-1)).toMatchObject({ type: 'agent_end', result: { stopReason: 'max_iterations' } });
	});

	it('only talks when there are no tools [F-001-b6]', async () => {
		const { client, result } = await run([{ text: 'Hi' }], { tools: [] });
		expect(client.requests[0]).not.toHaveProperty('tools');
		expect(result.text).toBe('Hi');
	});

	it('starts without a history [F-001-b7]', async () => {
		const { client } = await run([{ text: 'Hi' }]);
		expect(client.requests[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]);
	});

	it('ends with an error event and result when the provider fails [F-001-e1] [J.9-5.6]', async () => {
		const { client, events, result } = await run([
			{ error: new AuthenticationError({ provider: 'fake', status: 401 }) }
		]);
		expect(result).toMatchObject({ stopReason: 'error', error: { code: 'authentication', status: 401 } });
		expect(ofType(events, 'error')).toHaveLength(1);
		expect(client.requests).toHaveLength(1);
	});

	it.each<[string, FakeTurn[], Partial<AgentLoopConfig>, { stopReason: string; turns: number }]>([
		['a text without a call', [call('a'), { text: 'Done.' }, call('b')], {}, { stopReason: 'end_turn', turns: 2 }],
		[
			'the limit of turns of the run',
			Array.from({ length: 5 }, () => call('a')),
			{ maxIterations: 3 },
			{ stopReason: 'max_iterations', turns: 3 }
		],
		[
			'the limit of turns of the session',
			Array.from({ length: 5 }, (_, index) => call(String(index))),
			{ maxTurns: 6, turnsBefore: 4 },
			{ stopReason: 'turn_limit', turns: 2 }
		],
		[
			'too many failed calls',
			Array.from({ length: 5 }, () => ({ calls: [{ name: 'broken' }] })),
			{ failureDetection: { failureThreshold: 2 } },
			{ stopReason: 'failure_threshold', turns: 2 }
		],
		['a signal that had fired', [call('a')], { abortSignal: AbortSignal.abort() }, { stopReason: 'aborted', turns: 0 }]
	])('ends with %s, and not before [F-001-2]', async (_, turns, changes, ended) => {
		const { result, client, events } = await run(turns, changes);
		expect(result).toMatchObject(ended);
		expect(client.requests).toHaveLength(ended.turns);
		expect(ofType(events, 'agent_end')).toMatchObject([{ result: ended }]);
	});

	it('waits for no timer, which processor time would not show [S-38]', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'requestIdleCallback'] });
		onTestFinished(() => void vi.useRealTimers());
		const { session, client } = await fakeSession(
			Array.from({ length: 8 }, (_, index) => call(String(index))),
			{
				collectPromptParts: () =>
					Promise.resolve({
						environmentBlock: '',
						gitSnapshot: '',
						projectInstructions: '',
						userInstructions: '',
						toolNames: []
					})
			}
		);
		expect((await session.submit('Go').result).turns).toBe(9);
		expect(client.requests).toHaveLength(9);
	});

	it('ends with aborted when the signal fires [F-001-e4]', async () => {
		const controller = new AbortController();
		const turns = [{ text: 'Well', stall: true, onRequest: () => void setTimeout(() => controller.abort(), 5) }];
		const { result, events } = await run(turns, { abortSignal: controller.signal });
		expect(result.stopReason).toBe('aborted');
		expect(ofType(events, 'assistant_text_end')).toMatchObject([{ text: 'Well' }]);
	});

	it('gives an unknown tool and a tool that throws an error result and goes on [9.3-2] [9.3-4] [9.11-1] [J.9-5.5]', async () => {
		const { client, result } = await run([{ calls: [{ name: 'nothing' }, { name: 'broken' }] }, { text: 'I see' }]);
		const results = client.requests[1]?.messages.at(-1)?.content;
		expect(results).toMatchObject([
			{ isError: true, content: expect.stringContaining('Unknown tool: nothing') },
			{ isError: true, content: expect.stringContaining('it broke') }
		]);
		expect(result.stopReason).toBe('end_turn');
	});

	it.each<[string, FakeTurn, string, string | undefined]>([
		['the end of the turn', { text: 'Whole' }, 'end_turn', 'stop'],
		['the token limit', { text: 'Half', finishReason: 'length' }, 'max_tokens', 'length'],
		['tool calls', call('a'), 'max_iterations', 'tool_calls'],
		['a cancelled request', { text: 'Half', stall: true }, 'aborted', 'aborted'],
		['a filter', { text: '', finishReason: 'content_filter' }, 'content_filter', 'content_filter'],
		['an error', { text: 'Half', error: new ServerError({ provider: 'fake' }) }, 'error', 'error'],
		['an error that the model names', { text: 'Half', finishReason: 'error' }, 'error', 'error'],
		['a permission denied', { calls: [{ name: 'denied' }] }, 'permission_denied', 'tool_calls']
	])('says that a response ended by %s [A-18]', async (_, turn, stopReason, finishReason) => {
		const controller = new AbortController();
		const onRequest = (): void => void (turn.stall && setImmediate(() => controller.abort()));
		const { result, events } = await run([{ ...turn, onRequest }], {
			maxIterations: 1,
			tools: [echo, denied],
			abortSignal: controller.signal
		});
		expect(result.stopReason).toBe(stopReason);
		expect(ofType(events, 'message_end')).toMatchObject([{ stopReason: finishReason }]);
		expect(ofType(events, 'agent_end')).toMatchObject([{ result: { stopReason } }]);
	});

	it('does not put an empty answer into the history, and says that it was empty', async () => {
		const { events, result } = await run([{}]);
		expect(result.stopReason).toBe('end_turn');
		expect(ofType(events, 'warning')).toMatchObject([{ code: 'empty_response' }]);
	});

	it('refuses negative limits at once', async () => {
		await expect(run([], { maxTurns: -1 })).rejects.toThrow('maxTurns must be 0');
	});

	it('goes on when no one reads the events [F-004-e1]', async () => {
		const client = new FakeClient([call('a'), { text: 'Done' }]);
		const environment = await temporaryEnvironment();
		const run = runAgentLoop({ client, provider: 'f', model: 'm', systemPrompt: '', tools: [echo], environment }, 'Go');
		expect((await run.result).text).toBe('Done');
	});

	it('is not hurt by a consumer that throws [F-004-e2]', async () => {
		const client = new FakeClient([call('a'), { text: 'Done' }]);
		const environment = await temporaryEnvironment();
		const run = runAgentLoop({ client, provider: 'f', model: 'm', systemPrompt: '', tools: [echo], environment }, 'Go');
		const consume = async (): Promise<void> => {
			for await (const _ of run) throw new Error('consumer');
		};
		await expect(consume()).rejects.toThrow('consumer');
		expect((await run.result).text).toBe('Done');
	});
});
