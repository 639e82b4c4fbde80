import { lineChanges, type Blanks, type LineChange } from '../diff/unified-diff.ts';

/** Result of merging one file, and whether it contains conflicts. */
export interface MergedText {
	lines: string[];
	conflicts: number;
}

/** Conflict style: both sides only, or with the base between them; `zdiff3` moves common lines out of the conflict. */
export type ConflictStyle = 'merge' | 'diff3' | 'zdiff3';

export interface Labels {
	ours: string;
	theirs: string;
	/** Label of the base. */
	base?: string | undefined;
	/** `merge` by default. */
	style?: ConflictStyle | undefined;
	/** Resolves conflicts with one side (`-X ours`), or with the lines of both. */
	favour?: 'ours' | 'theirs' | 'union' | undefined;
	/** Length of a marker; {@link MARKER_SIZE} by default. */
	markerSize?: number | undefined;
	/** Joins conflicts that are separated only by blank lines and punctuation. */
	joinsBlanks?: boolean | undefined;
	/** Whitespace that is significant when lines are compared. */
	blanks?: Blanks | undefined;
}

/** Default length of a conflict marker. */
export const MARKER_SIZE = 7;

/** A section of a merged file. */
type Stretch =
	/** Lines that both sides have, or that only one of them has changed. */
	{ isConflict: false; lines: readonly string[]; isCommon: boolean } | ({ isConflict: true } & Sides);

/** Merges two sets of changes to the same lines; includes both sides of a conflict between markers. */
export function mergeText(
	base: readonly string[],
	ours: readonly string[],
	theirs: readonly string[],
	labels: Labels
): MergedText {
	const style = labels.style ?? 'merge';
	const found = stretchesOf(base, ours, theirs, labels.blanks).flatMap((stretch) =>
		refined(stretch, style, labels.blanks)
	);
	const stretches = style === 'merge' ? joined(found, labels.joinsBlanks ?? false) : found;
	const newline = [ours, theirs, base].every(hasCrlf) ? '\r\n' : '\n';
	const lines: string[] = [];
	for (const stretch of stretches) {
		if (!stretch.isConflict) lines.push(...stretch.lines);
		else if (labels.favour) lines.push(...favoured(stretch, labels.favour));
		else pushMarked(lines, stretch, labels, newline);
	}
	const conflicts = labels.favour ? 0 : stretches.filter(({ isConflict }) => isConflict).length;
	return { lines, conflicts };
}

function favoured({ mine, other }: Sides, favour: 'ours' | 'theirs' | 'union'): string[] {
	if (favour !== 'union') return favour === 'ours' ? mine : other;
	return other.length === 0 ? mine : [...ended(mine), ...other];
}

/** Splits a file into unchanged, changed and conflicting sections. Adjacent changes belong to the same section. */
function stretchesOf(
	base: readonly string[],
	ours: readonly string[],
	theirs: readonly string[],
	blanks: Blanks = 'count'
): Stretch[] {
	const left = lineChanges(base, ours, blanks);
	const right = lineChanges(base, theirs, blanks);
	const stretches: Stretch[] = [];
	const push = (lines: readonly string[], isCommon: boolean) => {
		if (lines.length > 0) stretches.push({ isConflict: false, lines, isCommon });
	};
	let [at, i, j, shiftOurs, shiftTheirs] = [0, 0, 0, 0, 0];
	while (i < left.length || j < right.length) {
		const start = Math.min(left[i]?.beforeStart ?? Infinity, right[j]?.beforeStart ?? Infinity);
		push(base.slice(at, start), true);
		let stop = start;
		const [fromOurs, fromTheirs, firstOurs, firstTheirs] = [start + shiftOurs, start + shiftTheirs, i, j];
		for (;;) {
			const [a, b] = [left[i], right[j]];
			const next = a && a.beforeStart <= stop ? a : b && b.beforeStart <= stop ? b : null;
			if (next === null) break;
			stop = Math.max(stop, next.beforeStart + next.beforeCount);
			if (next === a) [shiftOurs, i] = [shiftOurs + next.afterCount - next.beforeCount, i + 1];
			else [shiftTheirs, j] = [shiftTheirs + next.afterCount - next.beforeCount, j + 1];
		}
		const mine = ours.slice(fromOurs, stop + shiftOurs);
		const other = theirs.slice(fromTheirs, stop + shiftTheirs);
		if (j === firstTheirs) push(mine, false);
		else if (i === firstOurs) push(other, false);
		else stretches.push({ isConflict: true, mine, other, base: base.slice(start, stop) });
		at = stop;
	}
	push(base.slice(at), true);
	return stretches;
}

