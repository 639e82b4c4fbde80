import { describe, expect, it } from 'vitest';
import { createClient } from '#llm/client.ts';
import type { Deadlines } from '#llm/deadlines.ts';
import { playTurn } from '#llm/scenario/player.ts';
import { anthropic } from '#test/model-server/anthropic.ts';
import { sse } from '#test/model-server/format.ts';
import { collect, only, user } from './wires.ts';

const request = { model: 'claude-opus-4-6', provider: 'anthropic', messages: [user('hi')] };
const frames = anthropic.frames(
	playTurn({ text: 'one two three four' }, [], () => 'id'),
	{ model: 'm', chunkCharacters: 4, serial: 1 }
);
const ping = sse({ type: 'ping' }, 'ping');

/** A fetch whose answer sends these frames, each so many ms after the one before. */
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

describe('deadlines', () => {
	it('end a request no one answers, whatever the transport does', async () => {
		const never: typeof fetch = () => new Promise(() => {});
		await expect(client(never, { headersMs: 50 }).complete(request)).rejects.toMatchObject({
			code: 'timeout',
			message: expect.stringContaining('did not answer')
		});
	});

	it('end a body that ignores its signal', async () => {
		const stuck: typeof fetch = async () =>
			new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), {
				headers: { 'content-type': 'text/event-stream' }
			});
		await expect(client(stuck, { firstContentMs: 50 }).complete(request)).rejects.toMatchObject({ code: 'timeout' });
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
