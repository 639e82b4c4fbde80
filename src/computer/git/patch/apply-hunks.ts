import { fixBlanks, isBlankLine } from '../diff/whitespace-rule.ts';
import type { FileBlanks } from './blank-errors.ts';
import type { PatchHunk } from './file-patch.ts';

export interface HunkRules {
	/** Ignores whitespace changes when lines are matched. */
	ignoreSpace: boolean;
	/** Hunks have no context and are not bound to the start or end of the file. */
	noContext: boolean;
	/** Minimum number of context lines to match at each end; the others may be ignored. */
	leastContext: number;
	/** Allows a hunk to change lines that an earlier hunk has changed. */
	allowsOverlap: boolean;
	/** Does not add the added lines. */
	noAdd: boolean;
	/** The patches come from a program that does not handle a missing newline at end of file. */
	isEndInaccurate: boolean;
}

export const PLAIN_HUNKS: HunkRules = {
	ignoreSpace: false,
	noContext: false,
	leastContext: Infinity,
	allowsOverlap: false,
	noAdd: false,
	isEndInaccurate: false
};

/** Lines of a file after applying hunks, and the hunks that could not be applied. */
export interface AppliedHunks {
	lines: string[];
	failed: PatchHunk[];
	/** Notes for the user about hunks that were applied at another position than stated. */
	notes: string[];
}

/**
 * Applies hunks to the lines of a file, each where its context matches, as close to the stated position as possible.
 */
export function applyHunks(
	before: readonly string[],
	hunks: readonly PatchHunk[],
	rules: HunkRules,
	blanks: FileBlanks
): AppliedHunks {
	const image = new Image(before, rules, blanks);
	const failed: PatchHunk[] = [];
	for (const [i, hunk] of hunks.entries()) if (!image.apply(hunk, i + 1)) failed.push(hunk);
	return { lines: image.lines.map(({ text }) => text), failed, notes: image.notes };
}

interface ImageLine {
	text: string;
	/** Changed by a hunk, so that no other hunk may change it. */
	isPatched: boolean;
}

interface SideLine {
	text: string;
	/** The line is on both sides. */
	isCommon: boolean;
}

/** Lines of a hunk before and after the change. */
interface Sides {
	pre: SideLine[];
	post: SideLine[];
}

/** Position where a hunk applies, with its lines adapted to the file. */
interface Place extends Sides {
	at: number;
}

const withoutBlanks = (line: string): string => line.replace(/[ \t\r\n]+/g, '');
const withOneBlank = (line: string): string => line.replace(/[\r\n]+$/, '').replace(/[ \t\r\n]+/g, ' ');

class Image {
	readonly lines: ImageLine[];
	readonly notes: string[] = [];

	constructor(
		before: readonly string[],
		private readonly rules: HunkRules,
		private readonly blanks: FileBlanks
	) {
		this.lines = before.map((text) => ({ text, isPatched: false }));
	}

	apply(hunk: PatchHunk, number: number): boolean {
		const sides = this.#sidesOf(hunk);
		const whole = { leading: contextAt(hunk.lines), trailing: contextAt([...hunk.lines].reverse()) };
		const { leading, trailing } = whole;
		const expected = Math.max(0, hunk.newStart - 1);
		const found = this.#find(hunk, sides, { leading, trailing, expected });
		if (!found) return false;
		const { place } = found;
		this.#removeBlankEnd(hunk, place);
		const offset = place.at - found.expected;
		if (offset !== 0)
			this.notes.push(
				`Hunk #${number} succeeded at ${place.at + 1} (offset ${offset} line${Math.abs(offset) === 1 ? '' : 's'}).`
			);
		if (found.leading !== leading || found.trailing !== trailing)
			this.notes.push(`Context reduced to (${found.leading}/${found.trailing}) to apply fragment at ${place.at + 1}`);
		const isPatched = !this.rules.allowsOverlap;
		this.lines.splice(place.at, place.pre.length, ...place.post.map(({ text }) => ({ text, isPatched })));
		return true;
	}

