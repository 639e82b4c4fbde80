import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { byteLength, cutLine, cutPage, cutTail, formatSize, PI_PAGE, trimStartTo } from '#agent/tools/page.ts';

const lines = (count: number, text = (index: number) => `line ${index + 1}`): string[] =>
	Array.from({ length: count }, (_, index) => text(index));
const head = (shown: string[], limits: Partial<typeof PI_PAGE> = {}) =>
	cutPage(shown, { ...PI_PAGE, ...limits }, 1, shown.length, 'a.txt');
const KB = 'x'.repeat(1_023);

describe('the first lines of a text', () => {
	it('are all of a small one [J.8-1.1]', () => {
		const small = lines(10, () => '123456789');
		expect(head(small)).toEqual({ lines: small });
	});

	it('are 2,000 of more [J.8-1.2]', () => {
		const cut = head(lines(2_500), { maxLines: 2_000 });
		expect(cut).toMatchObject({ truncatedBy: 'lines' });
		expect(cut.lines).toEqual(lines(2_000));
	});

	it('are as many whole ones as the bytes allow [J.8-1.3]', () => {
		const cut = head(
			lines(100, () => KB),
			{ maxBytes: 50_000 }
		);
		expect(cut.truncatedBy).toBe('bytes');
		expect(cut.lines).toHaveLength(48);
	});

	it('are none where the first alone is too long [J.8-1.4]', () => {
		const cut = head(['y'.repeat(60_000), 'next']);
		expect(cut).toMatchObject({ lines: [], firstLineExceedsLimit: true, truncatedBy: 'bytes' });
		expect(cut.notice).toContain('58.6KB');
	});

	it('are the one empty line of an empty text [J.8-1.5]', () => {
		expect(head([''])).toEqual({ lines: [''] });
	});
});

describe('the notice below the first lines', () => {
	it('says which they are and how to go on', () => {
		const limits = { maxLines: 2, maxBytes: 1_000 };
		expect(cutPage(['a', 'b', 'c'], limits, 5, 9, 'f')).toEqual({
			lines: ['a', 'b'],
			truncatedBy: 'lines',
			notice: '[Showing lines 5-6 of 9. Use offset=7 to continue.]'
		});
	});

	it('names the limit where bytes cut them', () => {
		const long = ['x'.repeat(511), 'y'.repeat(511), 'z'];
		expect(cutPage(long, { maxLines: 9, maxBytes: 1_024 }, 1, 3, 'f')).toEqual({
			lines: long.slice(0, 2),
			truncatedBy: 'bytes',
			notice: '[Showing lines 1-2 of 3 (1.0KB limit). Use offset=3 to continue.]'
		});
	});

	it('counts the line ends between them, and comes after long lines are cut', () => {
		expect(head(['ab', 'cd'], { maxBytes: 5 }).lines).toEqual(['ab', 'cd']);
		expect(head(['ab', 'cd'], { maxBytes: 4 }).lines).toEqual(['ab']);
		expect(head(['a'.repeat(6), 'b'], { maxLineCharacters: 4 })).toEqual({ lines: ['aaaa... [truncated]', 'b'] });
	});
});

