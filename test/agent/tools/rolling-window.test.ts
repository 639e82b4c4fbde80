import { describe, expect, it, vi } from 'vitest';
import { RollingOutput } from '#agent/tools/rolling-output.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';

/** An output whose file is a process that keeps its input. */
function rolling(process: { write?: () => Promise<void>; exitCode?: number; start?: () => never } = {}) {
	const written: string[] = [];
	const closeInput = vi.fn(() => Promise.resolve());
	const start = vi.fn(async () => {
		process.start?.();
		return {
			write: (text: string) => (written.push(text), process.write?.() ?? Promise.resolve()),
			closeInput,
			exited: Promise.resolve({ exitCode: process.exitCode ?? 0 })
		};
	});
	const output = new RollingOutput({ start } as unknown as ExecutionEnvironment, '/tmp/whole');
	return { output, start, written, closeInput };
}

describe('the output of a command', () => {
	it.each([
		['', 0],
		['a', 1],
		['a\n', 1],
		['\n', 1],
		['a\nb', 2],
		['a\n\nb\n', 3]
	])('%j has %d lines, whatever the pieces', (text, lines) => {
		const { output } = rolling();
		for (const character of text) output.add(character);
		output.end();
		expect(output.totalLines).toBe(lines);
		expect(output.totalBytes).toBe(text.length);
		expect(output.window()).toEqual({ text, bytesBefore: 0 });
	});

	it('is kept up to its last 100,000 bytes', () => {
		const { output } = rolling();
		const line = `${'é'.repeat(49)}x\n`;
		for (let count = 0; count < 1_500; count++) output.add(line);
		expect(output.window()).toEqual({ text: line.repeat(1_000), bytesBefore: 50_000 });
		output.add(`${'z'.repeat(149_999)}\n`);
		expect(output.window()).toEqual({ text: `${'z'.repeat(99_999)}\n`, bytesBefore: 200_000 });
		expect(output.totalBytes).toBe(300_000);
	});

	it('is cut between characters only', () => {
		const { output } = rolling();
		output.add(`${'x'.repeat(4_095)}\u{1f30d}${'y'.repeat(4_096)}\n`);
		expect(output.window().text).toBe(`${'x'.repeat(4_095)}\u{1f30d}${'y'.repeat(4_096)}\n`);
		expect(output.totalBytes).toBe(4_095 + 4 + 4_096 + 1);
	});
});

describe('the file with the whole output', () => {
	it('has all from the beginning once there is more than 50,000 bytes', async () => {
		const { output, start, written, closeInput } = rolling();
		output.add(`${'x'.repeat(49_999)}\n`);
		expect(start).not.toHaveBeenCalled();
		expect(await output.wholeFile(false)).toBeUndefined();
		for (const text of ['y\n', 'z\n']) output.add(text);
		output.end();
		expect(await output.wholeFile(false)).toBe('/tmp/whole');
		expect(start.mock.calls).toEqual([['cat > /tmp/whole', { maxOutputCharacters: 0 }]]);
		expect(written.join('')).toBe(`${'x'.repeat(49_999)}\ny\nz\n`);
		expect(closeInput).toHaveBeenCalledTimes(1);
	});

	it('is written for a short output where it is needed', async () => {
		const { output, written } = rolling();
		output.add('a\n');
		expect(await output.wholeFile(true)).toBe('/tmp/whole');
		expect(written.join('')).toBe('a\n');
	});

	it('is given what comes meanwhile as one piece', async () => {
		let open: () => void = () => undefined;
		const gate = new Promise<void>((resolve) => (open = resolve));
		const { output, written } = rolling({ write: () => gate });
		output.add(`${'x'.repeat(50_000)}\n`);
		await vi.waitFor(() => expect(written).toHaveLength(1));
		for (const text of ['a\n', 'b\n', 'c\n']) output.add(text);
		open();
		expect(await output.wholeFile(false)).toBe('/tmp/whole');
		expect(written.filter(Boolean)).toEqual([`${'x'.repeat(50_000)}\n`, 'a\nb\nc\n']);
	});

	it.each([
		['a write fails', { write: () => Promise.reject(new Error('full')) }],
		['its process fails', { exitCode: 1 }],
		[
			'its process does not start',
			{
				start: () => {
					throw new Error('closed');
				}
			}
		]
	])('is not named where %s', async (_, process) => {
		const { output } = rolling(process);
		output.add(`${'x'.repeat(50_001)}\n`);
		output.add('more\n');
		expect(await output.wholeFile(false)).toBeUndefined();
	});
});