interface Sides {
	mine: string[];
	other: string[];
	base: string[];
}

/**
 * Removes lines common to both sides from a conflict: splits it, or with `zdiff3` trims its ends; `diff3` keeps it
 * whole.
 */
function refined(stretch: Stretch, style: ConflictStyle, blanks: Blanks = 'count'): Stretch[] {
	if (!stretch.isConflict) return [stretch];
	const { mine, other, base } = stretch;
	const changes = style === 'zdiff3' ? spanOf(mine, other) : lineChanges(mine, other, blanks);
	if (changes.length === 0) return [{ isConflict: false, lines: mine, isCommon: false }];
	if (style === 'diff3') return [stretch];
	const parts: Stretch[] = [];
	let at = 0;
	for (const part of changes) {
		if (part.beforeStart > at)
			parts.push({ isConflict: false, lines: mine.slice(at, part.beforeStart), isCommon: true });
		at = part.beforeStart + part.beforeCount;
		const right = other.slice(part.afterStart, part.afterStart + part.afterCount);
		parts.push({ isConflict: true, mine: mine.slice(part.beforeStart, at), other: right, base });
	}
	if (at < mine.length) parts.push({ isConflict: false, lines: mine.slice(at), isCommon: true });
	return parts;
}

/** The part of two sides between their common first and last lines; none if they are equal. */
function spanOf(mine: readonly string[], other: readonly string[]): LineChange[] {
	const most = Math.min(mine.length, other.length);
	let start = 0;
	while (start < most && mine[start] === other[start]) start++;
	if (start === mine.length && start === other.length) return [];
	let end = 0;
	while (end < most - start && mine.at(-1 - end) === other.at(-1 - end)) end++;
	const [beforeCount, afterCount] = [mine.length - end - start, other.length - end - start];
	return [{ beforeStart: start, afterStart: start, beforeCount, afterCount }];
}

/** Maximum number of common lines between two conflicts that are joined. */
const JOINING_LINES = 3;

/** Joins conflicts with few common lines between them. */
function joined(stretches: readonly Stretch[], joinsBlanks: boolean): Stretch[] {
	const result: Stretch[] = [];
	for (const stretch of stretches) {
		const [before, between] = [result.at(-2), result.at(-1)];
		const isFew = (lines: readonly string[]) =>
			lines.length <= JOINING_LINES || (joinsBlanks && !lines.some((line) => /[A-Za-z0-9]/.test(line)));
		const isNear = between?.isConflict === false && between.isCommon && isFew(between.lines);
		if (stretch.isConflict && before?.isConflict && isNear) {
			const join = (one: string[], two: string[]) => [...one, ...between.lines, ...two];
			const [mine, other] = [join(before.mine, stretch.mine), join(before.other, stretch.other)];
			result.splice(-2, 2, { isConflict: true, mine, other, base: before.base });
		} else result.push(stretch);
	}
	return result;
}

const ended = (part: readonly string[], newline = '\n'): string[] =>
	part.map((line) => (line.endsWith('\n') ? line : line + newline));

/** Returns whether the first line ends with CRLF. */
const hasCrlf = (lines: readonly string[]): boolean => lines[0]?.endsWith('\r\n') === true;

/** Adds the sides of a conflict between markers. */
function pushMarked(lines: string[], { mine, other, base }: Sides, labels: Labels, newline: string): void {
	const mark = (letter: string, label?: string) =>
		`${letter.repeat(labels.markerSize ?? MARKER_SIZE)}${label === undefined ? '' : ` ${label}`}${newline}`;
	const middle = (labels.style ?? 'merge') === 'merge' ? [] : [mark('|', labels.base), ...ended(base, newline)];
	lines.push(mark('<', labels.ours), ...ended(mine, newline), ...middle, mark('='));
	lines.push(...ended(other, newline), mark('>', labels.theirs));
}
