import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventBody, SessionEvent } from '#agent/events.ts';
import { HookRunner, type Hook } from '#agent/hooks.ts';
import type { ContentPart } from '#llm/types.ts';
import { inTime } from '../in-time.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
	expect(vi.getTimerCount()).toBe(0);
	vi.useRealTimers();
});

function runner(...hooks: Hook[]) {
	const errors: EventBody[] = [];
	return { errors, run: new HookRunner(hooks, (body) => void errors.push(body)) };
}
const fails = (): never => {
	throw new Error('it broke');
};
const failure = (point: string, hook = 'unnamed', message = 'it broke') =>
	expect.objectContaining({ type: 'hook_error', hook, point, message, stack: expect.stringContaining(message) });
const never = () => new Promise<never>(() => undefined);
const text = (value: string): ContentPart[] => [{ type: 'text', text: value }];
const open = new AbortController().signal;

describe('a gate of tool calls', () => {
	it('asks one after the other with a copy, and the first that blocks decides', async () => {
		const args = { path: 'a' };
		const later = vi.fn();
		const { run, errors } = runner(
			{},
			{
				beforeToolCall: (name, given) => {
					expect(name).toBe('Read');
					given['path'] = 'changed';
				}
			},
			{ beforeToolCall: async (_, given) => ({ block: `Not ${String(given['path'])}.` }) },
			{ beforeToolCall: later }
		);
		expect(await run.gateToolCall('Read', args, open)).toBe('Not a.');
		expect(args).toEqual({ path: 'a' });
		expect(later).not.toHaveBeenCalled();
		expect(errors).toEqual([]);
		expect(await runner({ beforeToolCall: () => undefined }).run.gateToolCall('Read', {}, open)).toBeNull();
	});

	it('blocks where it fails, and ends with the run', async () => {
		const { run, errors } = runner({ name: 'mine', beforeToolCall: fails });
		expect(await run.gateToolCall('Read', {}, open)).toBe(
			'Blocked: a hook that checks Read failed. Do it another way, or notify the user.'
		);
		expect(errors).toEqual([failure('beforeToolCall', 'mine')]);
		const controller = new AbortController();
		const waiting = runner({ beforeToolCall: never });
		const blocked = waiting.run.gateToolCall('Read', {}, controller.signal);
		controller.abort();
		expect(await inTime(blocked, 'the end of the gate')).toBe('Operation aborted');
		expect(await waiting.run.gateToolCall('Read', {}, controller.signal)).toBe('Operation aborted');
		expect(waiting.errors).toEqual([]);
		expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
	});
});

describe('a gate of operations', () => {
	it('cancels where a hook says so or fails', async () => {
		const { run, errors } = runner(
			{},
			{ beforeSessionOp: async (operation) => (operation === 'undo' ? 'cancel' : undefined) }
		);
		expect([await run.gateSessionOp('undo'), await run.gateSessionOp('compact')]).toEqual([false, true]);
		expect(errors).toEqual([]);
		const failing = runner({ beforeSessionOp: fails });
		expect(await failing.run.gateSessionOp('undo')).toBe(false);
		expect(failing.errors).toEqual([failure('beforeSessionOp')]);
	});

	it('answers a fork at once', async () => {
		const { run, errors } = runner(
			{},
			{ beforeSessionOp: (operation) => (operation === 'fork' ? 'cancel' : undefined) }
		);
		expect([run.gateSessionOpNow('fork'), run.gateSessionOpNow('undo')]).toEqual([false, true]);
		expect(errors).toEqual([]);
		const late = runner({ beforeSessionOp: () => Promise.reject(new Error('late')) });
		expect(late.run.gateSessionOpNow('fork')).toBe(false);
		await vi.waitFor(() => expect(late.errors).toHaveLength(2));
		expect(late.errors).toEqual([
			failure('beforeSessionOp', 'unnamed', 'A hook has to answer “fork” at once, not with a promise.'),
			failure('beforeSessionOp', 'unnamed', 'late')
		]);
		expect(runner({ beforeSessionOp: fails }).run.gateSessionOpNow('fork')).toBe(false);
	});
});

