import { lineChanges, type Blanks, type LineChange } from '../diff/unified-diff.ts';

/** The result of merging one file, and whether there is something to decide in it. */
export interface MergedText {
	lines: string[];
	conflicts: number;
}

/** Form of a conflict: both sides, or with what they came from between them; `zdiff3` keeps what is equal out. */
export type ConflictStyle = 'merge' | 'diff3' | 'zdiff3';

export interface Labels {
	ours: string;
	theirs: string;
	/** Label of the base's lines. */
	base?: string | undefined;
	/** `merge` unless given. */
	style?: ConflictStyle | undefined;
	/** The side that is taken where both changed the same place (`-X ours`), or the lines of both. */
	favour?: 'ours' | 'theirs' | 'union' | undefined;
	/** Bytes of a marker; {@link MARKER_SIZE} unless given. */
	markerSize?: number | undefined;
	/** Conflicts with nothing but blanks and signs between them are one. */
	joinsBlanks?: boolean | undefined;
	/** Whitespace that counts where lines are compared. */
	blanks?: Blanks | undefined;
}

/** Bytes of a conflict's marker. */
export const MARKER_SIZE = 7;

/** A stretch of a merged file. */
type Stretch =
	/** Lines that both sides have, or that one of them has changed. */
	{ isConflict: false; lines: readonly string[]; isCommon: boolean } | ({ isConflict: true } & Sides);

/** Merges two sets of changes to the same lines; conflicting changes are both included between markers. */
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

/** Cuts a file where sides changed it. Changes that touch each other are decided together. */
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

/** A conflict without what both sides have alike: in parts, or only at its ends where the base is shown, or whole. */
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

/** Part of two sides between the lines that both begin and end with; none where they are the same. */
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

/** Lines that two conflicts may have between them and still be shown as one. */
const JOINING_LINES = 3;

/** Conflicts with few common lines between them as one. */
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

/** Tells whether lines of a file end with CRLF, as its first one says. */
const hasCrlf = (lines: readonly string[]): boolean => lines[0]?.endsWith('\r\n') === true;

/** Shows sides that differ between markers. */
function pushMarked(lines: string[], { mine, other, base }: Sides, labels: Labels, newline: string): void {
	const mark = (letter: string, label?: string) =>
		`${letter.repeat(labels.markerSize ?? MARKER_SIZE)}${label === undefined ? '' : ` ${label}`}${newline}`;
	const middle = (labels.style ?? 'merge') === 'merge' ? [] : [mark('|', labels.base), ...ended(base, newline)];
	lines.push(mark('<', labels.ours), ...ended(mine, newline), ...middle, mark('='));
	lines.push(...ended(other, newline), mark('>', labels.theirs));
}
