/**
 * A run of changed lines can often be shown at several positions with the same meaning. This module moves each run to
 * the last of them, or beside a run of the other side if possible.
 */
interface Run {
	start: number;
	end: number;
}

/** Chooses the end of a run of `size` lines that may end anywhere from `earliest` to `latest`. */
export type LastPlace = (lines: readonly string[], latest: number, size: number, earliest: number) => number;

export function slideRuns(
	lines: readonly string[],
	marks: Uint8Array,
	otherMarks: Uint8Array,
	kinds: Int32Array,
	lastPlace?: LastPlace
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
				} else if (lastPlace) {
					const best = lastPlace(lines, g.end, size, earliest);
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

/** Runs of one side, including empty ones between unchanged lines. */
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
