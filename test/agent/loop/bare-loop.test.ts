import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EventBody, SessionEvent } from '#agent/events.ts';
import { PermissionDenied } from '#agent/guards/refusals.ts';
import type { AgentLoopConfig, ContextManager, LoopHost } from '#agent/loop/config.ts';
import { streamResponse } from '#agent/loop/response.ts';
import { TodoList } from '#agent/todo-list.ts';
import { ContextLengthError, StreamError } from '#llm/errors.ts';
import type { Message, StreamEvent } from '#llm/types.ts';
import type { FakeTurn } from '../fake-client.ts';
import { ofType } from '../fake-session.ts';
import { echo, fakeTool } from '../fake-tools.ts';
import { call, loop } from './bare-run.ts';

describe('a run without a session', () => {
	it.each(['maxIterations', 'maxToolRounds', 'maxTurns'] as const)('refuses a negative %s', async (field) => {
		await expect(loop([], { [field]: -1 })).rejects.toThrow(
			expect.objectContaining({
				name: 'ConfigValidationError',
				field,
				message: `${field} must be 0 (unlimited) or more.`
			})
		);
		expect((await loop([], { [field]: 0 })).result.stopReason).toBe('end_turn');
	});

	it.each<[Partial<AgentLoopConfig>, string, string]>([
		[
			{ todoStrategy: { list: new TodoList(), staleThresholdTurns: -1 } },
			'staleThresholdTurns',
			'staleThresholdTurns must be 0 or more.'
		],
		[{ failureDetection: { windowSize: 0 } }, 'windowSize', 'windowSize must be a whole number of at least 1.'],
		[{ failureDetection: { windowSize: 1.5 } }, 'windowSize', 'windowSize must be a whole number of at least 1.'],
		[
			{ failureDetection: { failureThreshold: 0 } },
			'failureThreshold',
			'failureThreshold must be a whole number of at least 1.'
		],
		[
			{ failureDetection: { windowSize: 2, failureThreshold: 3 } },
			'failureThreshold',
			'failureThreshold (3) must not be over windowSize (2): it would never be reached.'
		]
	])('refuses %j', async (config, field, message) => {
		await expect(loop([], config)).rejects.toThrow(expect.objectContaining({ field, message }));
	});

	it('says with what it begins', async () => {
		const first = (await loop([])).seen[0];
		expect(first).toMatchObject({
			type: 'agent_start',
			seq: 1,
			model: 'fake-1',
			provider: 'fake',
			tools: ['echo'],
			maxTurns: 0,
			maxToolRounds: 200,
			reasoningEffort: null
		});
		const own = (await loop([], { sessionId: 's', maxTurns: 5, maxToolRounds: 6, reasoningEffort: 'high' })).seen;
		expect(own[0]).toMatchObject({ sessionId: 's', maxTurns: 5, maxToolRounds: 6, reasoningEffort: 'high' });
		expect(own.map(({ seq }) => seq)).toEqual(own.map((_, index) => index + 1));
	});

	it.each<[Partial<AgentLoopConfig>, string, string | undefined, number]>([
		[{ maxIterations: 2 }, 'max_iterations', undefined, 2],
		[
			{ maxToolRounds: 2 },
			'turn_limit',
			'The limit of 2 tool rounds for one input is reached. Send a message to go on.',
			2
		],
		[
			{ maxTurns: 3, turnsBefore: 1 },
			'turn_limit',
			'The limit of 3 turns for this session is reached. Raise it or start a new session.',
			2
		]
	])('ends at its limit: %j', async (config, stopReason, message, turns) => {
		const { result, seen } = await loop([call(), call(), call()], config);
		expect(result).toMatchObject({ stopReason, turns });
		expect(ofType(seen, 'turn_limit').map((event) => event.message)).toEqual(message ? [message] : []);
	});

	it('sends what it is configured with', async () => {
		const { client } = await loop([], {
			reasoningEffort: 'low',
			parallelToolCalls: false,
			maxOutputTokens: 5,
			providerOptions: { a: 1 },
			cacheKey: 'k'
		});
		expect(client.requests[0]).toMatchObject({
			model: 'fake-1',
			provider: 'fake',
			system: 'You help.',
			tools: [{ name: 'echo' }],
			toolChoice: 'auto',
			parallelToolCalls: false,
			reasoningEffort: 'low',
			maxTokens: 5,
			providerOptions: { a: 1 },
			cacheKey: 'k'
		});
		const [bare] = (await loop([], { tools: [] })).client.requests;
		expect(bare).toMatchObject({ parallelToolCalls: true, reasoningEffort: null });
		for (const field of ['tools', 'toolChoice', 'maxTokens', 'providerOptions', 'cacheKey'])
			expect(bare).not.toHaveProperty(field);
	});

	it.each<[FakeTurn, object]>([
		[
			{ text: 'cut', finishReason: 'length' },
			{ stopReason: 'max_tokens', text: 'cut' }
		],
		[{ text: 'no', finishReason: 'content_filter' }, { stopReason: 'content_filter' }],
		[{ text: 'odd', finishReason: 'other' }, { stopReason: 'end_turn' }],
		[
			{ text: 'x', finishReason: 'error' },
			{ stopReason: 'error', error: { message: 'The model ended its response with an error. Try again.' } }
		]
	])('ends as the response %j does', async (turn, result) => {
		expect((await loop([turn])).result).toMatchObject(result);
	});

	it('warns of an answer of nothing, and of a window that is nearly full', async () => {
		const empty = await loop([{}]);
		expect(ofType(empty.seen, 'warning')).toMatchObject([
			{ code: 'empty_response', message: 'The model answered with nothing. Ask it to go on.' }
		]);
		const full = await loop([call(), { text: 'Ok.' }], { contextWindowTokens: 16 });
		expect(ofType(full.seen, 'warning')).toMatchObject([
			{
				code: 'context_usage',
				message: expect.stringMatching(
					/^Context usage at ~\d+% of context window\. Compact the conversation or start a new session\.$/
				)
			}
		]);
		expect(ofType(full.seen, 'context_usage')[0]).toMatchObject({ usedTokens: 15, windowTokens: 16 });
		expect(ofType((await loop([])).seen, 'context_usage')).toEqual([]);
	});

	it('has its own failure in its result', async () => {
		const { result, seen } = await loop([], { host: { settings: () => Promise.reject(new TypeError('no settings')) } });
		expect(result).toMatchObject({
			stopReason: 'error',
			error: { code: 'TypeError', message: 'no settings' },
			turns: 0
		});
		expect(ofType(seen, 'error')).toMatchObject([{ fatal: true, error: { message: 'no settings' } }]);
		expect(seen.at(-1)?.type).toBe('agent_end');
	});
});