describe('the last lines of a text', () => {
	it('are counted with the line ends between them', () => {
		expect(cutTail('ab\ncd', { maxLines: 9, maxBytes: 5 }).text).toBe('ab\ncd');
		expect(cutTail('ab\ncd', { maxLines: 9, maxBytes: 4 }).text).toBe('cd');
		expect(cutTail('a\nb\ncdefg', { maxLines: 9, maxBytes: 4 })).toMatchObject({ text: 'defg', firstLine: 3 });
		expect(cutTail('a\n\n\n', { maxLines: 9, maxBytes: 2 })).toMatchObject({ text: '\n', firstLine: 2 });
	});

	it('that are cut in a line begin at a character', () => {
		expect(trimStartTo('éb', 2)).toBe('b');
		expect(trimStartTo('éb', 3)).toBe('éb');
		expect(trimStartTo('你', 2)).toBe('');
		expect(trimStartTo('ab', 9)).toBe('ab');
	});

	it('are all of a small one [J.8-2.1]', () => {
		const small = `${lines(10).join('\n')}\n`;
		expect(cutTail(small, PI_PAGE)).toEqual({ text: small, truncated: false, firstLine: 1, totalLines: 10 });
		expect(cutTail('', PI_PAGE)).toEqual({ text: '', truncated: false, firstLine: 1, totalLines: 0 });
	});

	it('are 2,000 of more [J.8-2.2]', () => {
		const cut = cutTail(lines(3_000).join('\n'), PI_PAGE);
		expect(cut).toMatchObject({ truncated: true, firstLine: 1_001, totalLines: 3_000 });
		expect(cut.text.split('\n')).toEqual(lines(3_000).slice(1_000));
	});

	it('are as many whole ones as the bytes allow [J.8-2.3]', () => {
		const cut = cutTail(lines(100, () => KB).join('\n'), { maxLines: 2_000, maxBytes: 50_000 });
		expect(cut).toMatchObject({ truncated: true, firstLine: 53 });
		expect(byteLength(cut.text)).toBe(48 * 1_024 - 1);
	});

	it('begin at a character where the last one alone is too long [J.8-2.4]', () => {
		const text = `before\n${'你好🌍'.repeat(20_000)}`;
		const cut = cutTail(text, PI_PAGE);
		expect(cut).toMatchObject({ truncated: true, lastLinePartial: true, firstLine: 2 });
		expect(cut.text).not.toContain('\ufffd');
		expect(text.endsWith(cut.text)).toBe(true);
		expect(byteLength(cut.text)).toBeGreaterThan(PI_PAGE.maxBytes - 4);
		expect(byteLength(cut.text)).toBeLessThanOrEqual(PI_PAGE.maxBytes);
	});

	it('are all of a text that has just the limit, and not of one that has a line or a byte more [J.8-2.5]', () => {
		const limits = { maxLines: 2_000, maxBytes: 50_000 };
		const whole = (text: string): boolean =>
			!cutTail(text, limits).truncated && !head(text.split('\n'), limits).truncatedBy;
		expect(whole(lines(2_000, () => 'x').join('\n'))).toBe(true);
		expect(whole(lines(2_001, () => 'x').join('\n'))).toBe(false);
		expect(whole(lines(50, () => 'x'.repeat(999)).join('\n') + 'x')).toBe(true);
		expect(whole(lines(50, () => 'x'.repeat(999)).join('\n') + 'xx')).toBe(false);
		expect(whole('z'.repeat(50_000))).toBe(true);
		expect(whole('z'.repeat(50_001))).toBe(false);
	});
});

describe('a line', () => {
	it('stays as it is up to the limit [J.8-3.1]', () => {
		for (const length of [0, 100, 500]) expect(cutLine('a'.repeat(length), 500)).toBe('a'.repeat(length));
	});

	it('is cut beyond it, and says so [J.8-3.2]', () => {
		expect(cutLine('a'.repeat(800), 500)).toBe(`${'a'.repeat(500)}... [truncated]`);
	});

	it('loses the whole of a pair at the limit, and nothing before it', () => {
		expect(cutLine('a\u{10ffff}bcd', 2)).toBe('a... [truncated]');
		expect(cutLine('a\u{10000}bcd', 3)).toBe('a\u{10000}... [truncated]');
	});

	it('is never cut inside a character', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(40), (text, length) => {
				expect(cutLine(text, length)).not.toMatch(/\p{Surrogate}/u);
			})
		);
	});
});

it.each([
	[0, '0B'],
	[1_023, '1023B'],
	[1_024, '1.0KB'],
	[1_048_575, '1024.0KB'],
	[1_048_576, '1.0MB'],
	[1_572_864, '1.5MB']
])('%d bytes are shown as %s', (bytes, size) => expect(formatSize(bytes)).toBe(size));
