import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import { Updates } from '#workspace/updates.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Updates of files that change when the test says so, and the times they were received. Those in `out` are ignored. */
function watched() {
	const listeners = new Set<(change: FileChange) => void>();
	const environment = {
		onChange: (listener: (change: FileChange) => void) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		}
	} as unknown as ExecutionEnvironment;
	const updates = new Updates(environment, ({ path }) => path.startsWith('out/'));
	const startMs = performance.now();
	const heardMs: number[] = [];
	const stop = updates.listen(() => heardMs.push(performance.now() - startMs));
	const change = (path = 'a'): void =>
		listeners.forEach((listener) => listener({ seq: 1, kind: 'write', mode: 0o100644, path }));
	return { updates, change, heardMs, stop, listeners };
}

/** Work whose end is controlled by the test. */
function pendingWork() {
	let [end, fail]: [() => void, (error: Error) => void] = [() => {}, () => {}];
	const work = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
	return { work, end: () => end(), fail: () => fail(new Error('failed')) };
}

describe('changes of files', () => {
	it('are told once a burst, 100 ms after its first', async () => {
		const { change, heardMs } = watched();
		change();
		await vi.advanceTimersByTimeAsync(99);
		change();
		expect(heardMs).toEqual([]);
		await vi.advanceTimersByTimeAsync(2_000);
		expect(heardMs).toEqual([100]);
	});

	it('are told less and less often while they go on, and soon again after a pause', async () => {
		const { change, heardMs } = watched();
		for (let ms = 0; ms < 3_000; ms += 10) {
			change();
			await vi.advanceTimersByTimeAsync(10);
		}
		const gaps = heardMs.map((ms, index) => ms - (heardMs[index - 1] ?? 0));
		expect(gaps).toEqual([100, 200, 400, 800, 800]);
		await vi.advanceTimersByTimeAsync(1_000);
		change();
		await vi.advanceTimersByTimeAsync(1_000);
		expect(heardMs.at(-1)).toBe(4_100);
	});

	it('are told after 3 s where they are to ignored files, and at once with the first that is not', async () => {
		const { change, heardMs } = watched();
		change('out/a');
		await vi.advanceTimersByTimeAsync(2_000);
		change('out/b');
		await vi.advanceTimersByTimeAsync(2_000);
		expect(heardMs).toEqual([3_000]);
		change('out/c');
		await vi.advanceTimersByTimeAsync(1_000);
		change('a');
		change('out/d');
		await vi.advanceTimersByTimeAsync(5_000);
		expect(heardMs).toEqual([3_000, 5_100]);
	});

	it('that follow after just 100 ms are a burst of their own', async () => {
		const { change, heardMs } = watched();
		change();
		await vi.advanceTimersByTimeAsync(200);
		change();
		await vi.advanceTimersByTimeAsync(100);
		expect(heardMs).toEqual([100, 300]);
	});

	it('wait for the work that the last notification began, and then for as long as it took', async () => {
		const { updates, change, heardMs } = watched();
		const { work, end } = pendingWork();
		updates.hold(work);
		change();
		await vi.advanceTimersByTimeAsync(400);
		expect(heardMs).toEqual([]);
		end();
		await vi.advanceTimersByTimeAsync(299);
		change();
		expect(heardMs).toEqual([]);
		await vi.advanceTimersByTimeAsync(2_000);
		expect(heardMs).toEqual([700]);
	});

	it('do not wait for work that has ended, in whatever way', async () => {
		const { updates, change, heardMs } = watched();
		const [done, failed] = [pendingWork(), pendingWork()];
		updates.hold(done.work);
		updates.hold(failed.work);
		done.end();
		failed.fail();
		await vi.advanceTimersByTimeAsync(0);
		change();
		await vi.advanceTimersByTimeAsync(100);
		expect(heardMs).toEqual([100]);
	});

	it('are told at once where that is asked for, and not again for the same burst', async () => {
		const { updates, change, heardMs } = watched();
		change();
		await vi.advanceTimersByTimeAsync(50);
		updates.notify();
		await vi.advanceTimersByTimeAsync(1_000);
		expect(heardMs).toEqual([50]);
		const { work, end } = pendingWork();
		updates.hold(work);
		change();
		await vi.advanceTimersByTimeAsync(150);
		updates.notify();
		end();
		await vi.advanceTimersByTimeAsync(1_000);
		expect(heardMs).toEqual([50, 1_200]);
	});

	it('are not heard by who has stopped listening, nor by anyone after the end', async () => {
		const { updates, change, heardMs, stop, listeners } = watched();
		const other = vi.fn();
		updates.listen(other);
		stop();
		updates.notify();
		expect([heardMs.length, other.mock.calls.length]).toEqual([0, 1]);
		change();
		updates.close();
		expect(vi.getTimerCount()).toBe(0);
		await vi.advanceTimersByTimeAsync(1_000);
		expect(listeners.size).toBe(0);
		updates.notify();
		expect(other).toHaveBeenCalledTimes(1);
	});

	it('that still waited for work are not told after the end', async () => {
		const { updates, change } = watched();
		const { work, end } = pendingWork();
		updates.hold(work);
		change();
		await vi.advanceTimersByTimeAsync(150);
		updates.close();
		end();
		await vi.advanceTimersByTimeAsync(0);
		expect(vi.getTimerCount()).toBe(0);
	});
});
