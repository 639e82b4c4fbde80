import { describe, expect, it } from 'vitest';
import { applyHunks } from '#agent/tools/apply-patch/match.ts';
import { parsePatch } from '#agent/tools/apply-patch/parse.ts';

/** Applies the hunks of one update, given as its lines. */
function patched(before: string, lines: string[], maxFuzz?: number): string {
	const [operation] = parsePatch(['*** Begin Patch', '*** Update File: f', ...lines, '*** End Patch'].join('\n'));
	if (operation?.kind !== 'update') throw new Error('It is no update.');
	try {
		return applyHunks(before, operation.hunks, 'f', maxFuzz);
	} catch (error) {
		expect(error).toMatchObject({ name: 'ToolError' });
		return error instanceof Error ? error.message : '';
	}
}

describe('hunks', () => {
	it.each([
		['at their first place', 'x\nx\n', ['@@', '-x', '+y'], 'y\nx\n'],
		['each behind the one before', 'x\nx\nx\n', ['@@', '-x', '+1', '@@', '-x', '+2'], '1\n2\nx\n'],
		['behind the line they name', 'x\ndef f\nx\n', ['@@ def f', '-x', '+y'], 'x\ndef f\ny\n'],
		['behind each line they name in turn', 'f\nx\nA\nf\nx\n', ['@@ A', '@@ f', '-x', '+y'], 'f\nx\nA\nf\ny\n'],
		['behind a line of which they name a part', 'x\n  def f(a):\nx\n', ['@@ f(a)', '-x', '+y'], 'x\n  def f(a):\ny\n'],
		['also at the line they name', 'def f\nx\n', ['@@ def f', ' def f', '-x', '+y'], 'def f\ny\n'],
		['at the end where they say so', 'x\ny\nx\n', ['@@', '-x', '+z', '*** End of File'], 'x\ny\nz\n'],
		['elsewhere where the end is another', 'x\ny\n', ['@@', '-x', '+z', '*** End of File'], 'z\ny\n'],
		[
			'elsewhere where only a part of the end is the same',
			'a\nq\nb\nq\n',
			['@@', '-a', '-q', '+z', '*** End of File'],
			'z\nb\nq\n'
		],
		['at the only line where the end is the beginning', 'x\n', ['@@', '-x', '+z', '*** End of File'], 'z\n'],
		['without an empty last line that the file has not', 'a\nb\n', ['@@', ' a', '-b', '+c', ' '], 'a\nc\n'],
		['with an empty line that is wanted between', 'a\n', ['@@', ' a', ' ', '+b'], 'a\n\nb\n'],
		['additions at the end of the file', 'a\nb\n', ['@@', '+c'], 'a\nb\nc\n'],
		['additions behind the line they name', 'a\nb\n', ['@@ a', '+c'], 'a\nc\nb\n'],
		['additions at the end although they name a line', 'a\nb\n', ['@@ a', '+c', '*** End of File'], 'a\nb\nc\n'],
		['additions to an empty file', '', ['@@', '+a', '+b'], 'a\nb\n'],
		['a change before additions that stand first in the patch', 'a\nb\n', ['@@', '+c', '@@', '-a', '+A'], 'A\nb\nc\n'],
		['additions at one place in their order', 'a\n', ['@@', '+b', '@@', '+c'], 'a\nb\nc\n'],
		['removals alone', 'a\nb\nc\n', ['@@', ' a', '-b', ' c'], 'a\nc\n'],
		['changes apart in one hunk', 'a\nb\nc\nd\n', ['@@', '-a', '+A', ' b', '-c', '+C', ' d'], 'A\nb\nC\nd\n'],
		['additions between lines that stay', 'a\nb\n', ['@@', ' a', '+x', '+y', ' b'], 'a\nx\ny\nb\n'],
		['additions before their removals', 'a\nb\n', ['@@', '+x', '-a', ' b'], 'x\nb\n'],
		['the last line, without a line end', 'a\nb', ['@@', '-b', '+c'], 'a\nc\n'],
		['lines behind one without a line end', 'a', ['@@', ' a', '+b'], 'a\nb\n'],
		['in the line ends of the file', 'a\r\nb\r\n', ['@@', '-a', '+x', '+y'], 'x\r\ny\r\nb\r\n'],
		['behind a byte order mark', '\ufeffa\nb\n', ['@@', '-a', '+x'], '\ufeffx\nb\n'],
		['a line without its end in a file of others', 'a\r\nb', ['@@', ' b', '+c'], 'a\r\nb\r\nc\r\n'],
		['spaces at line ends aside', 'a  \nb\t\n', ['@@', ' a', '-b', '+c'], 'a  \nc\n'],
		['spaces at line beginnings aside', '\ta\n  b\n', ['@@', ' a', '-b', '+c'], '\ta\nc\n'],
		['typographic characters aside', 'it\u2019s\nb\n', ['@@', " it's", '-b', '+c'], 'it\u2019s\nc\n'],
		['where they match best', ' a\na\n', ['@@', '-a', '+b'], ' a\nb\n']
	])('apply %s', (_, before, lines, after) => {
		expect(patched(before, lines)).toBe(after);
	});

	it.each([
		[0, 'a \n', 'match only loosely, at line 1'],
		[1, 'a \n', 'b\n'],
		[1, ' a\n', 'match only loosely, at line 1'],
		[2, ' a\n', 'b\n'],
		[2, '\u00a0\u2014\na\u2019\n', 'match only loosely, at line 2'],
		[3, '\u00a0\u2014\na\u2019\n', '\u00a0\u2014\nb\n']
	])('take no more differences than they may: %i', (maxFuzz, before, result) => {
		const old = before.includes('\u2019') ? "a'" : 'a';
		expect(patched(before, ['@@', `-${old}`, '+b'], maxFuzz)).toContain(result);
	});

	it('say which hunk matches only loosely, and what to do', () => {
		expect(patched('x\n a\n', ['@@', '-x', '+y', '@@', '-a', '+b'], 0)).toBe(
			'The lines of hunk 2 of 2 in f match only loosely, at line 2. Read the file again and give the context as it is there.'
		);
	});

	it('say which lines were not found, with the closest place', () => {
		expect(patched('one\ntwo\nthree\n', ['@@', ' one', '-zwei', '+2'])).toBe(
			'Could not find the lines of hunk 1 of 1 in f:\none\nzwei\n The closest place is line 1, where 1 of 2 lines match. It reads:\none\ntwo\n Read the file again and give the lines as they are there.'
		);
		expect(patched('one\n', ['@@', '-q', '+2'])).toBe(
			'Could not find the lines of hunk 1 of 1 in f:\nq\n Read the file again and give the lines as they are there.'
		);
	});

	it('say when they stand before the hunk above', () => {
		expect(patched('a\nb\n', ['@@', '-b', '+B', '@@', '-a', '+A'])).toContain(
			' They stand at line 1, before the hunk above: put the hunks in the order of the file. Read the file again'
		);
		expect(patched('a\nb\n', ['@@', '-c', '+C'])).not.toContain('They stand');
	});

	it('say which line to look for first is not there', () => {
		expect(patched('def f(x):\n  a\n', ['@@ def f(y):', '-a', '+b'])).toBe(
			'Could not find the line "def f(y):" for hunk 1 of 1 in f. The closest place is line 1, which reads alike. It reads:\ndef f(x):\n Read the file again and correct the @@ line.'
		);
		// The line is searched for only after the previous hunk.
		expect(patched('f\na\nb\n', ['@@', '-a', '+A', '@@ f', '-b', '+B'])).toContain('Could not find the line "f"');
	});
});
