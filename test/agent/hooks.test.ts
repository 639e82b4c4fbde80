import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Hook, SessionEvent } from '#agent/index.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession, ofType, temporaryEnvironment, untilEvent } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

const call = { calls: [{ name: 'echo', arguments: { text: 'out' } }] };

async function run(hooks: Hook[], turns = [call, { text: 'Done.' }]) {
	const { session, client, seen } = await fakeSession(turns, { hooks });
	const result = await session.submit('Hello').result;
	const tool = client.requests[1]?.messages.find(({ role }) => role === 'tool')?.content[0];
	return { session, client, seen, result, output: tool?.type === 'tool_result' ? tool.content : undefined };
}

const append = (text: string): Hook => ({
	name: text,
	onToolResult: (_, result) => ({ ...result, content: result.content + text })
});

describe('hooks', () => {
	afterEach(() => void vi.useRealTimers());

	it('let a call through [J.10-2.1] [J.10-5.2]', async () => {
		const asked = vi.fn(() => undefined);
		expect((await run([{ beforeToolCall: asked }])).output).toBe('out');
		expect(asked.mock.calls).toEqual([['echo', { text: 'out' }]]);
	});

	it('block a call with a reason for the model, also the second of two [J.10-2.2] [J.10-2.3]', async () => {
		const execute = vi.fn(() => 'ran');
		const hooks: Hook[] = [{ beforeToolCall: () => undefined }, { beforeToolCall: () => ({ block: 'Ask first.' }) }];
		const { session, client } = await fakeSession([{ calls: [{ name: 'bash' }] }], {
			hooks,
			profile: fakeProfile([fakeTool('bash', execute)])
		});
		await session.submit('Go').result;
		expect(execute).not.toHaveBeenCalled();
		expect(client.requests[1]?.messages.at(-1)?.content).toMatchObject([{ isError: true, content: 'Ask first.' }]);
	});

	it('block when the gate itself throws', async () => {
		const gate = (): never => {
			throw new Error('gate broke');
		};
		const { output, seen } = await run([{ beforeToolCall: gate }]);
		expect(output).toMatch(/^Blocked/);
		expect(ofType(seen, 'hook_error')).toMatchObject([{ point: 'beforeToolCall' }]);
	});

	it.each<[string, NonNullable<Hook['beforeSessionOp']>, number]>([
		['by their answer', () => 'cancel', 0],
		['by a later answer', () => Promise.resolve('cancel' as const), 0],
		['by failing', () => Promise.reject(new Error('gate broke')), 1]
	])('cancel a compaction %s [J.10-2.4]', async (_, beforeSessionOp, errors) => {
		const later = vi.fn();
		const { session, client, seen } = await fakeSession([{ text: 'word '.repeat(40_000) }], {
			hooks: [{ beforeSessionOp }, { beforeSessionOp: later }]
		});
		await session.submit('Go').result;
		const before = structuredClone(session.conversation.messages);
		expect(await session.compact()).toBe(false);
		expect(session.conversation.messages).toEqual(before);
		expect(session.log.entries().some(({ type }) => type === 'compaction')).toBe(false);
		expect(client.completions).toHaveLength(0);
		expect(session.state).toBe('idle');
		expect(later).not.toHaveBeenCalled();
		expect(ofType(seen, 'hook_error').map(({ point }) => point)).toEqual(Array(errors).fill('beforeSessionOp'));
	});

	it('change a result, one after another, and leave its other fields [J.10-3.1] [J.10-3.2] [J.10-3.3] [TOOLRES-006]', async () => {
		const { session, client, seen } = await fakeSession([{ calls: [{ name: 'bash' }] }], {
			hooks: [
				{ onToolResult: (_, result) => ({ ...result, content: result.content.replace('sk-123', '[REDACTED]') }) },
				append('[a]'),
				append('[b]')
			],
			profile: fakeProfile([
				fakeTool('bash', () => ({ content: 'key sk-123', details: { exitCode: 0 }, isError: false }))
			])
		});
		await session.submit('Go').result;
		expect(client.requests[1]?.messages.at(-1)?.content).toMatchObject([{ content: 'key [REDACTED][a][b]' }]);
		expect(ofType(seen, 'tool_call_end')[0]?.details).toEqual({ exitCode: 0 });
	});

	it('change what a request sends without changing the conversation [J.10-3.4]', async () => {
		const hint = { role: 'user' as const, content: [{ type: 'text' as const, text: 'A hint' }] };
		const { client, session } = await run([{ onContext: (messages) => [...messages, hint] }]);
		expect(client.requests[0]?.messages.at(-1)).toEqual(hint);
		expect(JSON.stringify(session.conversation.messages)).not.toContain('A hint');
	});

	it('change the input [J.10-3.5]', async () => {
		const { client } = await run([{ onInput: () => ({ transform: [{ type: 'text', text: 'Hello in English' }] }) }]);
		expect(client.requests[0]?.messages[0]?.content).toEqual([{ type: 'text', text: 'Hello in English' }]);
	});

	it('deal with the input themselves [J.10-3.6]', async () => {
		const later = vi.fn(() => undefined);
		const { client, session } = await run([{ onInput: () => 'handled' }, { onInput: later }]);
		expect(client.requests).toHaveLength(0);
		expect(later).not.toHaveBeenCalled();
		expect(session.state).toBe('idle');
	});

	it('put messages before the prompt and change the system prompt [J.10-3.7]', async () => {
		const extra = { role: 'user' as const, content: [{ type: 'text' as const, text: 'More context' }] };
		const { client } = await run([{ onBeforeAgent: (given) => ({ ...given, system: 'Changed', messages: [extra] }) }]);
		expect(client.requests[0]).toMatchObject({ system: 'Changed' });
		expect(client.requests[0]?.messages[0]?.content).toMatchObject([{ text: 'More context' }, { text: 'Hello' }]);
	});

	it('fail without hurting the next one, and with their stack [J.10-4.1] [J.10-4.2]', async () => {
		const fails: Hook = {
			name: 'fails',
			onToolResult: () => {
				throw new Error('hook broke');
			}
		};
		const { output, seen } = await run([fails, append('[b]')]);
		expect(output).toBe('out[b]');
		expect(ofType(seen, 'hook_error')).toMatchObject([
			{ hook: 'fails', point: 'onToolResult', message: 'hook broke', stack: expect.stringContaining('hooks.test.ts') }
		]);
	});

	it('are skipped after five seconds [J.10-4.3]', async () => {
		let reached: () => void = () => undefined;
		const called = new Promise<void>((resolve) => (reached = resolve));
		const { session, seen } = await fakeSession([call, { text: 'Done.' }], {
			hooks: [
				{
					onToolResult: () => {
						vi.useFakeTimers();
						reached();
						return new Promise(() => undefined);
					}
				}
			]
		});
		const run = session.submit('Go');
		await called;
		await vi.advanceTimersByTimeAsync(4_999);
		expect(ofType(seen, 'hook_error')).toEqual([]);
		await vi.advanceTimersByTimeAsync(1);
		expect((await run.result).text).toBe('Done.');
		expect(ofType(seen, 'hook_error')).toMatchObject([{ point: 'onToolResult' }]);
	});

	it('stop a command that destroys, with a reason, before it runs [J.2-5.7]', async () => {
		const environment = await temporaryEnvironment();
		await environment.writeFile('kept/a.txt', 'a');
		const turns = [{ calls: [{ name: 'bash', arguments: { command: 'rm -rf kept' } }] }, { text: 'Then not.' }];
		const beforeToolCall: Hook['beforeToolCall'] = (name, { command }) =>
			name === 'bash' && /\brm -rf\b|push --force/.test(String(command)) ? { block: '危险命令需要确认' } : undefined;
		const { session, client } = await fakeSession(turns, {
			environment,
			profile: createPiProfile({ model: 'm' }),
			hooks: [{ beforeToolCall }]
		});
		await session.submit('Clean up').result;
		expect(client.requests[1]?.messages.at(-1)?.content).toMatchObject([
			{ content: '危险命令需要确认', isError: true }
		]);
		expect(await environment.readFile('kept/a.txt')).toBe('a');
	});

	it('given with the options are the session’s from its first run on, and its subagents’ [J.10-5.1]', async () => {
		const inputs: string[] = [];
		const hook: Hook = { onInput: ([part]) => void inputs.push(part?.type === 'text' ? part.text : '') };
		const client = new FakeClient([{ calls: [{ name: 'delegate' }] }, { text: 'Ok.' }], {
			tasks: { 'Look closely': [{ text: 'I looked.' }] }
		});
		const delegate = fakeTool('delegate', async (_, { agents, signal }) => {
			const child = await agents?.spawn({ task: 'Look closely' });
			return JSON.stringify(await agents?.wait(child?.agentId ?? '', signal));
		});
		const { session } = await fakeSession([], { client, hooks: [hook], profile: fakeProfile([delegate]) });
		await session.submit('Delegate').result;
		expect(inputs).toEqual(['Delegate', 'Look closely']);
	});

	it('see every event, and one that fails on it is not notified of that forever [J.10-1.1]', async () => {
		const seenByHook: string[] = [];
		const ends: SessionEvent[] = [];
		const fails: Hook = {
			onEvent: (event) => {
				seenByHook.push(event.type);
				if (event.type === 'tool_call_end') ends.push(event);
				throw new Error('listener broke');
			}
		};
		const { session } = await run([fails]);
		await session.close();
		const withoutErrors = (types: string[]): string[] => types.filter((type) => type !== 'hook_error');
		const all = session.log.entries().flatMap((entry) => (entry.type === 'event' ? [entry.event] : []));
		const kept = new Set(all.map(({ type }) => type));
		expect(withoutErrors(seenByHook).filter((type) => kept.has(type as never))).toEqual(
			withoutErrors(all.map(({ type }) => type))
		);
		expect(seenByHook).toEqual(expect.arrayContaining(['assistant_text_delta', 'tool_call_end', 'session_end']));
		expect(ends).toMatchObject([{ toolName: 'echo', output: 'out', isError: false }]);
		// Each failure causes one event; a failure on that event causes no further one.
		const own = { point: 'onEvent', message: 'listener broke' };
		const failures = all.filter(({ type }) => type === 'hook_error');
		expect(failures).toMatchObject(withoutErrors(seenByHook).map(() => own));
	});

	it('are called in order [S-37]', async () => {
		const order: string[] = [];
		const note = (point: string) => (): undefined => void order.push(point);
		const hook: Hook = {
			onInput: note('onInput'),
			onBeforeAgent: (given) => (order.push('onBeforeAgent'), given),
			beforeTurn: note('beforeTurn'),
			onContext: (messages) => (order.push('onContext'), messages),
			beforeToolCall: note('beforeToolCall'),
			beforeToolExecution: note('beforeToolExecution'),
			onToolResult: (_, result) => (order.push('onToolResult'), result),
			afterToolExecution: note('afterToolExecution'),
			afterTurn: note('afterTurn')
		};
		await run([hook]);
		expect(order).toEqual([
			...['onInput', 'onBeforeAgent', 'beforeTurn', 'onContext'],
			...['beforeToolCall', 'beforeToolExecution', 'onToolResult', 'afterToolExecution', 'afterTurn'],
			...['beforeTurn', 'onContext', 'afterTurn']
		]);
	});

	it('get a copy, never the live object', async () => {
		const { session } = await run([
			{
				onContext: (messages) => {
					messages.length = 0;
					throw new Error('after changing it');
				}
			}
		]);
		expect(session.conversation.messages.length).toBeGreaterThan(2);
	});

	it('hold up a gate no longer than the run lasts', async () => {
		const { session } = await fakeSession([call], { hooks: [{ beforeToolCall: () => new Promise(() => undefined) }] });
		const run = session.submit('Go');
		await untilEvent(session, 'tool_call_start');
		await session.stop();
		expect((await run.result).stopReason).toBe('aborted');
	});
});

it('notify a hook before and after each call, with its arguments and its result', async () => {
	const before = vi.fn();
	const after = vi.fn();
	await run([{ beforeToolExecution: before, afterToolExecution: after }]);
	expect(before.mock.calls).toEqual([['echo', { text: 'out' }]]);
	expect(after.mock.calls).toEqual([['echo', { content: 'out', isError: false }]]);
	after.mockClear();
	await run(
		[{ afterToolExecution: after }],
		[{ calls: [{ name: 'broken', arguments: { text: '' } }] }, { text: 'Done.' }]
	);
	expect(after.mock.calls).toEqual([['broken', expect.objectContaining({ isError: true })]]);
});
