import { describe, expect, it } from 'vitest';
import { EventBroadcast, EventQueue } from '#agent/index.ts';
import { inTime } from '../in-time.ts';

/** More events than any test emits. */
const MOST = 6_000;

function all<T>(events: AsyncIterable<T>): Promise<T[]> {
	const seen: T[] = [];
	const read = async (): Promise<T[]> => {
		for await (const event of events) if (seen.push(event) > MOST) throw new Error('The events do not end.');
		return seen;
	};
	return inTime(read(), 'the end of the events');
}

describe('EventQueue', () => {
	it('keeps what no one has read yet [F-004-e1]', async () => {
		const queue = new EventQueue<number>();
		for (let index = 0; index < 5_000; index++) queue.push(index);
		queue.end();
		expect(await all(queue)).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
	});

	it('delivers to a consumer that waits, in order', async () => {
		const queue = new EventQueue<number>();
		const reading = all(queue);
		for (const value of [1, 2, 3]) {
			queue.push(value);
			await Promise.resolve();
		}
		queue.end();
		expect(await reading).toEqual([1, 2, 3]);
	});

	it('is over once it was ended and read, for who asks again and for who waits', async () => {
		const queue = new EventQueue<number>();
		const reader = queue[Symbol.asyncIterator]();
		const waiting = reader.next();
		queue.push(1);
		expect(await inTime(waiting, 'the event')).toEqual({ done: false, value: 1 });
		const last = reader.next();
		queue.end();
		queue.push(2);
		expect([await inTime(last, 'the end'), await reader.next(), await reader.next()]).toEqual(
			Array(3).fill({ done: true, value: undefined })
		);
	});

	it('drops what is left when its consumer leaves', async () => {
		const queue = new EventQueue<number>();
		queue.push(1);
		queue.push(2);
		const reader = queue[Symbol.asyncIterator]();
		expect(await reader.next()).toEqual({ done: false, value: 1 });
		expect(await reader.return?.()).toEqual({ done: true, value: undefined });
		queue.push(3);
		expect(await reader.next()).toEqual({ done: true, value: undefined });
	});

	it('has one consumer', () => {
		const queue = new EventQueue<number>();
		queue[Symbol.asyncIterator]();
		expect(() => queue[Symbol.asyncIterator]()).toThrow('one consumer');
	});
});

describe('EventBroadcast', () => {
	it('gives every reader every event, whenever it comes', async () => {
		const events = new EventBroadcast<number>([1]);
		const early = all(events);
		events.push(2);
		await Promise.resolve();
		const middle = all(events);
		events.push(3);
		events.end();
		expect(await Promise.all([early, middle, all(events)])).toEqual([
			[1, 2, 3],
			[1, 2, 3],
			[1, 2, 3]
		]);
	});

	it('goes on when a reader leaves', async () => {
		const events = new EventBroadcast<number>([1, 2]);
		for await (const event of events) if (event === 1) break;
		events.end();
		expect(await all(events)).toEqual([1, 2]);
		const none = new EventBroadcast<number>();
		none.end();
		expect(await all(none)).toEqual([]);
	});
});
