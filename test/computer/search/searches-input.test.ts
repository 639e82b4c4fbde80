import { expect, it } from 'vitest';
import { markAbsolute, restoreRoot } from '#computer/search/absolute-paths.ts';
import { searchesInput } from '#computer/search/searches-input.ts';

it('sees whether rg is to search what is piped in', () => {
	expect(searchesInput(['x'])).toBe(true);
	expect(searchesInput(['-n', '-A', '3', 'x'])).toBe(true);
	expect(searchesInput(['-e', 'x'])).toBe(true);
	expect(searchesInput(['-e', 'x', 'src'])).toBe(false);
	expect(searchesInput(['x', 'src'])).toBe(false);
	expect(searchesInput(['--files'])).toBe(false);
	expect(searchesInput(['--glob', '*.ts', 'x'])).toBe(true);
	expect(searchesInput([])).toBe(false);
});

it('brings absolute paths through a program that has only the working directory', () => {
	const marked = markAbsolute('/workspace/src');
	expect(new TextDecoder().decode(restoreRoot(new TextEncoder().encode(`${marked}/a.ts:1:x\n`)))).toBe(
		'/workspace/src/a.ts:1:x\n'
	);
	expect(markAbsolute('/regex/')).toBe('/regex/');
});
