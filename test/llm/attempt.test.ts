import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Attempt } from '#llm/attempt.ts';
import { defaultDeadlines } from '#llm/deadlines.ts';
import { AbortedError } from '#llm/errors.ts';
import type { Adapter, Request, StreamEvent } from '#llm/types.ts';
import { user } from './wires.ts';

const START: StreamEvent = { type: 'start', model: 'm' };
const DELTA: StreamEvent = { type: 'text_delta', id: 's', delta: 'a' };
const FINISH = { type: 'finish' } as StreamEvent;
const plain: Request = { provider: 'p', model: 'm', messages: [user('hi')] };

/** An attempt at a request that an adapter answers with these events; `signal` is the one passed to the adapter. */
function attempt(events: (StreamEvent | Error)[], request = plain, deadlines = {}) {
	const seen: { signal?: AbortSignal | undefined; closed: boolean; fetch?: typeof fetch } = { closed: false };
	const adapter: Adapter = {
		async *stream(asked, wire) {
			seen.signal = asked.signal;
			if (wire?.fetch) seen.fetch = wire.fetch;
			try {
				for (const event of events) {
					if (event instanceof Error) throw event;
					yield event;
				}
			} finally {
				seen.closed = true;
			}
		}
	};
	const whole = { ...defaultDeadlines, ...deadlines };
	return { seen, it: new Attempt(adapter, request, () => Promise.resolve(new Response('ok')), whole) };
}

describe('an attempt at a request', () => {
	it('gives the events one after the other, and null at the end', async () => {
		const { it: made } = attempt([START, DELTA]);
		expect([await made.next(), await made.next(), await made.next()]).toEqual([START, DELTA, null]);
		await made.close();
	});

	it('turns a failure into an event, and what is no error into one', async () => {
		const error = new Error('broken');
		expect(await attempt([error]).it.next()).toEqual({ type: 'error', error });
		const odd: Adapter = {
			stream: () => {
				throw 'words';
			}
		};
		const made = new Attempt(odd, plain, fetch, defaultDeadlines);
		expect(await made.next()).toEqual({ type: 'error', error: new Error('words') });
		await made.close();
	});

	it('has a signal of its own, which fires with the request’s and says who was asked', async () => {
		const controller = new AbortController();
		const { seen, it: made } = attempt([START, DELTA], { ...plain, signal: controller.signal });
		await made.next();
		expect(seen.signal).not.toBe(controller.signal);
		expect(seen.signal?.aborted).toBe(false);
		controller.abort('enough');
		expect(seen.signal?.reason).toMatchObject({ name: 'AbortedError', provider: 'p', cause: 'enough' });
		await made.close();
		expect(seen.closed).toBe(true);
	});

	it('is aborted from the start where the request was', async () => {
		const { seen, it: made } = attempt([START], { ...plain, signal: AbortSignal.abort('before') });
		await made.next();
		expect(seen.signal?.reason).toMatchObject({ provider: 'p', cause: 'before' });
		await made.close();
	});

	it('ends the connection of what is closed early, and not of what has finished', async () => {
		const early = attempt([START, DELTA, FINISH]);
		await early.it.next();
		await early.it.close();
		expect(early.seen.signal?.reason).toBeInstanceOf(AbortedError);
		expect(early.seen.signal?.reason).toMatchObject({ provider: 'p' });
		expect(early.seen.closed).toBe(true);

		const whole = attempt([START, FINISH]);
		await whole.it.next();
		await whole.it.next();
		await whole.it.close();
		expect(whole.seen.signal?.aborted).toBe(false);
	});

	it('leaves the request’s signal alone once it is closed', async () => {
		const controller = new AbortController();
		const { seen, it: made } = attempt([START, FINISH], { ...plain, signal: controller.signal });
		await made.next();
		await made.next();
		await made.close();
		controller.abort();
		expect(seen.signal?.aborted).toBe(false);
	});

	it('sends by a `fetch` that is watched, and whose answer begins the time for content', async () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const limits = { headersMs: 1000, firstContentMs: 5000, silenceMs: 3000 };
		const adapter: Adapter = {
			async *stream({ signal }, wire) {
				yield START;
				await wire?.fetch?.('https://model.example');
				await new Promise((resolve) => signal?.addEventListener('abort', resolve));
				yield { type: 'error', error: signal?.reason };
			}
		};
		const made = new Attempt(adapter, plain, () => Promise.resolve(new Response('ok')), {
			...defaultDeadlines,
			...limits
		});
		await made.next();
		const next = made.next();
		// Longer than the limit for headers, which have arrived: only content is missing.
		await vi.advanceTimersByTimeAsync(4000);
		let ended = false;
		void next.then(() => (ended = true));
		await vi.advanceTimersByTimeAsync(500);
		expect(ended).toBe(false);
		await vi.advanceTimersByTimeAsync(1000);
		expect(await next).toMatchObject({ type: 'error', error: { name: 'TimeoutError', provider: 'p' } });
		await made.close();
	});

	it('counts silence from the last event, once there was content', async () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const limits = { headersMs: 1000, firstContentMs: 9000, silenceMs: 3000 };
		const adapter: Adapter = {
			async *stream({ signal }) {
				yield START;
				yield DELTA;
				await new Promise((resolve) => signal?.addEventListener('abort', resolve));
				yield { type: 'error', error: signal?.reason };
			}
		};
		const made = new Attempt(adapter, plain, fetch, { ...defaultDeadlines, ...limits });
		await made.next();
		await made.next();
		const next = made.next();
		let ended = false;
		void next.then(() => (ended = true));
		await vi.advanceTimersByTimeAsync(2500);
		expect(ended).toBe(false);
		await vi.advanceTimersByTimeAsync(1000);
		expect(await next).toMatchObject({ error: { name: 'TimeoutError' } });
		await made.close();
	});

	it('hands on what has arrived, where the adapter can', async () => {
		const made = new Attempt(
			{
				stream: () => ({
					[Symbol.asyncIterator]: () => ({
						next: () => Promise.resolve({ done: false as const, value: START }),
						arrived: () => DELTA
					})
				})
			},
			plain,
			fetch,
			defaultDeadlines
		);
		await made.next();
		expect(made.arrived()).toBe(DELTA);
		await made.close();
		const { it: without } = attempt([START]);
		await without.next();
		expect(without.arrived()).toBeUndefined();
		await without.close();
	});

	it('can be closed before anything was asked', async () => {
		await expect(attempt([START]).it.close()).resolves.toBeUndefined();
		expect(attempt([START]).it.arrived()).toBeUndefined();
	});
});
