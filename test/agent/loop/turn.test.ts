import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LoopHost } from '#agent/loop/config.ts';
import type { ToolContext } from '#agent/tool.ts';
import { PermissionDenied } from '#agent/guards/refusals.ts';
import { TodoList } from '#agent/todo-list.ts';
import { ContextLengthError, InvalidRequestError, NetworkError, ServerError, TimeoutError } from '#llm/errors.ts';
import type { ContentPart, Message } from '#llm/types.ts';
import type { FakeTurn } from '../fake-client.ts';
import { ofType } from '../fake-session.ts';
import { echo, fakeTool } from '../fake-tools.ts';
import { call, loop } from './bare-run.ts';

const fake = { provider: 'fake' };
const text = (words: string): ContentPart => ({ type: 'text', text: words });

/** Records the messages that a host receives for its log, and their origin. */
function recording() {
	const recorded: [Message, object][] = [];
	const recordMessage: LoopHost['recordMessage'] = (message, origin) => void recorded.push([message, origin]);
	return { recorded, recordMessage };
}

describe('a response that breaks off', () => {
	it.each([new TimeoutError(fake), new NetworkError(fake)])('is asked for again after %s', async (error) => {
		const { result, seen } = await loop([{ text: 'Ha', error }, { text: 'Ha', error }, { text: 'Whole.' }], {
			streamRetry: { attempts: 2, delayMs: 3 }
		});
		expect(result.text).toBe('Whole.');
		expect(ofType(seen, 'retry')).toMatchObject([
			{ attempt: 1, delayMs: 3, code: error.code, message: error.message },
			{ attempt: 2, delayMs: 6, code: error.code }
		]);
	});

	it('is not asked for again after other failures, and no warning names the window', async () => {
		const { client, result, seen } = await loop([{ text: 'Ha', error: new ServerError(fake) }]);
		expect(result).toMatchObject({ stopReason: 'error', text: 'Ha' });
		expect(client.requests).toHaveLength(1);
		expect(ofType(seen, 'warning')).toEqual([]);
	});
});

describe('a request that is refused', () => {
	const thought: Message[] = [
		{ role: 'user', content: [text('Hi')] },
		{ role: 'assistant', content: [{ type: 'thinking', text: 'Hm.', signature: 's' }, text('Hello.')] }
	];

	it('is sent once more without the thinking of earlier responses', async () => {
		const error = new InvalidRequestError(fake);
		const { client, result, seen } = await loop([{ error }, { text: 'Ok.' }], {}, thought);
		expect(result.text).toBe('Ok.');
		expect(ofType(seen, 'retry')).toMatchObject([{ attempt: 1, delayMs: 0, code: 'invalid_request' }]);
		expect(client.requests.map(({ messages }) => messages[1]?.content.map(({ type }) => type))).toEqual([
			['thinking', 'text'],
			['text']
		]);
		expect((await loop([{ error }, { error }, { text: 'Never.' }], {}, thought)).client.requests).toHaveLength(2);
	});

	it('is not sent again without thinking in it, or for another reason', async () => {
		expect((await loop([{ error: new InvalidRequestError(fake) }])).client.requests).toHaveLength(1);
		expect((await loop([{ error: new ServerError(fake) }], {}, thought)).client.requests).toHaveLength(1);
	});

	it('as too long is shortened once', async () => {
		const error = new ContextLengthError(fake);
		const shortened = { messages: [], beforeTokens: 2, afterTokens: 1, success: true };
		const afterOverflow = vi.fn(() => Promise.resolve(shortened));
		const contextManager = { beforeRequest: () => Promise.resolve(null), afterOverflow };
		const { client, result } = await loop([{ error }, { error }, { text: 'Never.' }], { contextManager });
		expect(result.error?.code).toBe('context_length');
		expect(client.requests).toHaveLength(2);
		expect(afterOverflow).toHaveBeenCalledTimes(1);
	});

	it('as too long is not sent again where nothing shortens it', async () => {
		const error = new ContextLengthError(fake);
		expect((await loop([{ error }, { text: 'Never.' }])).client.requests).toHaveLength(1);
		const afterOverflow = () => Promise.reject(new Error('no model'));
		const contextManager = { beforeRequest: () => Promise.resolve(null), afterOverflow };
		expect((await loop([{ error }, { text: 'Never.' }], { contextManager })).client.requests).toHaveLength(1);
	});
});

