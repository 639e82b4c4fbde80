import { structuredPatch } from 'diff';
import { splitLines } from '#environment/lines.ts';

export interface TextDiff {
	/** Unified diff with the file's real line numbers; empty if nothing differs. */
	diff: string;
	added: number;
	removed: number;
	/** 1-based line in the new text; absent if nothing differs. */
	firstChangedLine?: number;
}

/** Lines of context around a change (003 §A). */
const CONTEXT = 4;
/**
 * Maximum number of changed lines to compare: a larger block is shown as completely removed and added, which is fast.
 */
const MAX_COMPARED_LINES = 4_000;

/**
 * Compares two texts. Their common beginning and end are removed first, so that a small change in a large file
 * is cheap.
 */
export function diffTexts(path: string, before: string, after: string): TextDiff {
	if (before === after) return { diff: '', added: 0, removed: 0 };
	const old = splitLines(before);
	const now = splitLines(after);
	const shorter = Math.min(old.length, now.length);
	let head = 0;
	while (head < shorter && old[head] === now[head]) head++;
	let tail = 0;
	while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
	const from = Math.max(0, head - CONTEXT);
	const oldTo = Math.min(old.length, old.length - tail + CONTEXT);
	const newTo = Math.min(now.length, now.length - tail + CONTEXT);
	const hunks = compare(old.slice(from, oldTo), now.slice(from, newTo));
	let diff = `--- ${path}\n+++ ${path}\n`;
	let added = 0;
	let removed = 0;
	for (const hunk of hunks) {
		// As in git's patches, an empty range names the line before it.
		const range = (start: number, count: number): string => `${start + from - (count === 0 ? 1 : 0)},${count}`;
		diff += `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@\n`;
		diff += `${hunk.lines.join('\n')}\n`;
		added += hunk.lines.filter((line) => line.startsWith('+')).length;
		removed += hunk.lines.filter((line) => line.startsWith('-')).length;
	}
	return { diff, added, removed, firstChangedLine: Math.min(head + 1, Math.max(1, now.length)) };
}

interface Hunk {
	oldStart: number;
	oldLines: number;
	newStart: number;
	newLines: number;
	lines: string[];
}

function compare(old: string[], now: string[]): Hunk[] {
	if (old.length + now.length <= MAX_COMPARED_LINES)
		return structuredPatch('', '', old.join(''), now.join(''), '', '', { context: CONTEXT }).hunks;
	const lines = [...old.map((line) => `-${bare(line)}`), ...now.map((line) => `+${bare(line)}`)];
	return [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines }];
}

const bare = (line: string): string => line.replace(/\r?\n$/, '');