	#sidesOf({ lines }: PatchHunk): Sides {
		const sides: Sides = { pre: [], post: [] };
		for (const line of lines) {
			const text = line.slice(1);
			const isCommon = line.startsWith(' ');
			if (!line.startsWith('+')) sides.pre.push({ text, isCommon });
			if (isCommon) sides.post.push({ text, isCommon });
			else if (line.startsWith('+') && !this.rules.noAdd)
				sides.post.push({ text: this.blanks.isFixing ? this.blanks.fixed(text) : text, isCommon });
		}
		const [last, lastAfter] = [sides.pre.at(-1), sides.post.at(-1)];
		if (this.rules.isEndInaccurate && last?.text.endsWith('\n') && lastAfter?.text.endsWith('\n'))
			for (const line of new Set([last, lastAfter])) line.text = line.text.slice(0, -1);
		return sides;
	}

	/** Finds the position of a hunk: first with all context, then with less, down to the allowed minimum. */
	#find(hunk: PatchHunk, sides: Sides, start: { leading: number; trailing: number; expected: number }) {
		const { noContext, leastContext } = this.rules;
		let { leading, trailing, expected } = start;
		// A hunk without leading (or trailing) context belongs at the start (or end) of the file.
		let atStart = hunk.oldStart === 0 || (hunk.oldStart === 1 && !noContext);
		let atEnd = !noContext && trailing === 0;
		for (;;) {
			const place = this.#placeOf(sides, expected, atStart, atEnd);
			if (place) return { place, leading, trailing, expected };
			if (leading <= leastContext && trailing <= leastContext) return null;
			if (atStart || atEnd) {
				atStart = atEnd = false;
				continue;
			}
			if (leading >= trailing) {
				sides.pre.shift();
				sides.post.shift();
				expected--;
				leading--;
			}
			if (trailing > leading) {
				sides.pre.pop();
				sides.post.pop();
				trailing--;
			}
		}
	}

	#placeOf(sides: Sides, expected: number, atStart: boolean, atEnd: boolean): Place | null {
		const { length } = this.lines;
		const isBound = atStart && !(this.rules.allowsOverlap && atEnd && length !== sides.pre.length);
		let from = isBound ? 0 : atEnd ? length - sides.pre.length : expected;
		if (from < 0 || from > length) from = length;
		const most = isBound ? 0 : length;
		for (let distance = 0; distance <= most; distance++)
			for (const at of distance === 0 ? [from] : [from + distance, from - distance]) {
				const fitting = at >= 0 && at <= length ? this.#fitting(sides, at, isBound, atEnd) : null;
				if (fitting) return { at, ...fitting };
			}
		return null;
	}

	/** Sides of a hunk, adapted to the file at `at`; null if it does not match there. */
	#fitting(sides: Sides, at: number, atStart: boolean, atEnd: boolean): Sides | null {
		const { pre } = sides;
		const left = this.lines.length - at;
		if (atStart && at > 0) return null;
		// Blank lines at the end of the file may be missing if whitespace errors are being fixed.
		if (pre.length > left ? !this.blanks.isFixing || !this.blanks.rule.atFileEnd : atEnd && pre.length !== left)
			return null;
		const limit = Math.min(pre.length, left);
		const here = this.lines.slice(at, at + limit);
		if (here.some(({ text, isPatched }, i) => isPatched || withoutBlanks(text) !== withoutBlanks(pre[i]!.text)))
			return null;
		if (limit === pre.length && here.every(({ text }, i) => text === pre[i]!.text)) return sides;
		if (limit < pre.length && pre.slice(0, limit).every(({ text }) => isBlankLine(text))) return null;
		if (!pre.slice(limit).every(({ text }) => isBlankLine(text))) return null;
		if (this.rules.ignoreSpace) {
			if (here.some(({ text }, i) => withOneBlank(text) !== withOneBlank(pre[i]!.text))) return null;
			return asInFile(sides, (line, i) => here[i]?.text ?? line);
		}
		if (!this.blanks.isFixing) return null;
		const fix = (text: string) => fixBlanks(text, this.blanks.rule).text;
		if (here.some(({ text }, i) => fix(text) !== fix(pre[i]!.text))) return null;
		return asInFile(sides, fix);
	}

	/** Reports new blank lines at the end of the file, and removes them if whitespace errors are being fixed. */
	#removeBlankEnd({ lines, line }: PatchHunk, place: Place): void {
		const { rule } = this.blanks;
		if (!rule.atFileEnd || place.at + place.pre.length < this.lines.length) return;
		let count = 0;
		let first = 0;
		for (const [i, text] of lines.entries()) {
			const isBlank = isBlankLine(text.slice(1));
			if (text.startsWith('+') && isBlank) {
				if (count++ === 0) first = line + 1 + i;
			} else if (!(text.startsWith(' ') && isBlank) && !text.startsWith('-')) count = 0;
			else if (text.startsWith('-')) count = 0;
		}
		if (count === 0) return;
		this.blanks.atFileEnd(first);
		if (this.blanks.isFixing) place.post.splice(place.post.length - count, count);
	}
}

/** Number of leading context lines. */
function contextAt(lines: readonly string[]): number {
	const end = lines.findIndex((line) => !line.startsWith(' '));
	return end < 0 ? lines.length : end;
}

/** Sides of a hunk with their common lines replaced by `text`. */
function asInFile({ pre, post }: Sides, text: (line: string, at: number) => string): Sides {
	const own = pre.map((line, i) => ({ ...line, text: text(line.text, i) }));
	const common = own.filter(({ isCommon }) => isCommon);
	return { pre: own, post: post.map((line) => (line.isCommon ? (common.shift() ?? line) : { ...line })) };
}
