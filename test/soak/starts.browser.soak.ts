import { expect, it } from 'vitest';
import { measureMemory, startInARow } from '#test/computer/bounds/starts.ts';
import { soak } from './size.ts';

it('1,000 starts in a row: none hangs, each is ready or names its error within 5 s', async () => {
	const { size } = soak(1_000);
	const outcomes = await startInARow(size);
	const times = outcomes.map(({ ms }) => ms).sort((a, b) => a - b);
	const failed = outcomes.filter((outcome) => outcome.failed !== undefined);
	const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
	console.log(`${size} starts: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, failed ${failed.length}`);
	expect(outcomes).toHaveLength(size);
	expect(times.at(-1)).toBeLessThan(5_000);
});

it('after 50 sandboxes opened and closed in one tab, memory is back within 5 %', async () => {
	// Data that a page keeps permanently: fetched scripts, compiled code.
	await startInARow(5);
	const before = await measureMemory();
	await startInARow(50);
	const after = await measureMemory();
	const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
	console.log(`Memory: ${megabytes(before)} MB before, ${megabytes(after)} MB after 50 sandboxes`);
	expect(after).toBeLessThan(before * 1.05);
});
