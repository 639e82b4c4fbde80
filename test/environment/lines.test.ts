import { expect, it } from 'vitest';
import { sliceLines, splitLines } from '#environment/lines.ts';
import fc from '#test/fast-check.ts';

it('keeps the end of each line', () => {
	expect(splitLines('')).toEqual([]);
	expect(splitLines('a\n\nb')).toEqual(['a\n', '\n', 'b']);
	expect(splitLines('a\r\n')).toEqual(['a\r\n']);
});

it('loses nothing, and cuts nowhere but behind a newline', () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom('a', '\n', '\r', 'ü', '')), (parts) => {
			const text = parts.join('');
			const lines = splitLines(text);
			expect(lines.join('')).toBe(text);
			expect(lines.slice(0, -1).filter((line) => line.indexOf('\n') !== line.length - 1)).toEqual([]);
			expect((lines.at(-1) ?? 'x').indexOf('\n')).toBeOneOf([-1, (lines.at(-1) ?? 'x').length - 1]);
		})
	);
});

it('takes the lines that a range names', () => {
	expect(sliceLines('1\n2\n3')).toBe('1\n2\n3');
	expect(sliceLines('1\n2\n3', { offset: 2 })).toBe('2\n3');
	expect(sliceLines('1\n2\n3', { offset: 2, limit: 1 })).toBe('2\n');
	expect(sliceLines('1\n2\n3', { offset: 9 })).toBe('');
});