describe('a pipe', () => {
	const result = { content: 'a', isError: false };

	it('hands on what each hook makes of a copy, and keeps what one leaves', async () => {
		const { run } = runner(
			{ onToolResult: (name, given) => Object.assign(given, { content: `${given.content}${name}` }) },
			{ onToolResult: () => undefined as never },
			{ onToolResult: async (_, given) => ({ ...given, content: `${given.content}!` }) }
		);
		expect(await run.toolResult('Read', result)).toEqual({ content: 'aRead!', isError: false });
		expect(result.content).toBe('a');
		const messages = [{ role: 'user' as const, content: text('x') }];
		expect(await runner({ onContext: (given) => [...given, ...given] }).run.context(messages)).toHaveLength(2);
		const preparation = { prompt: text('x'), system: 's', messages: [] };
		expect(
			await runner({ onBeforeAgent: (given) => ({ ...given, system: 't' }) }).run.beforeAgent(preparation)
		).toMatchObject({
			system: 't'
		});
	});

	it.each(['onToolResult', 'onContext', 'onBeforeAgent', 'onInput'] as const)(
		'skips a hook that fails at %s, or takes over 5 s',
		async (point) => {
			const call = (run: HookRunner): Promise<unknown> =>
				({
					onToolResult: () => run.toolResult('Read', result),
					onContext: () => run.context([]),
					onBeforeAgent: () => run.beforeAgent({ prompt: [], system: '', messages: [] }),
					onInput: () => run.input(text('x'))
				})[point]();
			const { run, errors } = runner({ [point]: fails }, { name: 'slow', [point]: never });
			const ended = call(run);
			await vi.advanceTimersByTimeAsync(4_999);
			expect(errors).toHaveLength(1);
			await vi.advanceTimersByTimeAsync(1);
			await inTime(ended, `the end of ${point}`);
			expect(errors).toEqual([failure(point), failure(point, 'slow', 'The hook took over 5 s and was skipped.')]);
		}
	);

	it('takes another input, or none where a hook has dealt with it', async () => {
		const seen: unknown[] = [];
		const { run, errors } = runner(
			{ onInput: () => ({ transform: text('b') }) },
			{ onInput: (given) => void seen.push(given) },
			{ onInput: async (given) => ({ transform: [...given, ...text('c')] }) }
		);
		expect(await run.input(text('a'))).toEqual([...text('b'), ...text('c')]);
		expect([seen, errors]).toEqual([[text('b')], []]);
		const later = vi.fn();
		expect(await runner({ onInput: () => 'handled' }, { onInput: later }).run.input(text('a'))).toBeNull();
		expect(later).not.toHaveBeenCalled();
	});
});

describe('a notification', () => {
	it('reaches each hook that listens, with a copy and as its own, and waits for none', async () => {
		const seen: unknown[] = [];
		const hook: Hook = {
			beforeTurn(turnIndex) {
				seen.push(this === hook, turnIndex);
				return never();
			}
		};
		const { run } = runner({}, hook);
		run.notify('beforeTurn', 3);
		expect(seen).toEqual([true, 3]);
		const args = { a: 1 };
		runner({ beforeToolExecution: (_, given) => void (given['a'] = 2) }).run.notify(
			'beforeToolExecution',
			'Read',
			args
		);
		expect(args).toEqual({ a: 1 });
	});

	it('reports a hook that fails, now or later, but not one that fails at that report', async () => {
		const { run, errors } = runner({ afterTurn: fails }, { afterTurn: () => Promise.reject('later') });
		run.notify('afterTurn', 1);
		await vi.waitFor(() => expect(errors).toHaveLength(2));
		expect(errors).toEqual([
			failure('afterTurn'),
			{ type: 'hook_error', hook: 'unnamed', point: 'afterTurn', message: 'later' }
		]);
		const listening = runner({ onEvent: fails }, { onEvent: () => Promise.reject(new Error('later')) });
		listening.run.notify('onEvent', { type: 'hook_error' } as SessionEvent);
		await new Promise(setImmediate);
		expect(listening.errors).toEqual([]);
		listening.run.notify('onEvent', { type: 'turn_start' } as SessionEvent);
		await vi.waitFor(() => expect(listening.errors).toHaveLength(2));
	});
});
