import { describe, expect, it } from 'vitest';
import type { EventBody, SessionEvent } from '#agent/events.ts';
import { DELTA_EVENTS } from '#agent/events.ts';
import { Fold } from '#page/timeline/fold.ts';
import { Meters } from '#page/timeline/meters.ts';
import { emptyUsage } from '#llm/usage.ts';
import { EVENTS } from '../harness/events.ts';

function events(...bodies: EventBody[]): SessionEvent[] {
	return bodies.map((body, index) => ({ sessionId: 's', seq: index + 1, timestamp: index * 10, ...body }));
}

function fold(list: readonly SessionEvent[]): Fold {
	const result = new Fold();
	for (const event of list) result.push(event);
	return result;
}

describe('Fold', () => {
	it('shows a recorded session in order', () => {
		const { items } = fold(EVENTS);
		expect(items.map((item) => item.kind)).toEqual([
			...['user', 'reasoning', 'tool', 'tool', 'tool', 'text', 'tool', 'tool', 'tool', 'permission']
		]);
		// The first step after a checkpoint offers to go back to it.
		expect(items.flatMap(({ checkpointId }, index) => (checkpointId ? [[index, checkpointId]] : []))).toEqual([
			[1, 'c1'],
			[3, 'c1b'],
			[7, 'c2'],
			[8, 'c3']
		]);
	});

	it('shows a context overflow once, as the error that says what can be done', () => {
		const list = events(
			{ type: 'warning', code: 'context_overflow', message: 'The context window overflowed.' },
			{ type: 'error', error: { code: 'context_length', message: 'Too long.' }, fatal: true },
			{ type: 'warning', code: 'cap_without_price', message: 'The spending cap of $1 cannot hold.' }
		);
		expect(fold(list).items.map(({ kind }) => kind)).toEqual(['error', 'notice']);
	});

	it('shows one line for a model that is tried again and again', () => {
		const tried = (attempt: number) =>
			({ type: 'retry', attempt, delayMs: 1000 * attempt, code: 'overloaded', message: 'overloaded' }) as const;
		const { items } = fold(events(tried(1), tried(2), tried(3)));
		expect(items).toMatchObject([{ kind: 'retry', attempt: 3, delayMs: 3000 }]);
	});

	it('counts what helpers of helpers cost', () => {
		const usage = { ...emptyUsage(), inputTokens: 10, costUsd: 0.5 };
		const [inner] = events({ type: 'usage', turnIndex: 0, usage });
		const [middle] = events({ type: 'subagent_event', agentId: 'agent_2', event: inner as SessionEvent });
		const [outer] = events({ type: 'subagent_event', agentId: 'agent_1', event: middle as SessionEvent });
		expect(new Meters().take(outer as SessionEvent)).toMatchObject({
			costUsd: 0.5,
			inputTokens: 10,
			contextTokens: null
		});
	});

	it('ends the same with the deltas of a live stream as without them, from the log', () => {
		const live = events(
			{ type: 'reasoning_start' },
			{ type: 'reasoning_delta', delta: 'Hm' },
			{ type: 'reasoning_end', text: 'Hm' },
			{ type: 'assistant_text_start' },
			{ type: 'assistant_text_delta', delta: 'Hel' },
			{ type: 'assistant_text_delta', delta: 'lo' },
			{ type: 'assistant_text_end', text: 'Hello' },
			{ type: 'tool_call_delta', callId: 'a', toolName: 'Bash', partialArguments: { command: 'l' } },
			{ type: 'tool_call_start', callId: 'a', toolName: 'Bash', arguments: { command: 'ls' } },
			{ type: 'tool_call_output_delta', callId: 'a', delta: 'x' },
			{ type: 'tool_call_end', callId: 'a', toolName: 'Bash', output: 'x\n', isError: false, durationMs: 5 }
		);
		const stored = live.filter((event) => !DELTA_EVENTS.has(event.type));
		const bare = (list: SessionEvent[]) =>
			fold(list).items.map(({ key: _key, seq: _seq, timestamp: _time, ...item }) => item);
		const body = bare(live);
		expect(body).toHaveLength(3);
		expect(bare(stored)).toEqual(body);
	});

	it('shows a call that waits for others of its response as queued, not as being written', () => {
		const call = (id: string) => ({ type: 'tool_call' as const, id, name: 'Bash', arguments: {} });
		const written = (stopReason: string): EventBody[] => [
			...['a', 'b'].map((callId): EventBody => ({
				type: 'tool_call_delta',
				callId,
				toolName: 'Bash',
				partialArguments: {}
			})),
			{
				type: 'message_end',
				text: '',
				reasoning: '',
				stopReason,
				message: { role: 'assistant', content: [call('a'), call('b')] }
			}
		];
		const statuses = (...bodies: EventBody[]) =>
			fold(events(...bodies)).items.flatMap((item) => (item.kind === 'tool' ? [item.status] : []));
		expect(statuses(...written('tool_use').slice(0, 2))).toEqual(['preparing', 'preparing']);
		expect(statuses(...written('tool_use'))).toEqual(['queued', 'queued']);
		expect(statuses(...written('aborted'))).toEqual(['preparing', 'preparing']);
		const starts: EventBody = { type: 'tool_call_start', callId: 'a', toolName: 'Bash', arguments: {} };
		const end = { type: 'tool_call_end', output: '', isError: false, durationMs: 5 } as const;
		expect(statuses(...written('tool_use'), starts)).toEqual(['running', 'queued']);
		expect(statuses(...written('tool_use'), starts, { ...end, callId: 'a', toolName: 'Bash' })).toEqual([
			'done',
			'queued'
		]);
	});

	it('ignores what it has seen, so a log and a stream may overlap', () => {
		const folded = fold([...EVENTS, ...EVENTS.slice(-5)]);
		expect(folded.items).toEqual(fold(EVENTS).items);
	});

	it('replaces an item and leaves its neighbours alone', () => {
		const folded = fold(EVENTS.slice(0, 10));
		const before = folded.items.slice();
		for (const event of EVENTS.slice(10, 11)) folded.push(event);
		expect(folded.items.at(-1)).not.toBe(before.at(-1));
		expect(folded.items.slice(0, -1).every((item, index) => item === before[index])).toBe(true);
	});

	it('follows a call through its prompt, its answer and its end', () => {
		const folded = fold(EVENTS);
		const status = () => folded.items.flatMap((item) => (item.kind === 'tool' ? [item.status] : [])).at(-1);
		expect(status()).toBe('waiting');
		const next = (body: EventBody) =>
			folded.push({ sessionId: 'harness', seq: folded.lastSeq + 1, timestamp: 0, ...body });
		next({ type: 'permission_resolved', requestId: 'p1', decision: { kind: 'allow_once' } });
		expect(status()).toBe('running');
		next({ type: 'tool_call_end', callId: 'e', toolName: 'Bash', output: 'ok', isError: false, durationMs: 1 });
		expect(status()).toBe('done');
	});

	it('closes prompts that a stopped run left open', () => {
		const folded = fold(EVENTS);
		const usage = {
			...{ inputTokens: 0, outputTokens: 0, reasoningTokens: 0 },
			...{ cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null }
		};
		folded.push({
			...{ sessionId: 'harness', seq: folded.lastSeq + 1, timestamp: 0 },
			type: 'agent_end',
			result: { text: '', stopReason: 'aborted', turns: 1, usage }
		});
		expect(folded.items.find((item) => item.kind === 'permission')).toMatchObject({ expired: true });
		expect(folded.items.at(-1)).toMatchObject({ kind: 'end', stopReason: 'aborted' });
	});

	it('nests a helper’s timeline', () => {
		const inner = events({ type: 'assistant_text_start' }, { type: 'assistant_text_end', text: 'found it' });
		const folded = fold(
			inner.map((event, index) => ({ ...event, seq: index + 1, type: 'subagent_event', agentId: 'h1', event }))
		);
		expect(folded.items).toHaveLength(1);
		expect(folded.items[0]).toMatchObject({ kind: 'agent', nested: [{ kind: 'text', text: 'found it' }] });
	});
});

describe('Meters', () => {
	it('adds up what the answers cost and knows how full the context is', () => {
		const meters = EVENTS.reduce((sum, event) => sum.take(event), new Meters());
		expect(meters).toMatchObject({
			inputTokens: 16_520,
			outputTokens: 350,
			contextTokens: 62_000,
			windowTokens: 200_000
		});
		expect(meters.costUsd).toBeCloseTo(0.042);
		expect(EVENTS.reduce((sum, event) => sum.take(event), meters)).toBe(meters);
	});
});
