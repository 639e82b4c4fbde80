import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoadEntry } from '#environment/contract.ts';
import { ImportTracker } from '#workspace/import/progress.ts';
import type { ImportProgress } from '#workspace/contract.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

async function* entries(...sizes: [path: string, size: number][]): AsyncGenerator<LoadEntry> {
	for (const [path, size] of sizes) yield { path, mode: 0o100644, bytes: new Uint8Array(size) };
}

async function pathsOf(counted: AsyncIterable<LoadEntry>): Promise<string[]> {
	const paths = [];
	for await (const { path } of counted) paths.push(path);
	return paths;
}

describe('progress of an import', () => {
	it('is reported at each phase, and else every 50 ms', () => {
		const reports: ImportProgress[] = [];
		vi.advanceTimersByTime(1_000);
		const tracker = new ImportTracker((progress) => reports.push(progress));
		tracker.phase('connecting');
		tracker.phase('downloading', 100);
		tracker.received(10);
		vi.advanceTimersByTime(49);
		tracker.received(10);
		expect(reports).toHaveLength(2);
		vi.advanceTimersByTime(1);
		tracker.received(10);
		tracker.phase('baseline');
		expect(reports).toEqual([
			{ phase: 'connecting', receivedBytes: 0, files: 0, elapsedMs: 0 },
			{ phase: 'downloading', receivedBytes: 0, totalBytes: 100, files: 0, elapsedMs: 0 },
			{ phase: 'downloading', receivedBytes: 30, totalBytes: 100, files: 0, elapsedMs: 50 },
			{ phase: 'baseline', receivedBytes: 30, totalBytes: 100, files: 0, elapsedMs: 50 }
		]);
	});

	it('is not reported for each file', async () => {
		const report = vi.fn();
		vi.advanceTimersByTime(1_000);
		const tracker = new ImportTracker(report);
		tracker.phase('downloading');
		await pathsOf(tracker.count(entries(['a', 1], ['b', 1], ['c', 1])));
		expect(report).toHaveBeenCalledTimes(1);
	});

	it('stops once the user cancelled', async () => {
		const controller = new AbortController();
		const tracker = new ImportTracker(undefined, controller.signal);
		tracker.check();
		const counted = tracker.count(entries(['a', 1], ['b', 1]));
		await counted.next();
		controller.abort();
		for (const act of [() => tracker.check(), () => tracker.phase('done'), () => tracker.received(1)])
			expect(act).toThrow('The import was cancelled. Nothing was imported.');
		await expect(counted.next()).rejects.toMatchObject({ code: 'cancelled' });
	});
});

describe('an import within its limit', () => {
	it('gets the chosen files and counts them', async () => {
		const tracker = new ImportTracker(undefined, undefined, 10);
		expect(await pathsOf(tracker.count(entries(['a/x', 4], ['b/y', 100], ['top', 6]), ['a']))).toEqual(['a/x', 'top']);
		expect([tracker.files, tracker.bytes]).toEqual([2, 10]);
	});

	it('beyond it passes nothing more on, and lists the folders to choose from', async () => {
		const tracker = new ImportTracker(undefined, undefined, 10);
		const taken: string[] = [];
		const read = async () => {
			for await (const { path } of tracker.count(entries(['a/x', 6], ['b/y', 5], ['c/z', 7]))) taken.push(path);
		};
		await expect(read()).rejects.toMatchObject({
			code: 'too_large',
			detail: '18 bytes',
			folders: expect.arrayContaining([expect.objectContaining({ path: 'b', files: 1, bytes: 5 })])
		});
		expect(taken).toEqual(['a/x']);
	});
});
