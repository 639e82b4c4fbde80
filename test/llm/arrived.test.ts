import { describe, expect, it } from 'vitest';
import { type ArrivingIterator, opened } from '#llm/arrived.ts';
import { createClient } from '#llm/client.ts';
import { playTurn } from '#llm/scenario/player.ts';
import type { StreamEvent } from '#llm/types.ts';
import { anthropic } from '#test/model-server/anthropic.ts';
import { collect, only, user } from './wires.ts';

const frames = anthropic.frames(
	playTurn({ reasoning: 'Hm, hm.', text: 'one two three four' }, [], () => 'id'),
	{ model: 'm', chunkCharacters: 4, serial: 1 }
);

/** A client whose provider answers each request with the next of these bodies, in one piece. */
function stream(...bodies: string[]): AsyncIterable<StreamEvent> {
	const client = createClient({
		providers: { anthropic: { api: 'anthropic-messages' } },
		fetch: async () => new Response(bodies.shift(), { headers: { 'content-type': 'text/event-stream' } }),
		retry: { retries: 1, baseMs: 1 }
	});
	return client.stream({ model: 'claude-opus-4-6', provider: 'anthropic', messages: [user('hi')] });
}

/** Reads like the loop: events that have already arrived first. */
async function collectArrived(events: AsyncIterable<StreamEvent>): Promise<{ all: StreamEvent[]; waits: number }> {
	const iterator: ArrivingIterator<StreamEvent> = events[Symbol.asyncIterator]();
	const all: StreamEvent[] = [];
	let waits = 0;
	for (;;) {
		let event = iterator.arrived?.();
		if (!event) {
			waits++;
			const step = await iterator.next();
			if (step.done) return { all, waits };
			event = step.value;
		}
		all.push(event);
	}
}

describe('what has arrived', () => {
	it('is nothing of a sequence that cannot say so', async () => {
		const ended = { done: true as const, value: undefined };
		const plain = { [Symbol.asyncIterator]: () => ({ next: async () => ended }) };
		const iterator: ArrivingIterator<unknown> = opened(async () => plain)[Symbol.asyncIterator]();
		await iterator.next();
		expect(iterator.arrived?.()).toBeUndefined();
		expect(await iterator.return?.()).toEqual(ended);
	});

	it('is taken without a wait, in the order of the others', async () => {
		const expected = await collect(stream(frames.join('')));
		const { all, waits } = await collectArrived(stream(frames.join('')));
		expect(all).toEqual(expected);
		expect(all.length).toBeGreaterThan(10);
		// The start, the first of the only piece, the finish, and the end.
		expect(waits).toBe(4);
	});

	it('comes before the failure behind it', async () => {
		const broken = `${frames.slice(0, 7).join('')}event: message_stop\ndata: {"oops\n\n${frames.join('')}`;
		const expected = await collect(stream(broken));
		const { all } = await collectArrived(stream(broken));
		expect(all).toEqual(expected);
		expect(only(all, 'error').error).toMatchObject({ code: 'stream' });
		expect(all.at(-1)).toBe(only(all, 'error'));
	});

	it('is nothing before the first delta, so that a failure there is tried again', async () => {
		const { all } = await collectArrived(
			stream('event: error\ndata: {"error":{"type":"api_error"}}\n\n', frames.join(''))
		);
		expect(all.map(({ type }) => type).slice(0, 2)).toEqual(['start', 'retry']);
		expect(only(all, 'finish').response.finishReason).toBe('stop');
	});

	it('is nothing after the end', async () => {
		const iterator: ArrivingIterator<StreamEvent> = stream(frames.join(''))[Symbol.asyncIterator]();
		for (let event = await iterator.next(); !event.done && event.value.type !== 'text_delta';)
			event = await iterator.next();
		await iterator.return?.();
		expect(iterator.arrived?.()).toBeUndefined();
	});

	it('passes through a sequence that is opened with the first read', async () => {
		let opens = 0;
		const later = opened(() => Promise.resolve((opens++, stream(frames.join('')))));
		const iterator: ArrivingIterator<StreamEvent> = later[Symbol.asyncIterator]();
		expect(iterator.arrived?.()).toBeUndefined();
		expect(opens).toBe(0);
		const { all, waits } = await collectArrived({ [Symbol.asyncIterator]: () => iterator });
		expect([opens, waits]).toEqual([1, 4]);
		expect(all).toEqual(await collect(stream(frames.join(''))));
	});

	it('gives up what it opened, and what it never opened', async () => {
		const events = stream(frames.join(''));
		const iterator = opened(() => Promise.resolve(events))[Symbol.asyncIterator]();
		await iterator.next();
		await iterator.return?.();
		expect(await events[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
		const unopened = opened(() => Promise.reject(new Error('opened')))[Symbol.asyncIterator]();
		expect(await unopened.return?.()).toEqual({ done: true, value: undefined });
	});
});
