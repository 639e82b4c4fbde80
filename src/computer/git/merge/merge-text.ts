import { lineChanges, type LineChange } from '../diff/unified-diff.ts';

/** The result of merging one file, and whether there is something to decide in it. */
export interface MergedText {
	lines: string[];
	conflicts: number;
}

interface Labels {
	ours: string;
	theirs: string;
	/** The side that is taken where both changed the same place (`-X ours`). */
	favour?: 'ours' | 'theirs' | undefined;
}

/** Merges two sets of changes to the same lines; conflicting changes are both included between markers. */
export function mergeText(
	base: readonly string[],
	ours: readonly string[],
	theirs: readonly string[],
	labels: Labels
): MergedText {
	const left = lineChanges(base, ours);
	const right = lineChanges(base, theirs);
	const lines: string[] = [];
	let conflicts = 0;
	let at = 0;
	let i = 0;
	let j = 0;
	let shiftOurs = 0;
	let shiftTheirs = 0;
	const end = (change: LineChange) => change.beforeStart + change.beforeCount;
	while (i < left.length || j < right.length) {
		const start = Math.min(left[i]?.beforeStart ?? Infinity, right[j]?.beforeStart ?? Infinity);
		lines.push(...base.slice(at, start));
		let stop = start;
		const fromOurs = start + shiftOurs;
		const fromTheirs = start + shiftTheirs;
		let touchedOurs = false;
		let touchedTheirs = false;
		// Changes that touch each other are decided together.
		for (;;) {
			const a = left[i];
			const b = right[j];
			if (a && a.beforeStart <= stop && (a.beforeStart < stop || !touchedOurs)) {
				stop = Math.max(stop, end(a));
				shiftOurs += a.afterCount - a.beforeCount;
				touchedOurs = true;
				i++;
			} else if (b && b.beforeStart <= stop && (b.beforeStart < stop || !touchedTheirs)) {
				stop = Math.max(stop, end(b));
				shiftTheirs += b.afterCount - b.beforeCount;
				touchedTheirs = true;
				j++;
			} else break;
		}
		const mine = ours.slice(fromOurs, stop + shiftOurs);
		const other = theirs.slice(fromTheirs, stop + shiftTheirs);
		if (!touchedTheirs) lines.push(...mine);
		else if (!touchedOurs) lines.push(...other);
		else conflicts += pushConflict(lines, mine, other, labels);
		at = stop;
	}
	lines.push(...base.slice(at));
	return { lines, conflicts };
}

/** Lines both sides agree on at either end stay outside the markers. */
function pushConflict(lines: string[], mine: string[], other: string[], labels: Labels): number {
	let head = 0;
	while (head < mine.length && head < other.length && mine[head] === other[head]) head++;
	let tail = 0;
	while (tail < mine.length - head && tail < other.length - head && mine.at(-1 - tail) === other.at(-1 - tail)) tail++;
	lines.push(...mine.slice(0, head));
	const left = mine.slice(head, mine.length - tail);
	const right = other.slice(head, other.length - tail);
	if (left.length === 0 && right.length === 0) return 0;
	if (labels.favour) {
		lines.push(...(labels.favour === 'ours' ? left : right), ...mine.slice(mine.length - tail));
		return 0;
	}
	const ended = (part: string[]) => part.map((line) => (line.endsWith('\n') ? line : `${line}\n`));
	lines.push(`<<<<<<< ${labels.ours}\n`, ...ended(left), '=======\n', ...ended(right), `>>>>>>> ${labels.theirs}\n`);
	lines.push(...mine.slice(mine.length - tail));
	return 1;
}
