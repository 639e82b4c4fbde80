import { describe, expect, it, vi } from 'vitest';
import {
	MemoryLog,
	runAgentLoop,
	TodoList,
	type AgentLoopConfig,
	type ContextManager,
	type SessionEvent
} from '#agent/index.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import type { Message } from '#llm/types.ts';
import { ServerError } from '#llm/errors.ts';
import { FakeClient, type FakeTurn } from '../fake-client.ts';
import { fakeSession, ofType, temporaryEnvironment } from '../fake-session.ts';
import { broken, echo, fakeProfile, fakeTool } from '../fake-tools.ts';

const call: FakeTurn = { calls: [{ name: 'echo', arguments: { text: 'out' } }] };

/** A loop with only the required options, without a session. */
async function bare(turns: FakeTurn[], more: Partial<AgentLoopConfig> = {}, history: Message[] = []) {
	const client = new FakeClient(turns);
	const environment = await temporaryEnvironment();
	const config = { client, provider: 'fake', model: 'fake-1', systemPrompt: 'You help.', tools: [echo], environment };
	const run = runAgentLoop({ ...config, ...more }, 'Go', history);
	const events: SessionEvent[] = [];
	for await (const event of run) events.push(event);
	return { client, environment, events, result: await run.result };
}

describe('the loop by itself', () => {
	it('tells each turn in the same events [F-001-3]', async () => {
		const { events } = await bare([call, call, { text: 'Done.' }]);
		const turns = events
			.map(({ type }) => type)
			.join(' ')
			.split(/(?=turn_start)/)
			.slice(1);
		const head = 'turn_start message_start';
		const calling = 'tool_call_delta message_end usage tool_call_start tool_call_end turn_end';
		expect(turns[0]?.trim()).toBe(`${head} ${calling}`);
		expect(turns[1]?.trim()).toBe(`${head} ${calling}`);
		expect(turns[2]).toMatch(/^turn_start message_start assistant_text_start .*message_end usage turn_end agent_end$/);
	});

	it('counts a command that had to be ended as a failure, and goes on [F-001-e2]', async () => {
		const tools = createPiProfile({ model: 'm' }).tools;
		const slow: FakeTurn = { calls: [{ name: 'bash', arguments: { command: 'sleep 20' } }] };
		const limits = { defaultCommandTimeoutMs: 200 };
		const { events, result } = await bare([slow, { text: 'I leave it.' }], { tools, limits });
		expect(ofType(events, 'tool_call_end')).toMatchObject([{ isError: true, details: { timedOut: true } }]);
		expect(result).toMatchObject({ stopReason: 'end_turn', text: 'I leave it.' });
		const failureDetection = { windowSize: 4, failureThreshold: 2 };
		const ended = await bare([slow, slow, { text: 'never' }], { tools, limits, failureDetection });
		expect(ended.result.stopReason).toBe('failure_threshold');
	});

	it('takes everything a main agent has: tasks, a context manager and hooks [F-002-1] [F-006-6]', async () => {
		const list = new TodoList([{ content: 'Mend it', status: 'in_progress' }]);
		const short: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Only this.' }] }];
		const contextManager: ContextManager = {
			beforeRequest: () => Promise.resolve({ messages: short, beforeTokens: 9, afterTokens: 1, success: true }),
			afterOverflow: () => Promise.resolve(null)
		};
		const beforeTurn = vi.fn();
		const { client, events } = await bare([{ text: 'Done.' }], {
			todoStrategy: { list, staleThresholdTurns: 0 },
			contextManager,
			contextWindowTokens: 1_000,
			hooks: [{ beforeTurn, onContext: (messages) => messages }],
			failureDetection: { windowSize: 5, failureThreshold: 2 }
		});
		expect(client.requests[0]?.messages).toEqual(short);
		expect(beforeTurn).toHaveBeenCalledWith(0);
		expect(ofType(events, 'todo_reminder')).toHaveLength(1);
		expect(ofType(events, 'context_compact')).toMatchObject([{ beforeTokens: 9, afterTokens: 1 }]);
	});

	it('needs no more than the required fields and a failure window, as a subagent gives it [F-002-2] [F-002-5]', async () => {
		const fails: FakeTurn = { calls: [{ name: 'broken' }] };
		const { events, result } = await bare([fails, fails, { text: 'never' }], {
			tools: [broken],
			failureDetection: { windowSize: 2, failureThreshold: 2 }
		});
		expect(result.stopReason).toBe('failure_threshold');
		for (const type of ['todo_reminder', 'context_compact', 'hook_error'] as const)
			expect(ofType(events, type)).toEqual([]);
	});

	it('ends its stream after a fatal error, whenever it comes [F-004-3]', async () => {
		for (const turns of [
			[{ error: new ServerError({ provider: 'fake' }) }],
			[call, { text: 'Half', error: new ServerError({ provider: 'fake' }) }]
		]) {
			const { events, result } = await bare(turns);
			const fatal = events.findIndex((event) => event.type === 'error' && event.fatal);
			expect(events.slice(fatal).map(({ type }) => type)).toEqual(['error', 'turn_end', 'agent_end']);
			expect(result.stopReason).toBe('error');
		}
	});

	it('knows no permissions: a session asks for them [F-006-4]', async () => {
		const wants = fakeTool(
			'wants',
			async (_, { propose }) => {
				await propose({ kind: 'execute', command: 'touch it', cwd: '/', description: 'Touch it' });
				return 'did it';
			},
			'write'
		);
		const turns = [{ calls: [{ name: 'wants' }] }, { text: 'Ok.' }];
		const alone = await bare(turns, { tools: [wants] });
		expect(ofType(alone.events, 'tool_call_end')).toMatchObject([{ output: 'did it' }]);
		const askPermission = vi.fn(() => Promise.resolve({ kind: 'deny' as const }));
		const { session } = await fakeSession(turns, { profile: fakeProfile([wants]), mode: 'ask', askPermission });
		expect((await session.submit('Go').result).stopReason).toBe('permission_denied');
		expect(askPermission).toHaveBeenCalledTimes(1);
	});

	it('keeps nothing: a session does, and is opened again from what it kept [F-006-3]', async () => {
		const log = new MemoryLog();
		const { session } = await fakeSession([{ text: 'A.' }], { log });
		await session.submit('One').result;
		const again = await fakeSession([{ text: 'B.' }], { log: new MemoryLog(structuredClone(log.entries())) });
		await again.session.submit('Two').result;
		expect(again.client.requests[0]?.messages).toHaveLength(3);
		const first = await bare([{ text: 'A.' }]);
		const second = await bare([{ text: 'B.' }]);
		expect(first.client.requests[0]?.messages).toEqual(second.client.requests[0]?.messages);
	});

	it('repairs what a request sends and never the history it was given [F-007-5]', async () => {
		const history: Message[] = [
			{ role: 'user', content: [{ type: 'text', text: 'Before' }] },
			{ role: 'assistant', content: [{ type: 'tool_call', id: 'lost', name: 'echo', arguments: {} }] }
		];
		const before = structuredClone(history);
		const { client } = await bare([{ text: 'Done.' }], {}, history);
		expect(client.requests[0]?.messages[2]).toMatchObject({
			role: 'tool',
			content: [{ callId: 'lost', content: 'No result provided', isError: true }]
		});
		expect(history).toEqual(before);
	});
});
