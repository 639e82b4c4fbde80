import { describe, expect, it } from 'vitest';
import { asciiForm, exactSpace, fuzzySpace, fuzzyText, lineFeeds, trimSpaces } from '#agent/tools/edit-space.ts';

/** Every character of a space with the corresponding part of the original. */
function pieces(original: string, space: ReturnType<typeof exactSpace>): [string, string][] {
	return [...space.text].map((character, index) => [character, original.slice(space.start(index), space.end(index))]);
}

describe('a text whose line ends alone are evened out', () => {
	it('is itself where it has line feeds only', () => {
		expect(exactSpace('a \u2019\nb')).toMatchObject({ text: 'a \u2019\nb' });
		expect(pieces('a\nb', exactSpace('a\nb'))).toEqual([
			['a', 'a'],
			['\n', '\n'],
			['b', 'b']
		]);
	});

	it('finds each character again, with a carriage return as a part of its line end', () => {
		const original = 'a \r\n\u201cb\rc\n';
		const space = exactSpace(original);
		expect(space.text).toBe('a \n\u201cb\nc\n');
		expect(pieces(original, space)).toEqual([
			['a', 'a'],
			[' ', ' '],
			['\n', '\r\n'],
			['\u201c', '\u201c'],
			['b', 'b'],
			['\n', '\r'],
			['c', 'c'],
			['\n', '\n']
		]);
	});
});

describe('a text of which spaces, quotes and dashes are evened out', () => {
	it.each([
		['spaces at the end of a line', 'a  \nb\t\n', 'a\nb\n'],
		['spaces at the end of the text', 'a\nb \t', 'a\nb'],
		['spaces before a carriage return', 'a \r\nb', 'a\nb'],
		['form feeds and vertical tabs at the end', 'a\f\v\nb', 'a\nb'],
		['a line of spaces alone', 'a\n \t \nb', 'a\n\nb'],
		['spaces within and before a line, which stay', '  a  b\n\tc', '  a  b\n\tc'],
		['single quotes', '\u2018a\u2019 \u201ab\u201b', "'a' 'b'"],
		['double quotes', '\u201ca\u201d \u201eb\u201f', '"a" "b"'],
		['dashes and minus', 'a\u2010b\u2015c\u2212d', 'a-b-c-d'],
		['spaces of other widths', 'a\u00a0b\u2002c\u200ad\u202fe\u205ff\u3000g', 'a b c d e f g'],
		['other spaces at the end of a line', 'a\u00a0\u3000\nb', 'a\nb']
	])('has %s evened out', (_, original, evened) => {
		expect(fuzzySpace(original).text).toBe(evened);
	});

	it('finds each character again', () => {
		const original = 'a\u00a0 \r\n\u201cb\u201d';
		expect(pieces(original, fuzzySpace(original))).toEqual([
			['a', 'a'],
			['\n', '\r\n'],
			['"', '\u201c'],
			['b', 'b'],
			['"', '\u201d']
		]);
	});

	it('keeps the spaces at the end of the text that is looked for, since the line may go on there', () => {
		expect(fuzzyText('a  \r\nb\u00a0 ')).toBe('a\nb  ');
		expect(fuzzyText('a \n')).toBe('a\n');
	});
});

it('evens out line ends, typographic characters and trailing spaces, each by itself', () => {
	expect(lineFeeds('a\r\nb\rc\nd')).toBe('a\nb\nc\nd');
	expect(asciiForm('\u2018\u201c\u2014\u00a0')).toBe(`'"- `);
	expect(trimSpaces(' a \t\f\v')).toBe(' a');
	expect(trimSpaces('a\u00a0')).toBe('a\u00a0');
	expect(trimSpaces('a\n')).toBe('a\n');
	expect(trimSpaces(' \t')).toBe('');
});
