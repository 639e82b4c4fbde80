import { expect, it } from 'vitest';
import { WriteQueue } from '#session/write-queue.ts';
import { inTime } from '#test/in-time.ts';

/** A write that ends when released, and fails a test in which it is repeated endlessly. */
function heldWrite(name: string, written: string[]) {
	let end = (): void => undefined;
	const ended = new Promise<void>((resolve) => (end = resolve));
	const write = async (): Promise<void> => {
		written.push(name);
		if (written.length > 10) throw new Error(`${name} is written again and again.`);
		await ended;
	};
	return { write, end: () => end() };
}

it('writes one after another, each once', async () => {
	const written: string[] = [];
	const [one, two] = [heldWrite('one', written), heldWrite('two', written)];
	const queue = new WriteQueue();
	queue.add(one.write);
	queue.add(two.write);
	const flushed = queue.flush();
	two.end();
	await Promise.resolve();
	expect(written).toEqual(['one']);
	one.end();
	await inTime(flushed, 'both writes');
	expect(written).toEqual(['one', 'two']);
});

it('tries a failed write again before those after it, and tells of each outcome', async () => {
	const outcomes: unknown[] = [];
	const written: string[] = [];
	const full = new Error('The disk is full.');
	let isFull = true;
	const queue = new WriteQueue((failure) => outcomes.push(failure));
	queue.add(async () => {
		if (isFull) throw full;
		written.push('one');
	});
	queue.add(async () => void written.push('two'));
	await expect(inTime(queue.flush(), 'the failure')).rejects.toBe(full);
	await inTime(queue.settled(), 'the second try');
	expect([written, outcomes.every((outcome) => outcome === full)]).toEqual([[], true]);
	outcomes.length = 0;
	isFull = false;
	await inTime(queue.flush(), 'the third try');
	expect([written, outcomes]).toEqual([
		['one', 'two'],
		[null, null]
	]);
});

it('starts again at a flush behind a write that began on a full disk', async () => {
	const written: string[] = [];
	const held = heldWrite('one', written);
	const queue = new WriteQueue();
	let isFull = true;
	queue.add(async () => {
		const wasFull = isFull;
		await held.write();
		if (wasFull) throw new Error('The disk is full.');
	});
	isFull = false;
	const flushed = queue.flush();
	held.end();
	await inTime(flushed, 'the second try');
	expect(written).toEqual(['one', 'one']);
});

it('drops what waits when it is cleared, and writes what comes later', async () => {
	const written: string[] = [];
	const [one, two, three] = ['one', 'two', 'three'].map((name) => heldWrite(name, written));
	const queue = new WriteQueue();
	queue.add(one!.write);
	queue.add(two!.write);
	queue.clear();
	queue.add(three!.write);
	for (const each of [one, two, three]) each!.end();
	await inTime(queue.flush(), 'the writes');
	expect(written).toEqual(['one', 'three']);
	queue.add(two!.write);
	await inTime(queue.settled(), 'one more');
	expect(written).toEqual(['one', 'three', 'two']);
});
