import { expect, it } from 'vitest';
import { buildProgress } from '#computer/build/progress-plugin.ts';

function linesOf(isTTY: boolean): string[] {
	const written: string[] = [];
	let nowMs = 1000;
	const out = { isTTY, write: (text: string) => written.push(text) };
	const plugin = buildProgress(out, () => nowMs);
	const call = (hook: unknown, ...args: unknown[]): void => void (hook as (...args: unknown[]) => void)(...args);
	call(plugin.buildStart);
	for (const id of ['/src/main.ts', '/src/computer/git/main.ts?program', '/src/app.ts']) {
		nowMs += 1000;
		call(plugin.moduleParsed, { id });
	}
	nowMs += 1;
	call(plugin.moduleParsed, { id: '/src/too-soon.ts' });
	call(plugin.closeBundle);
	return written;
}

it('shows on a terminal how many modules and programs are done, and clears the line at the end', () => {
	const clear = '\r\x1b[K';
	expect(linesOf(true)).toEqual([
		`${clear}  1 modules, 0 programs, 1 s`,
		`${clear}  2 modules, 1 programs, 2 s`,
		`${clear}  3 modules, 1 programs, 3 s`,
		clear
	]);
});

it('prints nothing into a file or a pipe', () => {
	expect(linesOf(false)).toEqual([]);
});