describe('the limits of a run', () => {
	const forever = Array.from({ length: 9 }, () => call());
	const ended = (seen: SessionEvent[]) => ofType(seen, 'turn_limit').map(({ limit, message }) => [limit, message]);

	it('are its tool rounds for one input', async () => {
		const { client, result, seen } = await loop(forever, { maxToolRounds: 2 });
		expect(result.stopReason).toBe('turn_limit');
		expect(client.requests).toHaveLength(2);
		const message = 'The limit of 2 tool rounds for one input is reached. Send a message to go on.';
		expect(ended(seen)).toEqual([[2, message]]);
	});

	it('are the turns of its session, those before it too', async () => {
		const { client, result, seen } = await loop(forever, { maxTurns: 5, turnsBefore: 2 });
		expect(result.stopReason).toBe('turn_limit');
		expect(client.requests).toHaveLength(3);
		const message = 'The limit of 5 turns for this session is reached. Raise it or start a new session.';
		expect(ended(seen)).toEqual([[5, message]]);
	});

	it('are its iterations', async () => {
		const { client, result } = await loop(forever, { maxIterations: 1 });
		expect(result.stopReason).toBe('max_iterations');
		expect(client.requests).toHaveLength(1);
	});

	it.each([0, 1, 2])('are what may be spent, looked at before each request and after it: %i', async (requests) => {
		let asked = 0;
		const spent = { message: 'Spent.', limit: 3 };
		// Called twice per turn: before it, and before its request.
		const overBudget = () => (asked++ < requests * 2 ? null : spent);
		const { client, result, seen } = await loop(forever, { host: { overBudget } });
		expect(result.stopReason).toBe('turn_limit');
		expect(client.requests).toHaveLength(requests);
		expect(ended(seen)).toEqual([[3, 'Spent.']]);
	});

	it('may be spent while its request is made', async () => {
		let asked = 0;
		const overBudget = () => (asked++ === 0 ? null : { message: 'Spent.', limit: 3 });
		const { client, result, seen } = await loop(forever, { host: { overBudget } });
		expect(result.stopReason).toBe('turn_limit');
		expect(client.requests).toEqual([]);
		expect(ended(seen)).toEqual([[3, 'Spent.']]);
		expect(ofType(seen, 'message_start').filter(({ role }) => role === 'assistant')).toEqual([]);
	});
});

