import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findLongFunctions, functionLengths, MAX_FUNCTION_LINES } from './function-lengths.mjs';

const statements = (count: number): string => 'work();\n'.repeat(count);

it('counts the lines of code of a function, and not those of what it nests', () => {
	const source = [
		'function outer() {',
		'\t// A comment.',
		'',
		'\tconst inner = () => {',
		'\t\twork();',
		'\t};',
		'\tconst table = {',
		"\t\tname: 'value',",
		'\t\tlist: [1, 2]',
		'\t};',
		'\tconst made = {',
		'\t\tname: work()',
		'\t};',
		'}'
	].join('\n');
	expect(functionLengths(source)).toEqual([
		{ name: 'outer', line: 1, lines: 7 },
		{ name: 'inner', line: 4, lines: 3 }
	]);
});

it('finds functions that are too long, in modules and in components', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-functions-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const files = {
		'fits.ts': `function fits() {\n${statements(MAX_FUNCTION_LINES - 2)}}\n`,
		'reason.ts': `/** Mixes. @inOnePiece calls cost half the speed */\nfunction mix() {\n${statements(MAX_FUNCTION_LINES)}}\n`,
		'noReason.ts': `/** @inOnePiece */\nfunction mix() {\n${statements(MAX_FUNCTION_LINES)}}\n`,
		'long.ts': `\nfunction long() {\n${statements(MAX_FUNCTION_LINES - 1)}}\n`,
		'Long.svelte': `<p>Text</p>\n<script lang="ts">\nfunction long() {\n${statements(MAX_FUNCTION_LINES)}}\n</script>\n`
	};
	for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
	const paths = Object.keys(files).map((name) => path.join(folder, name));
	expect(findLongFunctions(paths, folder)).toEqual([
		`noReason.ts:2: mix has ${MAX_FUNCTION_LINES + 2} lines`,
		`long.ts:2: long has ${MAX_FUNCTION_LINES + 1} lines`,
		`Long.svelte:3: long has ${MAX_FUNCTION_LINES + 2} lines`
	]);
});
