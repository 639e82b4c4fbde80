import { describe, expect, it } from 'vitest';
import { gitPatch } from '#workspace/patch.ts';
import { asText, lineCounts } from '#workspace/text.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('lines of a difference', () => {
	it.each([
		['', 'a\nb\n', 2, 0],
		['', 'a\nb', 2, 0],
		['a', '', 0, 1],
		['\n', '', 0, 1],
		['', '', 0, 0],
		['a\nb\nc\n', 'a\nX\nc\nd\n', 2, 1],
		['a\n', 'a\n', 0, 0]
	])('from %j to %j are %i more and %i fewer', (before, after, added, removed) => {
		expect(lineCounts(bytes(before), bytes(after))).toEqual({ added, removed, binary: false });
	});

	it('are not counted where either side is binary, by the first 8,000 bytes', () => {
		const late = (at: number) => bytes(`${'x'.repeat(at)}\0`);
		for (const [before, after] of [
			['\0', 'a'],
			['a', '\0']
		] as const)
			expect(lineCounts(bytes(before), bytes(after))).toEqual({ added: 0, removed: 0, binary: true });
		expect(asText(late(7_999))).toBeNull();
		expect(asText(late(8_000))).toHaveLength(8_001);
		expect(asText(bytes('\ufeffa'))).toBe('\ufeffa');
	});
});

describe('a patch as git has it', () => {
	const file = (text: string | null, mode = 0o100644) => ({ text, mode });

	it('of a changed file has its names, places and lines', () => {
		expect(gitPatch({ path: 'src/a', before: file('one\ntwo\n'), after: file('one\n2\n') })).toBe(
			'diff --git a/src/a b/src/a\n--- a/src/a\n+++ b/src/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n'
		);
	});

	it('says what was made, removed and made executable', () => {
		expect(gitPatch({ path: 'a', before: null, after: file('x\n', 0o100755) })).toBe(
			'diff --git a/a b/a\nnew file mode 100755\n--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n'
		);
		expect(gitPatch({ path: 'a', before: file('x\n'), after: null })).toBe(
			'diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n'
		);
		expect(gitPatch({ path: 'a', before: file('x\n'), after: file('x\n', 0o100755) })).toBe(
			'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n'
		);
		expect(gitPatch({ path: 'a', before: null, after: file('', 0o40000) })).toContain('new file mode 040000\n');
	});

	it('has no text for a file that was there for a moment', () => {
		expect(gitPatch({ path: 'a', before: null, after: null })).toBe('');
	});

	it('only names what is binary', () => {
		expect(gitPatch({ path: 'a', before: file(null), after: file('x') })).toBe(
			'diff --git a/a b/a\nBinary files a/a and b/a differ\n'
		);
		expect(gitPatch({ path: 'a', before: null, after: file(null) })).toBe(
			'diff --git a/a b/a\nnew file mode 100644\nBinary files /dev/null and b/a differ\n'
		);
		expect(gitPatch({ path: 'a', before: file('x'), after: file(null) })).toContain('Binary files a/a and b/a differ');
	});
});