describe('a run that is stopped', () => {
	it('before its request sends none', async () => {
		const controller = new AbortController();
		const settings = { beforeTurn: async () => controller.abort() };
		const { client, result } = await loop([{ text: 'Never.' }], { abortSignal: controller.signal, host: settings });
		expect(result.stopReason).toBe('aborted');
		expect(client.requests).toEqual([]);
	});

	it('during its calls asks nothing more, and the call says so', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		onTestFinished(() => void vi.useRealTimers());
		const controller = new AbortController();
		const hang = fakeTool('hang', () => {
			controller.abort();
			return new Promise<string>(() => undefined);
		});
		const running = loop([call('hang'), { text: 'Never.' }], { abortSignal: controller.signal, tools: [hang] });
		await vi.advanceTimersByTimeAsync(5_000);
		const { client, result, seen } = await running;
		expect(result.stopReason).toBe('aborted');
		expect(client.requests).toHaveLength(1);
		expect(ofType(seen, 'tool_call_end')).toMatchObject([
			{ output: 'Operation aborted', isError: true, details: { refused: true } }
		]);
	});

	it('before it tries a broken response again sends nothing more', async () => {
		const controller = new AbortController();
		const broken: FakeTurn = { text: 'Half', error: new StreamError({ provider: 'fake' }) };
		const { client, result } = await loop([broken, { text: 'Never.' }], {
			abortSignal: controller.signal,
			streamRetry: { delayMs: 5_000 },
			host: {
				recordMessage: () => undefined,
				emit: (body) => {
					if (body.type === 'retry') queueMicrotask(() => controller.abort());
					return { ...body, sessionId: 's', seq: 1, timestamp: 1 } as SessionEvent;
				}
			}
		});
		expect(result.stopReason).toBe('aborted');
		expect(client.requests).toHaveLength(1);
	});
});

describe('what a session tells the model', () => {
	it('is a message before the next turn, and a notice', async () => {
		const notices = ['A helper ended.'];
		const { client, seen } = await loop([call(), { text: 'Ok.' }], {
			host: { notices: () => notices.splice(0) }
		});
		expect(client.requests[0]?.messages.map(({ content }) => content)).toEqual([
			[
				{ type: 'text', text: 'Go' },
				{ type: 'text', text: 'A helper ended.' }
			]
		]);
		expect(ofType(seen, 'notice')).toMatchObject([{ message: 'A helper ended.' }]);
	});

	it('may keep it from ending', async () => {
		const asked: string[] = [];
		const beforeEnd = (text: string) => Promise.resolve(asked.push(text) === 1 ? 'The tests fail.' : null);
		const { client, result, seen } = await loop([{ text: 'One.' }, { text: 'Two.' }], { host: { beforeEnd } });
		expect(asked).toEqual(['One.', 'Two.']);
		expect(result.text).toBe('Two.');
		expect(client.requests[1]?.messages.at(-1)).toEqual({
			role: 'user',
			content: [{ type: 'text', text: 'The tests fail.' }]
		});
		expect(ofType(seen, 'notice')).toMatchObject([{ message: 'The tests fail.' }]);
	});
});

