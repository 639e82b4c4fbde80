import { describe, expect, it } from 'vitest';
import { diffColours } from '#page/highlight/diff-colours.ts';
import { highlightLines } from '#page/highlight/highlight.ts';

const words = (line: readonly { text: string; colour: string }[] | undefined) =>
	(line ?? []).filter(({ colour }) => colour !== '').map(({ text, colour }) => `${text}:${colour}`);

describe('highlightLines', () => {
	it('colours each line of a text whose language is known by its path or by name', async () => {
		const lines = await highlightLines('src/a.ts', "const a: string = 'x';\n// done\n");
		expect(lines?.map((line) => line.map(({ text }) => text).join(''))).toEqual([
			"const a: string = 'x';",
			'// done',
			''
		]);
		expect(words(lines?.[0])).toEqual(['const:tok-keyword', 'string:tok-type', "'x':tok-string"]);
		expect(words(lines?.[1])).toEqual(['// done:tok-comment']);
		expect(words((await highlightLines('python', 'def f(): pass'))?.[0])[0]).toBe('def:tok-keyword');
	});

	it('leaves a text plain that has no grammar or is too large', async () => {
		expect(await highlightLines('a.unknown', 'const a')).toBeNull();
		expect(await highlightLines('a.ts', 'a;'.repeat(40_000))).toBeNull();
	});
});

describe('diffColours', () => {
	it('parses both sides: a comment opened on the old side only colours that side', async () => {
		const colours = await diffColours('a.ts', [
			{ kind: 'same', text: 'let a;' },
			{ kind: 'removed', text: '/* old' },
			{ kind: 'removed', text: 'let b; */' },
			{ kind: 'added', text: 'let b;' },
			{ kind: 'gap', text: '' },
			{ kind: 'same', text: 'let c;' }
		]);
		expect(colours?.map(words)).toEqual([
			['let:tok-keyword'],
			['/* old:tok-comment'],
			['let b; */:tok-comment'],
			['let:tok-keyword'],
			[],
			['let:tok-keyword']
		]);
	});
});
