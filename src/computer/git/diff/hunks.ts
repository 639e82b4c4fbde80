import { isBlankLine } from './whitespace-rule.ts';
import type { LineChange } from './unified-diff.ts';

/** Changes shown together with their context. Positions are zero-based, `to` and `toAfter` are exclusive. */
export interface Hunk {
	from: number;
	to: number;
	fromAfter: number;
	toAfter: number;
	/** Section heading above it, or ''. */
	heading: string;
	changes: readonly LineChange[];
}

/** Options for grouping changes into hunks. */
export interface HunkShape {
	context: number;
	between: number;
	/** Shows the whole function that contains a change as context. */
	functions: boolean;
	/** Heading taken from a line; null if it is not a heading. */
	headingOf: (line: string) => string | null;
}

/** Groups changes into hunks, in order; ignored changes are omitted unless they are close to others. */
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

	/** Skips ignored changes that are not closely followed by one that counts. */
	#firstCounted(from: number): number {
		const { changes, shape } = this;
		let first = from;
		for (let i = from; i < changes.length && changes[i]!.isIgnored; i++) {
			const next = changes[i + 1];
			if (!next || next.beforeStart - endOf(changes[i]!) >= shape.context) first = i + 1;
		}
		return first;
	}

	/** Last change of the hunk that starts with `first`. */
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
			// A newly added function does not need a surrounding one as context.
			if (this.after.slice(change.afterStart).some((line) => shape.headingOf(line) !== null)) return [from, fromAfter];
			at = before.length - 1;
		}
		while (at >= 0 && shape.headingOf(before[at]!) === null) at--;
		// Lines directly above a heading belong to it.
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

	/** Returns whether a hunk of whole functions that ends at `to` overlaps the next change. */
	#reaches(change: LineChange, to: number): boolean {
		const { before, shape } = this;
		const at = Math.min(change.beforeStart, before.length - 1);
		if (at - shape.context <= to) return true;
		return !before.slice(to + 1, at + 1).some((line) => shape.headingOf(line) !== null);
	}
}
