import { fixBlanks, isBlankLine } from '../diff/whitespace-rule.ts';
import type { FileBlanks } from './blank-errors.ts';
import type { PatchHunk } from './file-patch.ts';

export interface HunkRules {
	/** Lines that differ in the number of blanks alone are the same. */
	ignoreSpace: boolean;
	/** Hunks have no context, and so may begin and end anywhere. */
	noContext: boolean;
	/** Lines of context that must fit at each end; the others may be given up. */
	leastContext: number;
	/** A hunk may change lines that one before it has changed. */
	allowsOverlap: boolean;
	/** Lines that came are not added. */
	noAdd: boolean;
	/** Patches were made by a program that gets the end of a file without newline wrong. */
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

/** A file after its hunks, and the hunks that fit nowhere. */
export interface AppliedHunks {
	lines: string[];
	failed: PatchHunk[];
	/** Notes for the user: hunks that were not where they said. */
	notes: string[];
}

/** Applies hunks to the lines of a file, each where its context is, nearest to where it says. */
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
	/** A hunk made it what it is, so that no other may. */
	isPatched: boolean;
}

interface SideLine {
	text: string;
	/** It is on both sides. */
	isCommon: boolean;
}

/** The lines of a hunk before and after it. */
interface Sides {
	pre: SideLine[];
	post: SideLine[];
}

/** Place where a hunk fits, with its lines as the file has them. */
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

	/** Looks with all of the context first, then with less of it as far as the rules allow. */
	#find(hunk: PatchHunk, sides: Sides, start: { leading: number; trailing: number; expected: number }) {
		const { noContext, leastContext } = this.rules;
		let { leading, trailing, expected } = start;
		// Without context before it, or after it, a hunk belongs at the beginning, or the end.
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

	/** The sides of a hunk as they are if it is at `at`; null where it does not fit. */
	#fitting(sides: Sides, at: number, atStart: boolean, atEnd: boolean): Sides | null {
		const { pre } = sides;
		const left = this.lines.length - at;
		if (atStart && at > 0) return null;
		// Blank lines at the end of the file may be missing where such are being mended.
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

	/** Reports new blank lines at the end of the file, and takes them off where errors are mended. */
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

/** Lines of context that a list of lines begins with. */
function contextAt(lines: readonly string[]): number {
	const end = lines.findIndex((line) => !line.startsWith(' '));
	return end < 0 ? lines.length : end;
}

/** The sides with the common lines as `text` gives them. */
function asInFile({ pre, post }: Sides, text: (line: string, at: number) => string): Sides {
	const own = pre.map((line, i) => ({ ...line, text: text(line.text, i) }));
	const common = own.filter(({ isCommon }) => isCommon);
	return { pre: own, post: post.map((line) => (line.isCommon ? (common.shift() ?? line) : { ...line })) };
}
