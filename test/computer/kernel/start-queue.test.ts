import { afterEach, expect, it, vi } from 'vitest';
import { StartQueue } from '#computer/kernel/processes/start-queue.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Resolves once everything that does not have to wait has continued. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Starts that enter a queue, each with its session; they leave when the test says so. */
function starts(queue: StartQueue, sessions: readonly number[]) {
	const entered: string[] = [];
	const leave: (() => void)[] = [];
	sessions.forEach((session, index) => {
		void queue.enter(session).then((done) => {
			leave[index] = done;
			entered.push(`${session}:${index}`);
		});
	});
	return { entered, leave: (index: number) => leave[index]?.() };
}

it('lets a few in at a time, in their order, and as many again when those have left', async () => {
	const { entered, leave } = starts(new StartQueue(2), [7, 7, 7, 7, 7]);
	await settled();
	expect(entered).toEqual(['7:0', '7:1']);
	// Notified twice, as when a worker starts and ends at once: it only leaves once.
	leave(1);
	leave(1);
	await settled();
	expect(entered).toEqual(['7:0', '7:1', '7:2']);
	leave(0);
	leave(2);
	await settled();
	expect(entered).toEqual(['7:0', '7:1', '7:2', '7:3', '7:4']);
});

it('has room again for as many as have left while nobody waited', async () => {
	const queue = new StartQueue(2);
	const first = starts(queue, [1, 1]);
	await settled();
	first.leave(0);
	first.leave(0);
	first.leave(1);
	const second = starts(queue, [1, 1, 1]);
	await settled();
	expect(second.entered).toEqual(['1:0', '1:1']);
});

it('lets sessions in by turns, so that none waits for all of another', async () => {
	const queue = new StartQueue(1);
	const leave = await queue.enter(1);
	const waiting = starts(queue, [1, 1, 1, 2, 2]);
	leave();
	for (const next of [0, 3, 1, 4, 2]) {
		await settled();
		waiting.leave(next);
	}
	expect(waiting.entered).toEqual(['1:0', '2:3', '1:1', '2:4', '1:2']);
});

it('lets in a session that came when the last of another had gone in', async () => {
	const queue = new StartQueue(1);
	const leave = await queue.enter(1);
	const first = starts(queue, [1]);
	leave();
	await settled();
	const second = starts(queue, [2]);
	await settled();
	expect([first.entered, second.entered]).toEqual([['1:0'], []]);
	first.leave(0);
	await settled();
	expect(second.entered).toEqual(['2:0']);
});

it('lets at least four in at once where nothing else is said', async () => {
	const { entered } = starts(new StartQueue(), [1, 1, 1, 1]);
	await settled();
	expect(entered).toHaveLength(4);
});

it.each([
	[8, 16],
	[1, 4],
	[undefined, 4]
])('lets twice as many in as there are cores: %j', async (hardwareConcurrency, atOnce) => {
	vi.stubGlobal('navigator', hardwareConcurrency === undefined ? undefined : { hardwareConcurrency });
	vi.resetModules();
	const { StartQueue: Queue } = await import('#computer/kernel/processes/start-queue.ts');
	const { entered } = starts(new Queue(), Array(20).fill(1));
	await settled();
	expect(entered).toHaveLength(atOnce);
});
