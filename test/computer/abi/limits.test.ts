import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import {
	FILE_BYTES,
	KEPT_OUTPUT,
	PIPE_BYTES,
	PROCESSES,
	REPLY_BYTES,
	UNREAD_OUTPUT_BYTES,
	VOLUME_BYTES
} from '#computer/abi/limits.ts';

const MB = 1024 ** 2;

it('are what the documentation says', async () => {
	const text = await readFile(new URL('../../../docs/limitations.md', import.meta.url), 'utf8');
	const told = /(\d+) MB of files, (\d+) MB a file, (\d+) processes/.exec(text)?.slice(1).map(Number);
	expect(told).toEqual([VOLUME_BYTES / MB, FILE_BYTES / MB, PROCESSES]);
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
