import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '#llm/client.ts';
import { type Deadlines, DeadlineWatch } from '#llm/deadlines.ts';
import type { TimeoutError } from '#llm/errors.ts';
import { playTurn } from '#llm/scenario/player.ts';
import { anthropic } from '#test/model-server/anthropic.ts';
import { sse } from '#test/model-server/format.ts';
import { inTime } from '#test/in-time.ts';
import { collect, only, user } from './wires.ts';

const request = { model: 'claude-opus-4-6', provider: 'anthropic', messages: [user('hi')] };
const frames = anthropic.frames(
	playTurn({ text: 'one two three four' }, [], () => 'id'),
	{ model: 'm', chunkCharacters: 4, serial: 1 }
);
const ping = sse({ type: 'ping' }, 'ping');

/** A fetch whose answer sends these frames, each a number of ms after the previous one. */
function timed(sends: [frame: string, afterMs: number][]): typeof fetch {
	return async () => {
		const left = [...sends];
		const body = new ReadableStream<Uint8Array>({
			async pull(controller) {
				const next = left.shift();
				if (!next) return controller.close();
				await new Promise((resolve) => setTimeout(resolve, next[1]));
				controller.enqueue(new TextEncoder().encode(next[0]));
			}
		});
		return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
	};
}
const client = (fetch: typeof globalThis.fetch, deadlines: Partial<Deadlines>) =>
	createClient({ providers: { anthropic: { api: 'anthropic-messages' } }, fetch, deadlines, retry: { retries: 0 } });

describe('the watch of one attempt', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	function watching(deadlines: Partial<Deadlines> = {}) {
		const expired: TimeoutError[] = [];
		const limits = { headersMs: 1_000, firstContentMs: 2_000, silenceMs: 3_000, ...deadlines };
		const watch = new DeadlineWatch('anthropic', limits, (error) => expired.push(error));
		return { watch, expired, messages: () => expired.map(({ message }) => message) };
	}

	it('names what was missing, once it has been waited for', () => {
		const headers = watching();
		headers.watch.wait();
		vi.advanceTimersByTime(999);
		expect(headers.expired).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(headers.messages()).toEqual(['Anthropic did not answer within 1 s. Try again.']);
		expect(headers.expired[0]).toMatchObject({ code: 'timeout', provider: 'anthropic' });
		vi.advanceTimersByTime(60_000);
		expect(headers.expired).toHaveLength(1);

		const content = watching();
		content.watch.wait();
		content.watch.headersArrived();
		vi.advanceTimersByTime(1_999);
		expect(content.expired).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(content.messages()).toEqual(['Anthropic sent nothing within 2 s. Try again.']);

		const silence = watching();
		silence.watch.wait();
		silence.watch.headersArrived();
		silence.watch.contentArrived();
		vi.advanceTimersByTime(2_999);
		expect(silence.expired).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(silence.messages()).toEqual(['Anthropic fell silent for 3 s in the middle of its response. Try again.']);
	});

	it.each(['headersMs', 'firstContentMs', 'silenceMs'] as const)('waits for ever where %s is 0', (field) => {
		const { watch, expired } = watching({ [field]: 0 });
		watch.wait();
		if (field !== 'headersMs') watch.headersArrived();
		if (field === 'silenceMs') watch.contentArrived();
		expect(vi.getTimerCount()).toBe(0);
		vi.advanceTimersByTime(1_000_000);
		expect(expired).toEqual([]);
	});

	it('starts again with each sign of life, but not before the first content', () => {
		const { watch, expired } = watching();
		watch.wait();
		watch.headersArrived();
		for (let sign = 0; sign < 3; sign++) {
			vi.advanceTimersByTime(600);
			watch.lifeSign();
		}
		watch.contentArrived();
		for (let sign = 0; sign < 5; sign++) {
			vi.advanceTimersByTime(2_000);
			watch.lifeSign();
		}
		expect(expired).toEqual([]);
		const thinking = watching();
		thinking.watch.wait();
		thinking.watch.headersArrived();
		vi.advanceTimersByTime(1_900);
		thinking.watch.lifeSign();
		vi.advanceTimersByTime(100);
		expect(thinking.expired).toHaveLength(1);
	});

	it('counts no headers or content twice', () => {
		const { watch, expired } = watching();
		watch.wait();
		watch.headersArrived();
		vi.advanceTimersByTime(1_500);
		watch.headersArrived();
		vi.advanceTimersByTime(500);
		expect(expired).toHaveLength(1);
	});

	it('counts only while it waits, and has one timer', () => {
		const { watch, expired } = watching();
		watch.wait();
		watch.headersArrived();
		watch.contentArrived();
		for (let pause = 0; pause < 3; pause++) {
			watch.rest();
			vi.advanceTimersByTime(10_000);
			watch.wait();
			vi.advanceTimersByTime(2_000);
			expect(vi.getTimerCount()).toBe(1);
		}
		expect(expired).toEqual([]);
		vi.advanceTimersByTime(1_000);
		expect(expired).toHaveLength(1);
	});

	it('waits no longer for headers where it is asked again', () => {
		const { watch, expired } = watching();
		watch.wait();
		vi.advanceTimersByTime(600);
		watch.rest();
		watch.wait();
		watch.wait();
		expect(vi.getTimerCount()).toBe(1);
		vi.advanceTimersByTime(400);
		expect(expired).toHaveLength(1);
	});

	it('ends with the attempt', () => {
		const { watch, expired } = watching();
		watch.wait();
		watch.stop();
		expect(vi.getTimerCount()).toBe(0);
		watch.headersArrived();
		vi.advanceTimersByTime(100_000);
		expect(expired).toEqual([]);
	});
});

describe('deadlines', () => {
	it('end a request no one answers, whatever the transport does', async () => {
		const never: typeof fetch = () => new Promise(() => {});
		await expect(
			inTime(client(never, { headersMs: 50 }).complete(request), 'the end of the request')
		).rejects.toMatchObject({
			code: 'timeout',
			message: expect.stringContaining('did not answer')
		});
	});

	it('end a body that ignores its signal', async () => {
		const stuck: typeof fetch = async () =>
			new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), {
				headers: { 'content-type': 'text/event-stream' }
			});
		await expect(inTime(client(stuck, { firstContentMs: 50 }).complete(request), 'its end')).rejects.toMatchObject({
			code: 'timeout'
		});
	});

	it('take pings for life', async () => {
		const [head, tail] = [frames.slice(0, 5), frames.slice(5)];
		const sends: [string, number][] = [
			[head.join(''), 0],
			...Array.from({ length: 10 }, (): [string, number] => [ping, 50]),
			[tail.join(''), 50]
		];
		const response = await client(timed(sends), { silenceMs: 250 }).complete(request);
		expect(response.message.content).toEqual([{ type: 'text', text: 'one two three four' }]);
	});

	it('do not count the time the consumer takes', async () => {
		const sends = frames.map((frame): [string, number] => [frame, 0]);
		const events = [];
		for await (const event of client(timed(sends), { silenceMs: 40 }).stream(request)) {
			events.push(event);
			if (event.type === 'text_delta') await new Promise((resolve) => setTimeout(resolve, 80));
		}
		expect(only(events, 'finish').response.finishReason).toBe('stop');
	});

	it('leave a response that keeps coming alone, however long it takes', async () => {
		const sends = frames.map((frame): [string, number] => [frame, 30]);
		const events = await collect(client(timed(sends), { silenceMs: 200 }).stream(request));
		expect(events.at(-1)?.type).toBe('finish');
	});
});
