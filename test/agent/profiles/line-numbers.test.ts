import { expect, it } from 'vitest';
import { withLineNumbers } from '#agent/profiles/line-numbers.ts';
import type { ToolResult } from '#agent/tool.ts';

it('numbers the lines of a file, and leaves notices below and other results as they are', () => {
	const read = (content: string, details: unknown, more: Partial<ToolResult> = {}) =>
		withLineNumbers({ content, details, isError: false, ...more }).content;
	expect(read('a\r\nb\n\n[2 more lines]\n', { startLine: 9, outputLines: 2 })).toBe('9\ta\n10\tb\n\n[2 more lines]');
	expect(read('a\nb', { startLine: 1, outputLines: 2 })).toBe('1\ta\n2\tb');
	expect(read('a\rb\r\n\n[More]\n[below]', { startLine: 1, outputLines: 1 })).toBe('1\ta\rb\n\n[More]\n[below]');
	expect(read('', { startLine: 0, outputLines: 0 })).toBe('[The file exists and is empty.]');
	for (const details of [
		null,
		undefined,
		'text',
		{},
		{ startLine: 1 },
		{ outputLines: 1 },
		{ startLine: '1', outputLines: 1 },
		{ startLine: 1, outputLines: '1' }
	])
		expect(read('a\nb', details)).toBe('a\nb');
	const numbered = { startLine: 1, outputLines: 1 };
	expect(read('a', numbered, { isError: true })).toBe('a');
	expect(read('a', numbered, { images: [{ type: 'image', mediaType: 'image/png', data: '' }] })).toBe('a');
});
