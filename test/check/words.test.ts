import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { comments, findWords } from './words.mjs';

/** Findings in a source, with docblock openings. */
function check(source: string): string[] {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-words-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const file = path.join(folder, 'source.ts');
	writeFileSync(file, source);
	return findWords([file], folder, { openings: true });
}

it('finds the words that plain English has better ones for, in comments only', () => {
	// Inserted, so that this file does not contain such a comment itself.
	const word = 'told';
	expect(
		check(`// The caller is ${word}.\nconst ${word} = "${word}"; // ${word} at https://${word}.example\n`)
	).toEqual(['source.ts:1: “told”: write notified, reported', 'source.ts:2: “told”: write notified, reported']);
	expect(check('const url = "https://nobody.example";\n')).toEqual([]);
	expect(check('/*\n * Nobody waits.\n */\n')).toHaveLength(1);
	expect(check('<!-- Whoever clicks here. -->\n')).toHaveLength(1);
});

it('finds docblocks that begin with no verb or noun', () => {
	expect(
		check('/** Where it happens. */\nconst a = 1;\n/**\n * Whether it is so.\n * Where it is goes on.\n */\n')
	).toEqual([
		'source.ts:1: a docblock begins with a verb or a noun, not with “Where”',
		'source.ts:4: a docblock begins with a verb or a noun, not with “Whether”'
	]);
	expect(check('/** Place where it happens. */\n// Where it happens.\n')).toEqual([]);
});

it('reads the comments of a source line by line', () => {
	expect(comments('/** First.\n * Second. */\ncode(); // third\n')).toEqual([
		{ text: 'First.', line: 1, opens: true },
		{ text: 'Second.', line: 2, opens: false },
		{ text: 'third', line: 3, opens: false }
	]);
});
