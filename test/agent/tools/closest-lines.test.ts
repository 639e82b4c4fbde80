import { describe, expect, it } from 'vitest';
import { closestPlace, describeClosest } from '#agent/tools/closest-lines.ts';

const lines = (text: string): string[] => text.split('\n');

describe('the place closest to lines that were not found', () => {
	it.each([
		['where most of them stand', 'a\nb\nx\na\nb\nc', 'a\nb\nc\nd', { at: 3, matched: 3, of: 4 }],
		['the first of two that are as close', 'a\nx\na\ny', 'a\nb', { at: 0, matched: 1, of: 2 }],
		['spaces and typographic characters aside', 'x\n  it\u2019s  ', "it's\nz", { at: 1, matched: 1, of: 2 }],
		['empty lines aside, which stand everywhere', '\n\n\nk\n', '\n\nk', { at: 1, matched: 1, of: 1 }],
		[
			'by words where no line is the same',
			'x\nlet total = sum(a)\ny',
			'let total = add(a)',
			{ at: 1, matched: 0, of: 1 }
		],
		[
			'by the words of the longest line, with the lines before it',
			'one\ntwo\nconst result = await fetch(url)',
			'q\nw\nconst result = await load(url)',
			{ at: 0, matched: 0, of: 3 }
		],
		[
			'at the first line where the longest would begin before it',
			'const result = await fetch(url)',
			'q\nconst result = await load(url)',
			{ at: 0, matched: 0, of: 2 }
		],
		['the line with most words in common', 'a b x y\na b c y\na b x z', 'a b c d', { at: 1, matched: 0, of: 1 }],
		['none where a third of the words or less are shared', 'a x y\nq', 'a b c', undefined],
		['none for lines without text', 'a\nb', '\n  \n', undefined],
		['none in an empty file', '', 'a b c', undefined]
	])('is %s', (_, file, wanted, place) => {
		expect(closestPlace(lines(file), lines(wanted))).toEqual(place);
	});

	it('is judged by the first five hundred characters of a line', () => {
		const shared = 'word '.repeat(100);
		expect(closestPlace([`${shared}${'tail '.repeat(3_000)}`], [`${shared}${'other '.repeat(300)}`])).toEqual({
			at: 0,
			matched: 0,
			of: 1
		});
	});

	it('is judged by the first twenty-four lines', () => {
		const wanted = Array.from({ length: 30 }, (_, index) => `line ${index}`);
		expect(closestPlace(wanted, wanted)).toEqual({ at: 0, matched: 24, of: 24 });
	});

	it('is described by its number and its lines as they stand in the file', () => {
		expect(describeClosest(lines('x\n  one\nTWO\nz'), lines('one\ntwo'))).toBe(
			' The closest place is line 2, where 1 of 2 lines match. It reads:\n  one\nTWO\n'
		);
		expect(describeClosest(lines('x\nlet a = b(c)'), lines('let a = d(c)'))).toBe(
			' The closest place is line 2, which reads alike. It reads:\nlet a = b(c)\n'
		);
		expect(describeClosest(['a'], ['b'])).toBe('');
	});

	it('is shown with at most twelve lines and 1,500 characters', () => {
		const many = Array.from({ length: 20 }, (_, index) => `line ${index}`);
		expect(describeClosest(many, many)).toMatch(/line 11\n$/);
		const long = `${'x'.repeat(2_000)}`;
		expect(describeClosest([long], [long])).toBe(
			` The closest place is line 1, where 1 of 1 lines match. It reads:\n${'x'.repeat(1_500)}\n`
		);
	});
});
