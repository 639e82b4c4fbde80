import type { StructuredPatchHunk } from 'diff';

/** The hunks of `diff -c`: the old lines, then the new ones, what changed marked in each. */
export const contextOutput = (hunks: readonly StructuredPatchHunk[]): string => hunks.map(hunkText).join('');

interface Line {
	sign: string;
	text: string;
}

function hunkText(hunk: StructuredPatchHunk): string {
	const [before, after] = sidesOf(hunk.lines);
	const range = (start: number, size: number): string =>
		size > 1 ? `${start},${start + size - 1}` : String(size === 0 ? start - 1 : start);
	const shown = (lines: readonly Line[]): string =>
		lines.some(({ sign }) => sign !== ' ') ? lines.map(({ sign, text }) => `${sign} ${text}\n`).join('') : '';
	return (
		`***************\n*** ${range(hunk.oldStart, hunk.oldLines)} ****\n${shown(before)}` +
		`--- ${range(hunk.newStart, hunk.newLines)} ----\n${shown(after)}`
	);
}

/** A run of lines that go and come is a change on both sides. */
function sidesOf(lines: readonly string[]): [Line[], Line[]] {
	const sides: [Line[], Line[]] = [[], []];
	let run: [Line[], Line[]] = [[], []];
	const settle = (): void => {
		const isChange = run[0].length > 0 && run[1].length > 0;
		if (isChange) for (const line of [...run[0], ...run[1]]) line.sign = '!';
		run = [[], []];
	};
	let last: Line[] = [];
	for (const line of lines) {
		const [sign, text] = [line.slice(0, 1), line.slice(1)];
		if (sign === '\\') {
			for (const each of last) each.text += `\n${line}`;
			continue;
		}
		if (sign === ' ') {
			settle();
			last = [
				{ sign, text },
				{ sign, text }
			];
			sides[0].push(last[0]!);
			sides[1].push(last[1]!);
			continue;
		}
		const side = sign === '-' ? 0 : 1;
		const made = { sign, text };
		run[side].push(made);
		sides[side].push(made);
		last = [made];
	}
	settle();
	return sides;
}
