/**
 * A run of changed lines can often be shown at several places with the same meaning. This moves each
 * run to where git shows it: beside a run of the other side if possible, else where the
 * indentation says a block begins or ends.
 */
const MOST_SLIDING = 100;
const MOST_BLANKS = 20;
const MOST_INDENT = 200;

/** Weight of indentation relative to the penalty. */
const INDENT_WEIGHT = 60;

interface Run {
	start: number;
	end: number;
}

export function slideGroups(
	lines: readonly string[],
	marks: Uint8Array,
	otherMarks: Uint8Array,
	kinds: Int32Array
): void {
	const count = lines.length;
	const own = new Runs(marks, count);
	const other = new Runs(otherMarks, otherMarks.length);
	const g = own.first();
	const o = other.first();
	const slideUp = (): boolean => {
		if (g.start === 0 || kinds[g.start - 1] !== kinds[g.end - 1]) return false;
		marks[--g.start] = 1;
		marks[--g.end] = 0;
		while (g.start > 0 && marks[g.start - 1]) g.start--;
		return true;
	};
	const slideDown = (): boolean => {
		if (g.end >= count || kinds[g.start] !== kinds[g.end]) return false;
		marks[g.start++] = 0;
		marks[g.end++] = 1;
		while (g.end < count && marks[g.end]) g.end++;
		return true;
	};
	for (;;) {
		if (g.end > g.start) {
			let size: number;
			let earliest: number;
			let beside: number;
			do {
				size = g.end - g.start;
				beside = -1;
				while (slideUp()) other.previous(o);
				earliest = g.end;
				if (o.end > o.start) beside = g.end;
				while (slideDown()) {
					other.next(o);
					if (o.end > o.start) beside = g.end;
				}
			} while (size !== g.end - g.start);
			if (g.end !== earliest) {
				if (beside >= 0) {
					while (o.end === o.start) {
						slideUp();
						other.previous(o);
					}
				} else {
					const best = bestEnd(lines, g.end, size, earliest);
					while (g.end > best) {
						slideUp();
						other.previous(o);
					}
				}
			}
		}
		if (!own.next(g)) break;
		other.next(o);
	}
}

/** The runs of one side, empty ones between unchanged lines included. */
class Runs {
	constructor(
		private readonly marks: Uint8Array,
		private readonly count: number
	) {}

	first(): Run {
		const run = { start: 0, end: 0 };
		this.#extend(run);
		return run;
	}

	next(run: Run): boolean {
		if (run.end === this.count) return false;
		run.start = run.end = run.end + 1;
		this.#extend(run);
		return true;
	}

	previous(run: Run): boolean {
		if (run.start === 0) return false;
		run.end = run.start = run.start - 1;
		while (run.start > 0 && this.marks[run.start - 1]) run.start--;
		return true;
	}

	#extend(run: Run): void {
		while (run.end < this.count && this.marks[run.end]) run.end++;
	}
}

function bestEnd(lines: readonly string[], latest: number, size: number, earliest: number): number {
	let best = -1;
	let bestScore = { indent: 0, penalty: 0 };
	for (let end = Math.max(earliest, latest - size - 1, latest - MOST_SLIDING); end <= latest; end++) {
		const score = { indent: 0, penalty: 0 };
		addSplit(lines, end, score);
		addSplit(lines, end - size, score);
		const order = INDENT_WEIGHT * Math.sign(score.indent - bestScore.indent) + (score.penalty - bestScore.penalty);
		if (best < 0 || order <= 0) {
			best = end;
			bestScore = score;
		}
	}
	return best;
}

/** Cost of starting or ending a run before line `at`. */
function addSplit(lines: readonly string[], at: number, score: { indent: number; penalty: number }): void {
	const atEnd = at >= lines.length;
	const own = atEnd ? -1 : indentOf(lines[at]!);
	const before = nextIndent(lines, at - 1, -1);
	const after = nextIndent(lines, at + 1, 1);
	if (before.indent === -1 && before.blanks === 0) score.penalty += 1;
	if (atEnd) score.penalty += 21;
	const blanksAfter = own === -1 ? 1 + after.blanks : 0;
	const blanks = before.blanks + blanksAfter;
	score.penalty += -30 * blanks + 6 * blanksAfter;
	const indent = own === -1 ? after.indent : own;
	score.indent += indent;
	if (indent === -1 || before.indent === -1 || indent === before.indent) return;
	if (indent > before.indent) score.penalty += blanks > 0 ? 10 : -4;
	else if (after.indent !== -1 && after.indent > indent) score.penalty += blanks > 0 ? 17 : 24;
	else score.penalty += blanks > 0 ? 17 : 23;
}

function nextIndent(lines: readonly string[], from: number, step: number): { indent: number; blanks: number } {
	let blanks = 0;
	for (let i = from; i >= 0 && i < lines.length; i += step) {
		const indent = indentOf(lines[i]!);
		if (indent !== -1) return { indent, blanks };
		if (++blanks === MOST_BLANKS) return { indent: 0, blanks };
	}
	return { indent: -1, blanks };
}

/** Columns of white space in front of a line; -1 for a blank one. */
function indentOf(line: string): number {
	let columns = 0;
	for (const letter of line) {
		if (letter === ' ') columns++;
		else if (letter === '\t') columns += 8 - (columns % 8);
		else if (!/\s/.test(letter)) return columns;
		if (columns >= MOST_INDENT) return MOST_INDENT;
	}
	return -1;
}