describe('a context manager', () => {
	const summary: Message = { role: 'user', content: [{ type: 'text', text: 'Sum.' }] };
	const compacted = { messages: [summary], beforeTokens: 100, afterTokens: 1, success: true };
	const manager = (fields: Partial<ContextManager>): ContextManager => ({
		beforeRequest: () => Promise.resolve(null),
		afterOverflow: () => Promise.resolve(null),
		...fields
	});

	it('makes room before a request, and after one that was too long', async () => {
		const states: unknown[] = [];
		const { client, seen } = await loop([], {
			contextWindowTokens: 50,
			contextManager: manager({
				beforeRequest: (state) => (
					states.push({ used: state.usedTokens, window: state.windowTokens }),
					Promise.resolve(compacted)
				)
			})
		});
		expect(states).toEqual([{ used: 1, window: 50 }]);
		expect(client.requests[0]?.messages).toEqual([summary]);
		expect(ofType(seen, 'context_compact')).toMatchObject([{ beforeTokens: 100, afterTokens: 1, success: true }]);
		const overflow = await loop([{ error: new ContextLengthError({ provider: 'fake' }) }, { text: 'Ok.' }], {
			contextManager: manager({ afterOverflow: () => Promise.resolve(compacted) })
		});
		expect(overflow.result.text).toBe('Ok.');
		expect(overflow.client.requests[1]?.messages).toEqual([summary]);
	});

	it('changes nothing where it has nothing to make or fails, and says so', async () => {
		const { client, seen } = await loop([], {
			contextManager: manager({ beforeRequest: () => Promise.reject(new Error('no model')) })
		});
		expect(client.requests[0]?.messages).toHaveLength(1);
		expect(ofType(seen, 'warning')).toMatchObject([
			{ code: 'compaction_failed', message: 'The conversation could not be compacted: no model' }
		]);
		const overflow = await loop([{ error: new ContextLengthError({ provider: 'fake' }) }], {
			contextManager: manager({})
		});
		expect(overflow.result).toMatchObject({ stopReason: 'error', error: { code: 'context_length' } });
		expect(ofType(overflow.seen, 'warning')).toMatchObject([
			{ code: 'context_overflow', message: expect.stringMatching(/^The context window overflowed: ./) }
		]);
	});
});

describe('a tool call', () => {
	const around = (work: LoopHost['aroundToolCall']) =>
		loop([call(), { text: 'Ok.' }], { host: { aroundToolCall: work ?? (() => Promise.reject(new Error())) } });

	it('that its host breaks is an error for the model, and one that is denied ends the run', async () => {
		const broken = await around(() => Promise.reject(new Error('no disk')));
		expect(broken.result.stopReason).toBe('end_turn');
		expect(ofType(broken.seen, 'tool_call_end')).toMatchObject([
			{ output: 'Tool error (echo): no disk', isError: true }
		]);
		const text = await around(() => Promise.reject('no disk'));
		expect(ofType(text.seen, 'tool_call_end')).toMatchObject([{ output: 'Tool error (echo): no disk' }]);
		const denied = await around(() => Promise.reject(new PermissionDenied('Not allowed.')));
		expect(denied.result.stopReason).toBe('permission_denied');
		expect(ofType(denied.seen, 'tool_call_end')).toMatchObject([
			{ output: 'Not allowed.', isError: true, details: { refused: true, denied: true } }
		]);
	});

	it('says nothing of those after a denied one but that they did not run', async () => {
		const deny = fakeTool('deny', () => Promise.reject(new PermissionDenied('Not allowed.')), 'write');
		const { seen } = await loop([{ calls: [{ name: 'deny' }, { name: 'echo' }] }], { tools: [deny, echo] });
		expect(ofType(seen, 'tool_call_end')[1]).toMatchObject({
			output: 'Not run: the user denied permission in this round.',
			details: { refused: true, skipped: true }
		});
	});

	it('shows what it prints while it runs, and nothing that is empty or late', async () => {
		let late: (delta: string) => void = () => undefined;
		const prints = fakeTool('prints', (_, context) => {
			late = context.onProgress;
			context.onProgress('a');
			context.onProgress('');
			return 'Done.';
		});
		const { seen } = await loop([call('prints'), { text: 'Ok.', onRequest: () => late('b') }], { tools: [prints] });
		expect(ofType(seen, 'tool_call_output_delta').map(({ delta }) => delta)).toEqual(['a']);
	});

	it('has its note below what it gives, for the model and the log, never cut', async () => {
		const noted = fakeTool('noted', () => ({
			content: 'x'.repeat(40_000),
			note: 'Mind it.',
			fullOutput: 'whole',
			isError: false
		}));
		const { seen, client } = await loop([call('noted'), { text: 'Ok.' }], { tools: [noted] });
		expect(ofType(seen, 'tool_call_end')[0]?.output).toBe('whole\n\nMind it.');
		const [part] = client.requests[1]?.messages.at(-1)?.content ?? [];
		expect(part?.type === 'tool_result' && part.content).toMatch(/10000 characters were removed[\s\S]*\n\nMind it\.$/);
	});

	it('has a context without guards, user or agents', async () => {
		let seenContext: object = {};
		const looks = fakeTool('looks', async (_, context) => {
			seenContext = context;
			await context.propose({ kind: 'network', url: 'x', description: '' }).then(() => undefined);
			context.todo.replace([{ content: 'One', status: 'pending' }]);
			return 'Looked.';
		});
		const { result } = await loop([call('looks'), { text: 'Ok.' }], { tools: [looks] });
		expect(result.text).toBe('Ok.');
		expect(seenContext).toMatchObject({ agentId: 'main', images: { maxBytes: 3_932_160 } });
		expect(seenContext).not.toHaveProperty('askUser');
	});
});

