import { describe, expect, it } from 'vitest';
import { diffTexts } from '#agent/guards/diff.ts';

const lines = (count: number, text = (index: number) => `line ${index}`): string =>
	Array.from({ length: count }, (_, index) => `${text(index + 1)}\n`).join('');

describe('the difference of two texts', () => {
	it('is nothing where they are the same', () => {
		expect(diffTexts('f', 'a\n', 'a\n')).toEqual({ diff: '', added: 0, removed: 0 });
	});

	it.each([
		['a line in the middle', lines(12), lines(12, (n) => (n === 6 ? 'new' : `line ${n}`)), '@@ -2,9 +2,9 @@', 1, 1, 6],
		['the first line', lines(12), lines(12, (n) => (n === 1 ? 'new' : `line ${n}`)), '@@ -1,5 +1,5 @@', 1, 1, 1],
		['the last line', lines(12), lines(12, (n) => (n === 12 ? 'new' : `line ${n}`)), '@@ -8,5 +8,5 @@', 1, 1, 12],
		['lines added at the end', lines(12), lines(14), '@@ -9,4 +9,6 @@', 2, 0, 13],
		['lines removed at the end', lines(14), lines(12), '@@ -9,6 +9,4 @@', 0, 2, 12],
		['a line added among equal ones', 'a\na\na\n', 'a\na\na\na\n', '@@ -1,3 +1,4 @@', 1, 0, 4],
		['a whole new text', '', 'a\nb\n', '@@ -0,0 +1,2 @@', 2, 0, 1],
		['all of a text', 'a\nb\n', '', '@@ -1,2 +0,0 @@', 0, 2, 1]
	])('shows %s with four lines around it, under their numbers', (_, before, after, hunk, added, removed, first) => {
		const { diff, ...numbers } = diffTexts('src/f.ts', before, after);
		expect(diff.split('\n').slice(0, 3)).toEqual(['--- src/f.ts', '+++ src/f.ts', hunk]);
		expect(numbers).toEqual({ added, removed, firstChangedLine: first });
	});

	it('is shown line by line', () => {
		expect(diffTexts('f', 'a\nb\nc\n', 'a\nx\nc').diff).toBe(
			'--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+x\n+c\n\\ No newline at end of file\n'
		);
	});

	it('has changes that lie apart as hunks of their own', () => {
		const changed = lines(40, (n) => (n === 5 || n === 30 ? 'new' : `line ${n}`));
		const { diff, added, removed } = diffTexts('f', lines(40), changed);
		expect(diff.match(/^@@.*$/gm)).toEqual(['@@ -1,9 +1,9 @@', '@@ -26,9 +26,9 @@']);
		expect([added, removed]).toEqual([2, 2]);
	});

	it.each([
		['near the beginning', 3, '@@ -1,7 +1,7 @@'],
		['near the end', 4_998, '@@ -4994,7 +4994,7 @@']
	])('compares only what is around a change of a large file %s', (_, line, hunk) => {
		const { diff, added, removed } = diffTexts(
			'f',
			lines(5_000),
			lines(5_000, (n) => (n === line ? 'new' : `line ${n}`))
		);
		expect(diff.match(/^@@.*$/gm)).toEqual([hunk]);
		expect([added, removed]).toEqual([1, 1]);
	});

	it('counts lines that are removed among equal ones', () => {
		const { added, removed } = diffTexts('f', 'a\n'.repeat(100), 'a\n'.repeat(50));
		expect([added, removed]).toEqual([0, 50]);
	});

	it('is the block as a whole where it is of more than 4,000 lines, with context and without line ends', () => {
		const old = `same\n${lines(2_000, (n) => `old ${n}`)}end\n`;
		const now = `same\r\n${lines(2_000, (n) => `new ${n}`)}end\n`;
		const { diff, added, removed, firstChangedLine } = diffTexts('f', old, now);
		expect(diff.startsWith('--- f\n+++ f\n@@ -1,2002 +1,2002 @@\n-same\n-old 1\n')).toBe(true);
		expect(diff).toContain('\n-end\n+same\n+new 1\n');
		expect([added, removed, firstChangedLine]).toEqual([2_002, 2_002, 1]);
		// 4,000 lines are compared: equal ones among them are context.
		const half = (text: string): string =>
			`a\n${lines(998, (n) => `${text} ${n}`)}keep\n${lines(1_000, (n) => `${text} ${n}`)}`;
		expect(diffTexts('f', half('old'), half('new')).diff).toContain('\n keep\n');
	});
});
