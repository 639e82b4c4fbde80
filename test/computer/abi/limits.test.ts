import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import {
	FILE_BYTES,
	KEPT_OUTPUT,
	PIPE_BYTES,
	PROCESSES,
	REPLY_BYTES,
	UNREAD_OUTPUT_BYTES,
	volumeBytes
} from '#computer/abi/limits.ts';

const MB = 1024 ** 2;

it('are what the documentation says', async () => {
	const text = await readFile(new URL('../../../docs/limitations.md', import.meta.url), 'utf8');
	const told =
		/quarter of the device's memory, (\d+) to (\d+) MB \((\d+) MB where .*?, (\d+) MB a file; (\d+) processes/
			.exec(text)
			?.slice(1)
			.map(Number);
	const sizes = [volumeBytes(0.25), volumeBytes(64), volumeBytes()].map((bytes) => bytes / MB);
	expect(told).toEqual([...sizes, FILE_BYTES / MB, PROCESSES]);
	expect(volumeBytes(6)).toBe(1.5 * 1024 * MB);
});

it('leave room for what a program may count on', () => {
	// Linux: pipe(7).
	expect(PIPE_BYTES).toBe(65_536);
	// The content of a full pipe is read in one reply, and printed at once.
	expect(REPLY_BYTES).toBeGreaterThan(PIPE_BYTES);
	expect(UNREAD_OUTPUT_BYTES).toBeGreaterThan(PIPE_BYTES);
	// The result of a command holds more than may be unread, and fits into a file.
	expect(KEPT_OUTPUT).toBeGreaterThan(UNREAD_OUTPUT_BYTES);
	expect(KEPT_OUTPUT).toBeLessThan(FILE_BYTES);
});