describe('a streamed response', () => {
	async function streamed(events: (StreamEvent | Error)[], signal = new AbortController().signal) {
		const bodies: EventBody[] = [];
		async function* stream(): AsyncGenerator<StreamEvent> {
			for (const event of events) {
				if (event instanceof Error) throw event;
				yield event;
			}
		}
		const outcome = await streamResponse(stream, {} as never, signal, (body) => void bodies.push(body));
		return { outcome, bodies };
	}
	const text = (delta: string): StreamEvent => ({ type: 'text_delta', id: 't', delta });
	const thought = (delta: string): StreamEvent => ({ type: 'reasoning_delta', id: 'r', delta });
	const partial: Message = {
		role: 'assistant',
		content: [
			{ type: 'thinking', text: 'Hm.' },
			{ type: 'text', text: 'ab' }
		]
	};

	it('that breaks off has what came, and an end for each beginning', async () => {
		const { outcome, bodies } = await streamed([
			thought(''),
			thought('Hm.'),
			text(''),
			text('a'),
			text('b'),
			new Error('reset')
		]);
		expect(outcome).toMatchObject({ kind: 'failed', error: { message: 'reset' }, partial, hasContent: true });
		expect(bodies).toEqual([
			{ type: 'reasoning_start' },
			{ type: 'reasoning_delta', delta: 'Hm.' },
			{ type: 'assistant_text_start' },
			{ type: 'assistant_text_delta', delta: 'a' },
			{ type: 'assistant_text_delta', delta: 'b' },
			{ type: 'reasoning_end', text: 'Hm.' },
			{ type: 'assistant_text_end', text: 'ab' }
		]);
	});

	it('that only thought before it broke off has content, put together from its pieces', async () => {
		const { outcome, bodies } = await streamed([thought('H'), thought('m.'), new Error('reset')]);
		expect(outcome).toMatchObject({ hasContent: true, partial: { content: [{ type: 'thinking', text: 'Hm.' }] } });
		expect(bodies.at(-1)).toEqual({ type: 'reasoning_end', text: 'Hm.' });
	});

	it('has an end for each text as the provider ends it', async () => {
		const { bodies } = await streamed([
			text('a'),
			{ type: 'text_end', id: 't', text: 'A.' },
			text('b'),
			{ type: 'text_end', id: 't', text: 'B.' }
		]);
		expect(bodies).toEqual([
			{ type: 'assistant_text_start' },
			{ type: 'assistant_text_delta', delta: 'a' },
			{ type: 'assistant_text_end', text: 'A.' },
			{ type: 'assistant_text_start' },
			{ type: 'assistant_text_delta', delta: 'b' },
			{ type: 'assistant_text_end', text: 'B.' }
		]);
	});

	it('keeps how the provider calls its end, and is closed with it', async () => {
		let isClosed = false;
		async function* finishing(): AsyncGenerator<StreamEvent> {
			try {
				const message = { role: 'assistant', content: [] };
				yield {
					type: 'finish',
					response: { id: 'r', message, finishReason: 'other', rawFinishReason: 'pause' }
				} as never;
			} finally {
				isClosed = true;
			}
		}
		const { signal } = new AbortController();
		const outcome = await streamResponse(finishing, {} as never, signal, () => undefined);
		expect(outcome).toMatchObject({ kind: 'finished', finishReason: 'other', rawFinishReason: 'pause' });
		await Promise.resolve();
		expect(isClosed).toBe(true);
	});

	it.each([new Error('reset'), { type: 'error' as const, error: new Error('overloaded'), partial }])(
		'that is stopped by a listener to its end is aborted: %j',
		async (last) => {
			const controller = new AbortController();
			async function* stream(): AsyncGenerator<StreamEvent> {
				yield text('a');
				if (last instanceof Error) throw last;
				yield last;
			}
			const outcome = await streamResponse(stream, {} as never, controller.signal, (body) => {
				if (body.type === 'assistant_text_end') controller.abort();
			});
			const said = { role: 'assistant', content: [{ type: 'text', text: 'a' }] };
			expect(outcome).toEqual({ kind: 'aborted', partial: last instanceof Error ? said : partial });
		}
	);

	it('that ends without a finish failed, and has no content before any came', async () => {
		expect((await streamed([{ type: 'start', model: 'm' }])).outcome).toMatchObject({
			kind: 'failed',
			error: { message: 'The response ended without a finish. Try again.' },
			partial: { content: [] },
			hasContent: false
		});
		expect((await streamed([{ type: 'tool_call_start', id: 'c', name: 'Read' }])).outcome).toMatchObject({
			hasContent: true
		});
	});

	it('that reports an error has its own partial message, or what came', async () => {
		const error = new Error('overloaded');
		expect((await streamed([text('a'), { type: 'error', error, partial }])).outcome).toEqual({
			kind: 'failed',
			error,
			partial,
			hasContent: true
		});
		expect((await streamed([text('a'), { type: 'error', error }])).outcome).toMatchObject({
			partial: { role: 'assistant', content: [{ type: 'text', text: 'a' }] }
		});
	});

	it.each<[unknown, unknown]>([
		['plain words', [{ type: 'text', text: 'plain words' }]],
		['', []],
		[null, []],
		[undefined, []],
		[7, []]
	])('that a host’s own client finishes with the content %j has parts', async (content, parts) => {
		const response = { id: 'r', message: { role: 'assistant', content }, finishReason: 'stop', usage: {} };
		const { outcome } = await streamed([{ type: 'finish', response } as never]);
		expect(outcome).toMatchObject({ kind: 'finished', message: { role: 'assistant', content: parts } });
	});

	it('that was stopped is aborted, however it ends', async () => {
		const controller = new AbortController();
		async function* stopping(last: StreamEvent | Error): AsyncGenerator<StreamEvent> {
			yield text('a');
			controller.abort();
			if (last instanceof Error) throw last;
			yield last;
		}
		for (const last of [new Error('stopped'), { type: 'error' as const, error: new Error('stopped'), partial }]) {
			const outcome = await streamResponse(
				() => stopping(last),
				{} as never,
				controller.signal,
				() => undefined
			);
			expect(outcome.kind).toBe('aborted');
		}
		const { outcome } = await streamed([text('a')], controller.signal);
		expect(outcome).toEqual({ kind: 'aborted', partial: { role: 'assistant', content: [] } });
	});

	it('passes on calls as they come, and retries', async () => {
		const { bodies } = await streamed([
			{ type: 'tool_call_start', id: 'c', name: 'Read' },
			{ type: 'tool_call_delta', id: 'c', delta: '{', partialArguments: { a: 1 } },
			{ type: 'tool_call_delta', id: 'unknown', delta: '{', partialArguments: {} },
			{ type: 'retry', attempt: 1, delayMs: 5, code: 'network', message: 'Again.' } as StreamEvent
		]);
		expect(bodies).toEqual([
			{ type: 'tool_call_delta', callId: 'c', toolName: 'Read', partialArguments: { a: 1 } },
			{ type: 'tool_call_delta', callId: 'unknown', toolName: '', partialArguments: {} },
			{ type: 'retry', attempt: 1, delayMs: 5, code: 'network', message: 'Again.' }
		]);
	});
});
