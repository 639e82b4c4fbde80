import type { PatchHunk } from './file-patch.ts';

export interface HunkRules {
	/** Lines that differ in blanks alone are the same. */
	ignoreSpace: boolean;
	/** Hunks have no context, and so may begin and end anywhere. */
	noContext: boolean;
}

const PLAIN: HunkRules = { ignoreSpace: false, noContext: false };

/**
 * Applies hunks to the lines of a file, each where its context is, nearest to where it says.
 *
 * @returns the new lines, or the hunk that fits nowhere
 */
export function applyHunks(
	before: readonly string[],
	hunks: readonly PatchHunk[],
	rules = PLAIN
): { lines: string[] } | { failed: PatchHunk } {
	const lines = [...before];
	for (const hunk of hunks) {
		const at = placeOf(lines, hunk, rules);
		if (at === null) return { failed: hunk };
		const replaced = lines.slice(at);
		const after: string[] = [];
		let taken = 0;
		for (const line of hunk.lines) {
			if (line.startsWith('+')) after.push(line.slice(1));
			// Context stays as the file has it.
			else if (line.startsWith(' ')) after.push(replaced[taken++] ?? '');
			else taken++;
		}
		lines.splice(at, taken, ...after);
	}
	return { lines };
}

function placeOf(lines: readonly string[], hunk: PatchHunk, rules: HunkRules): number | null {
	const wanted = hunk.lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
	const sameLine = rules.ignoreSpace
		? (a: string, b: string) => a.replace(/\s+/g, ' ').trim() === b.replace(/\s+/g, ' ').trim()
		: (a: string, b: string) => a === b;
	const fits = (at: number) =>
		at >= 0 && at + wanted.length <= lines.length && wanted.every((line, index) => sameLine(lines[at + index]!, line));
	// Without context before it, or after it, it belongs at the beginning, or the end.
	const atStart = hunk.oldStart === 0 || (hunk.oldStart === 1 && !rules.noContext);
	const atEnd = !rules.noContext && hunk.lines.at(-1)?.startsWith(' ') !== true;
	if (atStart || atEnd) {
		const only = atStart ? 0 : lines.length - wanted.length;
		return fits(only) && (!atStart || !atEnd || wanted.length === lines.length) ? only : null;
	}
	const expected = Math.min(Math.max(0, hunk.newStart - 1), lines.length);
	for (let distance = 0; distance <= lines.length; distance++) {
		if (fits(expected + distance)) return expected + distance;
		if (fits(expected - distance)) return expected - distance;
	}
	return null;
}