describe('a message', () => {
	it('is recorded with where it comes from', async () => {
		const { recorded, recordMessage } = recording();
		await loop([{ text: 'Ok.' }], { host: { recordMessage, notices: () => ['Mind it.'] } });
		expect(recorded).toEqual([
			[{ role: 'user', content: [text('Go')] }, {}],
			[{ role: 'user', content: [text('Mind it.')] }, { notice: true }],
			[
				{ role: 'assistant', content: [text('Ok.')] },
				{ responseId: 'r', usage: expect.objectContaining({ inputTokens: 10, outputTokens: 5 }) }
			]
		]);
	});

	it('is not made of an input of nothing, which goes on with the history', async () => {
		const { recorded, recordMessage } = recording();
		const history: Message[] = [{ role: 'user', content: [text('Go')] }];
		const { client } = await loop([{ text: 'Ok.' }], { host: { recordMessage } }, history, []);
		expect(client.requests[0]?.messages).toEqual(history);
		expect(recorded.map(([{ role }]) => role)).toEqual(['assistant']);
	});

	it.each([
		['with what it said', 'Half', true],
		['and not kept where it only thought', undefined, false]
	])('that is stopped ends %s', async (_, said, isKept) => {
		const controller = new AbortController();
		const { recorded, recordMessage } = recording();
		let seq = 0;
		const bodies: object[] = [];
		const { result } = await loop([{ reasoning: 'Hm.', ...(said ? { text: said } : {}), stall: true }], {
			abortSignal: controller.signal,
			host: {
				recordMessage,
				emit: (body) => {
					bodies.push(body);
					if (body.type === (said ? 'assistant_text_delta' : 'reasoning_end')) controller.abort();
					return { ...body, sessionId: 's', seq: ++seq, timestamp: 1 };
				}
			}
		});
		expect(result.stopReason).toBe('aborted');
		expect(recorded.map(([message]) => message.content).slice(1)).toEqual(
			isKept ? [[{ type: 'thinking', text: 'Hm.' }, text('Half')]] : []
		);
		expect(bodies).toContainEqual({ type: 'message_start', role: 'assistant' });
		expect(bodies).toContainEqual(
			expect.objectContaining({ type: 'message_end', text: said ?? '', reasoning: 'Hm.', stopReason: 'aborted' })
		);
	});

	it('does not begin where the run was stopped before it', async () => {
		const controller = new AbortController();
		const host = { beforeTurn: async () => controller.abort() };
		const { result, seen } = await loop([{ text: 'Never.' }], { abortSignal: controller.signal, host });
		expect(result).toMatchObject({ stopReason: 'aborted', text: '' });
		expect(ofType(seen, 'message_start')).toEqual([]);
	});
});

describe('the calls of a response', () => {
	const next = () => new Promise((resolve) => setImmediate(resolve));

	it.each([
		[undefined, ['start a', 'start b', 'end a', 'end b']],
		[true, ['start a', 'start b', 'end a', 'end b']],
		[false, ['start a', 'end a', 'start b', 'end b']]
	])('run together unless that is off: %s', async (parallelToolCalls, order) => {
		const log: string[] = [];
		const looks = fakeTool('looks', async ({ name }) => {
			log.push(`start ${String(name)}`);
			await next();
			log.push(`end ${String(name)}`);
			return 'Seen.';
		});
		const calls = ['a', 'b'].map((name) => ({ name: 'looks', arguments: { name } }));
		await loop([{ calls }, { text: 'Ok.' }], {
			tools: [looks],
			...(parallelToolCalls === undefined ? {} : { parallelToolCalls })
		});
		expect(log).toEqual(order);
	});

	it('that end the response without being there end the turn', async () => {
		expect((await loop([{ text: 'Ok.', finishReason: 'tool_calls' }])).result.stopReason).toBe('end_turn');
	});

	it('have ids that the history has not used', async () => {
		const history: Message[] = [
			{ role: 'user', content: [text('Hi')] },
			{ role: 'assistant', content: [{ type: 'tool_call', id: 'call_0', name: 'echo', arguments: {} }] },
			{
				role: 'tool',
				content: [{ type: 'tool_result', callId: 'call_0', toolName: 'echo', content: '', isError: false }]
			}
		];
		const { seen } = await loop([{ calls: [{ id: 'call_0', name: 'echo' }] }, { text: 'Ok.' }], {}, history);
		expect(ofType(seen, 'tool_call_start')[0]?.callId).toMatch(/^call_[0-9a-f]{32}$/);
	});

	it('share what a tool keeps, and the task list of the run', async () => {
		const key = Symbol('count');
		const list = new TodoList();
		const counts = fakeTool('counts', (_, context: ToolContext) => {
			const kept = context.state.get(key, () => ({ count: 0 }));
			context.todo.replace([{ content: 'One', status: 'pending' }]);
			return String(++kept.count);
		});
		const { seen } = await loop([call('counts'), call('counts'), { text: 'Ok.' }], {
			tools: [counts],
			todoStrategy: { list }
		});
		expect(ofType(seen, 'tool_call_end').map(({ output }) => output)).toEqual(['1', '2']);
		expect(list.read()).toEqual([{ content: 'One', status: 'pending' }]);
	});

	it('give the model their images, and say how long they took', async () => {
		vi.useFakeTimers({ toFake: ['performance'] });
		onTestFinished(() => void vi.useRealTimers());
		vi.advanceTimersByTime(1_000);
		const image = { type: 'image' as const, mediaType: 'image/png' as const, data: 'AAAA' };
		const looks = fakeTool('looks', () => {
			vi.advanceTimersByTime(20);
			return { content: 'Seen.', images: [image], isError: false };
		});
		const { client, seen } = await loop([call('looks'), { text: 'Ok.' }], { tools: [looks] });
		expect(client.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: [{ images: [image] }] });
		expect(ofType(seen, 'tool_call_end')).toMatchObject([{ durationMs: 20 }]);
		expect(ofType(seen, 'tool_call_end')[0]).not.toHaveProperty('details');
		expect(ofType(seen, 'agent_end')).toMatchObject([{ durationMs: 20 }]);
	});

	it('are not run after a stop, which is also how the run ends', async () => {
		const controller = new AbortController();
		const stops = fakeTool(
			'stops',
			() => {
				controller.abort();
				throw new PermissionDenied('Not allowed.');
			},
			'write'
		);
		const { client, result, seen } = await loop([{ calls: [{ name: 'stops' }, { name: 'echo' }] }], {
			abortSignal: controller.signal,
			tools: [stops, echo]
		});
		expect(result.stopReason).toBe('aborted');
		expect(client.requests).toHaveLength(1);
		expect(ofType(seen, 'tool_call_end')[1]).toMatchObject({
			output: 'Not run: the run was stopped. Nothing of this call happened.',
			details: { refused: true, skipped: true }
		});
	});
});

