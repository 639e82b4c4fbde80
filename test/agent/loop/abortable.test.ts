import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AbortableReader, delay, withinGrace } from '#agent/loop/abortable.ts';

afterEach(() => void vi.useRealTimers());

/** Current state of a promise. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
	return Promise.race([
		promise.catch((error: unknown) => error),
		new Promise((resolve) => setImmediate(() => resolve('open')))
	]);
}
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

describe('a delay', () => {
	it('lasts as long as asked', async () => {
		const waiting = delay(1_000, new AbortController().signal);
		await vi.advanceTimersByTimeAsync(999);
		expect(await stateOf(waiting)).toBe('open');
		await vi.advanceTimersByTimeAsync(1);
		expect(await stateOf(waiting)).toBeUndefined();
	});

	it('leaves no listener behind', async () => {
		const { signal } = new AbortController();
		const waiting = delay(10, signal);
		await vi.advanceTimersByTimeAsync(10);
		await waiting;
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('ends with the signal, and leaves no timer', async () => {
		const controller = new AbortController();
		const waiting = delay(1_000, controller.signal);
		controller.abort();
		expect(await stateOf(waiting)).toBeUndefined();
		expect(vi.getTimerCount()).toBe(0);
		expect(await stateOf(delay(1_000, controller.signal))).toBeUndefined();
		expect(await stateOf(delay(0, new AbortController().signal))).toBeUndefined();
		expect(vi.getTimerCount()).toBe(0);
	});
});

describe('a reader that can be aborted', () => {
	const source = (next: () => Promise<IteratorResult<number>>, fields: object = {}) => ({
		[Symbol.asyncIterator]: () => ({ next, ...fields })
	});

	it('gives what the producer gives, then nothing', async () => {
		let count = 0;
		const reader = new AbortableReader(
			source(async () => (++count > 2 ? { done: true, value: undefined } : { done: false, value: count })),
			new AbortController().signal
		);
		expect([await reader.next(), await reader.next(), await reader.next()]).toEqual([
			{ done: false, value: 1 },
			{ done: false, value: 2 },
			null
		]);
	});

	it('fails as the producer does', async () => {
		const reader = new AbortableReader(
			source(() => Promise.reject(new Error('broke'))),
			new AbortController().signal
		);
		await expect(reader.next()).rejects.toThrow('broke');
	});

	it('ends at once with the signal, whatever the producer does', async () => {
		const controller = new AbortController();
		const next = vi.fn(() => new Promise<never>(() => undefined));
		const reader = new AbortableReader(source(next, { arrived: () => 7 }), controller.signal);
		expect(reader.arrived()).toBe(7);
		const waiting = reader.next();
		controller.abort();
		expect(await stateOf(waiting)).toBeNull();
		expect(await reader.next()).toBeNull();
		expect(reader.arrived()).toBeUndefined();
		expect(next).toHaveBeenCalledTimes(1);
		const late = new AbortableReader(source(next), controller.signal);
		expect(await late.next()).toBeNull();
		expect(next).toHaveBeenCalledTimes(1);
	});

	it('has nothing arrived where the producer cannot tell', () => {
		expect(
			new AbortableReader(
				source(() => new Promise(() => undefined)),
				new AbortController().signal
			).arrived()
		).toBeUndefined();
	});

	it('leaves no listener behind, also at a producer that closes without a promise', () => {
		const { signal } = new AbortController();
		const reader = new AbortableReader(
			source(() => new Promise<never>(() => undefined), { return: () => undefined }),
			signal
		);
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		expect(() => reader.close()).not.toThrow();
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('closes the producer, also one that fails or cannot be closed', async () => {
		const returned = vi.fn(() => Promise.reject(new Error('late')));
		const { signal } = new AbortController();
		const never = () => new Promise<never>(() => undefined);
		new AbortableReader(source(never, { return: returned }), signal).close();
		new AbortableReader(source(never), signal).close();
		expect(returned).toHaveBeenCalledTimes(1);
		expect(await stateOf(Promise.resolve('no unhandled rejection'))).toBe('no unhandled rejection');
	});
});

describe('work within its grace', () => {
	const fallback = () => 'fallback';
	it('has its own outcome before the signal and after it', async () => {
		const { signal } = new AbortController();
		expect(await withinGrace(Promise.resolve('done'), signal, 100, fallback)).toBe('done');
		await expect(withinGrace(Promise.reject(new Error('broke')), signal, 100, fallback)).rejects.toThrow('broke');
		const controller = new AbortController();
		let end: (value: string) => void = () => undefined;
		const working = withinGrace(new Promise<string>((resolve) => (end = resolve)), controller.signal, 100, fallback);
		controller.abort();
		await vi.advanceTimersByTimeAsync(99);
		expect(await stateOf(working)).toBe('open');
		end('done');
		expect(await stateOf(working)).toBe('done');
		expect(vi.getTimerCount()).toBe(0);
	});

	it('leaves no listener behind', async () => {
		const { signal } = new AbortController();
		await withinGrace(Promise.resolve('done'), signal, 100, fallback);
		expect(await stateOf(Promise.resolve('settled'))).toBe('settled');
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('falls back where it takes longer, counted from the signal', async () => {
		const controller = new AbortController();
		const never = new Promise<string>(() => undefined);
		const working = withinGrace(never, controller.signal, 100, fallback);
		await vi.advanceTimersByTimeAsync(1_000);
		expect(await stateOf(working)).toBe('open');
		controller.abort();
		await vi.advanceTimersByTimeAsync(100);
		expect(await stateOf(working)).toBe('fallback');
		const late = withinGrace(never, controller.signal, 100, fallback);
		await vi.advanceTimersByTimeAsync(100);
		expect(await stateOf(late)).toBe('fallback');
	});
});
