import { nameText } from '../diff/lines.ts';
import type { FilePatch, PatchHunk } from './file-patch.ts';

/** Text of a `.rej` file: the hunks that could not be applied. Binary text. */
export function rejectText({ newPath }: FilePatch, hunks: readonly PatchHunk[]): string {
	const name = nameText(newPath);
	return `diff a/${name} b/${name}\t(rejected hunks)\n${hunks.map(hunkText).join('')}`;
}

function hunkText({ oldStart, newStart, lines }: PatchHunk): string {
	const count = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length;
	const range = (start: number, size: number) => (size === 1 ? String(start) : `${start},${size}`);
	const head = `@@ -${range(oldStart, count('+'))} +${range(newStart, count('-'))} @@\n`;
	return head + lines.map((line) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)).join('');
}
