import { expect, it } from 'vitest';
import { StartQueue } from '#computer/kernel/processes/start-queue.ts';

it('lets a few in at a time, in their order, and as many again when those have left', async () => {
	const queue = new StartQueue(2);
	const entered: number[] = [];
	const leave: (() => void)[] = [];
	const all = [0, 1, 2, 3, 4].map(async (each) => {
		leave[each] = await queue.enter(7);
		entered.push(each);
	});
	await Promise.all(all.slice(0, 2));
	expect(entered).toEqual([0, 1]);
	// Notified twice, as when a worker starts and ends at once: it has left once.
	leave[1]?.();
	leave[1]?.();
	await all[2];
	expect(entered).toEqual([0, 1, 2]);
	leave[0]?.();
	leave[2]?.();
	await Promise.all(all);
	expect(entered).toEqual([0, 1, 2, 3, 4]);
});

it('lets sessions in by turns, so that none waits for all of another', async () => {
	const queue = new StartQueue(1);
	const leave = await queue.enter(1);
	const entered: string[] = [];
	const all = [1, 1, 1, 2, 2].map(async (session, index) => {
		const done = await queue.enter(session);
		entered.push(`${session}:${index}`);
		done();
	});
	leave();
	await Promise.all(all);
	expect(entered).toEqual(['1:0', '2:3', '1:1', '2:4', '1:2']);
});
