import { expect, it } from 'vitest';
import { StartQueue } from '../../../../src/environment/wasm/kernel/processes/start-queue.ts';

it('lets a few in at a time, in their order, and as many again when those have left', async () => {
	const queue = new StartQueue(2);
	const entered: number[] = [];
	const leave: (() => void)[] = [];
	const all = [0, 1, 2, 3, 4].map(async (each) => {
		leave[each] = await queue.enter();
		entered.push(each);
	});
	await Promise.all(all.slice(0, 2));
	expect(entered).toEqual([0, 1]);
	// Told twice, as when a worker begins and ends at once: it has left once.
	leave[1]?.();
	leave[1]?.();
	await all[2];
	expect(entered).toEqual([0, 1, 2]);
	leave[0]?.();
	leave[2]?.();
	await Promise.all(all);
	expect(entered).toEqual([0, 1, 2, 3, 4]);
});
