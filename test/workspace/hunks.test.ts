import { expect, it } from 'vitest';
import { withoutHunk } from '#workspace/hunks.ts';

const lines = (...changed: number[]): string =>
	Array.from({ length: 20 }, (_, at) => `${changed.includes(at) ? 'changed' : 'line'} ${at}\n`).join('');

it('puts back changes one by one where more than six lines lie between them', () => {
	expect(withoutHunk(lines(), lines(4, 12), 0)).toBe(lines(12));
	expect(withoutHunk(lines(), lines(4, 12), 1)).toBe(lines(4));
	expect(withoutHunk(lines(), lines(4, 11), 0)).toBe(lines());
	expect(() => withoutHunk(lines(), lines(4, 11), 1)).toThrow('no change number 2');
});

it('puts back an end without a line break, and one with it', () => {
	expect(withoutHunk('a\nb', 'a\nb\n', 0)).toBe('a\nb');
	expect(withoutHunk('a\nb\n', 'a\nb', 0)).toBe('a\nb\n');
});

it('puts back what was added to nothing, and what nothing is left of', () => {
	expect(withoutHunk('', 'a\n', 0)).toBe('');
	expect(withoutHunk('a\n', '', 0)).toBe('a\n');
});
