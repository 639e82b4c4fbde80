import { isBlankLine } from './whitespace-rule.ts';
import type { LineChange } from './unified-diff.ts';

/** Changes that are shown together, with the lines around them: from, and up to but not with, positions of both sides. */
export interface Hunk {
	from: number;
	to: number;
	fromAfter: number;
	toAfter: number;
	/** The line it is under, or ''. */
	heading: string;
	changes: readonly LineChange[];
}

/** Rules by which changes are put together. */
export interface HunkShape {
	context: number;
	between: number;
	/** The function that a change is in is context. */
	functions: boolean;
	/** The heading that a line makes; null for none. */
	headingOf: (line: string) => string | null;
}

/** The hunks of changes, in order; changes that do not count are left out where they are far from others. */
export function hunksOf(
	before: readonly string[],
	after: readonly string[],
	changes: readonly LineChange[],
	shape: HunkShape
): Hunk[] {
	const hunks: Hunk[] = [];
	let heading = '';
	let headingFrom = -1;
	const maker = new HunkMaker(before, after, changes, shape);
	for (let hunk = maker.next(); hunk; hunk = maker.next()) {
		for (let i = hunk.from - 1; i > headingFrom; i--) {
			const found = shape.headingOf(before[i]!);
			if (found === null) continue;
			heading = found;
			break;
		}
		headingFrom = Math.max(headingFrom, hunk.from - 1);
		hunks.push({ ...hunk, heading });
	}
	return hunks;
}

const endOf = ({ beforeStart, beforeCount }: LineChange): number => beforeStart + beforeCount;

class HunkMaker {
	#at = 0;

	constructor(
		private readonly before: readonly string[],
		private readonly after: readonly string[],
		private readonly changes: readonly LineChange[],
		private readonly shape: HunkShape
	) {}

	next(): Omit<Hunk, 'heading'> | null {
		const { changes } = this;
		const earliest = this.#at;
		let first = this.#firstCounted(earliest);
		if (first >= changes.length) return null;
		let last = this.#lastNear(first);
		let [from, fromAfter] = this.#start(first);
		while (first > earliest && endOf(changes[first - 1]!) > from) {
			first--;
			[from, fromAfter] = this.#start(first);
		}
		let [to, toAfter] = this.#end(last);
		while (this.shape.functions && last + 1 < changes.length && this.#reaches(changes[last + 1]!, to)) {
			last++;
			[to, toAfter] = this.#end(last);
		}
		this.#at = last + 1;
		return { from, to, fromAfter, toAfter, changes: changes.slice(first, last + 1) };
	}

	/** Leaves out changes that do not count and have none that counts near behind them. */
	#firstCounted(from: number): number {
		const { changes, shape } = this;
		let first = from;
		for (let i = from; i < changes.length && changes[i]!.isIgnored; i++) {
			const next = changes[i + 1];
			if (!next || next.beforeStart - endOf(changes[i]!) >= shape.context) first = i + 1;
		}
		return first;
	}

	/** The last change that belongs to the hunk that begins with `first`. */
	#lastNear(first: number): number {
		const { changes, shape } = this;
		const widest = 2 * shape.context + shape.between;
		let last = first;
		let ignored = 0;
		for (let i = first + 1; i < changes.length; i++) {
			const change = changes[i]!;
			const distance = change.beforeStart - endOf(changes[i - 1]!);
			if (distance > widest) break;
			const isNear = distance < shape.context;
			if (isNear && (!change.isIgnored || last === i - 1)) {
				last = i;
				ignored = 0;
			} else if (isNear) ignored += change.afterCount;
			else if (last !== i - 1 && change.beforeStart + ignored - endOf(changes[last]!) > widest) break;
			else if (change.isIgnored) ignored += change.afterCount;
			else {
				last = i;
				ignored = 0;
			}
		}
		return last;
	}

	#start(first: number): [from: number, fromAfter: number] {
		const { before, shape } = this;
		const change = this.changes[first]!;
		const from = Math.max(change.beforeStart - shape.context, 0);
		const fromAfter = Math.max(change.afterStart - shape.context, 0);
		if (!shape.functions) return [from, fromAfter];
		let at = change.beforeStart;
		if (at >= before.length) {
			// A function that was added as a whole needs no other one around it.
			if (this.after.slice(change.afterStart).some((line) => shape.headingOf(line) !== null)) return [from, fromAfter];
			at = before.length - 1;
		}
		while (at >= 0 && shape.headingOf(before[at]!) === null) at--;
		// What stands directly above a heading belongs to it.
		while (at > 0 && !isBlankLine(before[at - 1]!) && shape.headingOf(before[at - 1]!) === null) at--;
		const start = Math.max(at, 0);
		return start < from ? [start, Math.max(fromAfter - (from - start), 0)] : [from, fromAfter];
	}

	#end(last: number): [to: number, toAfter: number] {
		const { before, after, shape } = this;
		const change = this.changes[last]!;
		const [end, endAfter] = [endOf(change), change.afterStart + change.afterCount];
		const tail = Math.min(shape.context, before.length - end, after.length - endAfter);
		const [to, toAfter] = [end + tail, endAfter + tail];
		if (!shape.functions) return [to, toAfter];
		let at = end;
		while (at < before.length && shape.headingOf(before[at]!) === null) at++;
		if (at < before.length) while (at > 0 && isBlankLine(before[at - 1]!)) at--;
		return at > to ? [at, Math.min(toAfter + (at - to), after.length)] : [to, toAfter];
	}

	/** Tells whether a hunk that is of whole functions and ends at `to` overlaps with the next change. */
	#reaches(change: LineChange, to: number): boolean {
		const { before, shape } = this;
		const at = Math.min(change.beforeStart, before.length - 1);
		if (at - shape.context <= to) return true;
		return !before.slice(to + 1, at + 1).some((line) => shape.headingOf(line) !== null);
	}
}