describe('hooks of a run', () => {
	it('are notified of turns and of calls', async () => {
		const log: unknown[][] = [];
		const { seen } = await loop([call(), { text: 'Ok.' }], {
			hooks: [
				{
					beforeTurn: (turn) => void log.push(['beforeTurn', turn]),
					afterTurn: (turn) => void log.push(['afterTurn', turn]),
					beforeToolExecution: (name, args) => void log.push(['before', name, args]),
					afterToolExecution: (name, result) => void log.push(['after', name, result.content])
				}
			]
		});
		expect(log).toEqual([
			['beforeTurn', 0],
			['before', 'echo', { text: 'out' }],
			['after', 'echo', 'out'],
			['afterTurn', 0],
			['beforeTurn', 1],
			['afterTurn', 1]
		]);
		expect(ofType(seen, 'hook_error')).toEqual([]);
	});

	it('block a call, which then did not happen', async () => {
		const run = vi.fn(() => 'Ran.');
		const { seen } = await loop([call('runs'), { text: 'Ok.' }], {
			tools: [fakeTool('runs', run)],
			hooks: [{ beforeToolCall: () => ({ block: 'Not on Sundays.' }) }]
		});
		expect(run).not.toHaveBeenCalled();
		expect(ofType(seen, 'tool_call_end')).toMatchObject([
			{ output: 'Not on Sundays.', isError: true, details: { refused: true, blocked: true } }
		]);
	});
});

describe('steering', () => {
	/** User messages while the run works; the listener is that of the current round. */
	function steering(isInterrupting = false) {
		const queue: ContentPart[][] = [];
		const left = vi.fn();
		const source = {
			take: () => queue.splice(0),
			pending: () => queue.length > 0,
			interrupting: () => isInterrupting && queue.length > 0,
			onInterrupt: () => left
		};
		return { queue, left, source };
	}

	it('that came while the model ended is answered in another turn', async () => {
		const { queue, source } = steering();
		const { recorded, recordMessage } = recording();
		const beforeEnd = async () => (queue.push([text('And tests.')]), null);
		let asked = 0;
		const { client, seen } = await loop([{ text: 'Done.' }, { text: 'Done too.' }], {
			host: { recordMessage, steering: source, beforeEnd: () => (asked++ === 0 ? beforeEnd() : Promise.resolve(null)) }
		});
		expect(client.requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: [text('And tests.')] });
		expect(recorded).toContainEqual([{ role: 'user', content: [text('And tests.')] }, { steering: true }]);
		expect(ofType(seen, 'steering_injected')).toMatchObject([{ content: [text('And tests.')] }]);
	});

	it('that interrupts skips the calls, which count neither as failed nor as repeated', async () => {
		const { queue, left, source } = steering(true);
		const calls = [{ name: 'echo' }, { name: 'echo' }];
		const { seen } = await loop([{ calls, onRequest: () => void queue.push([text('Stop.')]) }, { text: 'Ok.' }], {
			host: { steering: source },
			loopDetection: { window: 2 },
			failureDetection: { windowSize: 2, failureThreshold: 1 }
		});
		const skipped = { output: 'Skipped due to queued user message', details: { refused: true, skipped: true } };
		expect(ofType(seen, 'tool_call_end')).toMatchObject([skipped, skipped]);
		expect(ofType(seen, 'loop_detection')).toEqual([]);
		expect(left).toHaveBeenCalledTimes(1);
	});

	it('that waits is left alone after a response that failed', async () => {
		const { queue, source } = steering();
		const turns: FakeTurn[] = [{ error: new ServerError(fake), onRequest: () => void queue.push([text('Go on.')]) }];
		const { client, result } = await loop(turns, { host: { steering: source } });
		expect(result.stopReason).toBe('error');
		expect(client.requests).toHaveLength(1);
		expect(queue).toHaveLength(1);
	});
});
