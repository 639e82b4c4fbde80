import { type LastPlace, slideRuns } from './sliding-runs.ts';

/** Lines of each side that the other side lacks. */
export interface Marks {
	before: Uint8Array;
	after: Uint8Array;
}

/**
 * Compares two lists of lines by Myers' algorithm in linear space ("An O(ND) Difference Algorithm and Its Variations",
 * 1986), choosing among equally short results as git and GNU's diff do.
 *
 * @param lastPlace chooses the position of a run of changed lines that could be at several; default: the last one
 */
export function compareLines(before: readonly string[], after: readonly string[], lastPlace?: LastPlace): Marks {
	const numbers = new Map<string, number>();
	const number = (line: string): number => {
		let known = numbers.get(line);
		if (known === undefined) numbers.set(line, (known = numbers.size));
		return known;
	};
	const a = Int32Array.from(before, number);
	const b = Int32Array.from(after, number);
	const marks: Marks = { before: new Uint8Array(a.length), after: new Uint8Array(b.length) };
	let start = 0;
	while (start < a.length && start < b.length && a[start] === b[start]) start++;
	let endA = a.length;
	let endB = b.length;
	while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
		endA--;
		endB--;
	}
	const keptA = dropUnmatched(a, b, start, endA, marks.before, numbers.size);
	const keptB = dropUnmatched(b, a, start, endB, marks.after, numbers.size);
	const search = new Search(a, b, keptA, keptB, marks);
	search.compare(0, keptA.length, 0, keptB.length);
	slideRuns(before, marks.before, marks.after, a, lastPlace);
	slideRuns(after, marks.after, marks.before, b, lastPlace);
	return marks;
}

const WINDOW = 100;
const MOST_MATCHES = 1024;

/**
 * Marks lines that the other side lacks, and frequent lines that are surrounded by such lines. Returns the positions of
 * all other lines.
 */
function dropUnmatched(
	own: Int32Array,
	other: Int32Array,
	start: number,
	end: number,
	marks: Uint8Array,
	kinds: number
): Int32Array {
	const counts = new Int32Array(kinds);
	for (let i = 0; i < other.length; i++) counts[other[i]!]!++;
	const limit = Math.min(roughRoot(own.length), MOST_MATCHES);
	const matches = new Uint8Array(end + 1);
	for (let i = start; i < end; i++) {
		const count = counts[own[i]!]!;
		matches[i] = count === 0 ? 0 : count >= limit ? 2 : 1;
	}
	const kept: number[] = [];
	for (let i = start; i < end; i++) {
		if (matches[i] === 1 || (matches[i] === 2 && !amongUnmatched(matches, i, start, end - 1))) kept.push(i);
		else marks[i] = 1;
	}
	return Int32Array.from(kept);
}

/** Square root, rounded to a power of two. */
function roughRoot(value: number): number {
	let root = 1;
	for (let left = value; left > 0; left = Math.floor(left / 4)) root *= 2;
	return root;
}

function amongUnmatched(matches: Uint8Array, at: number, first: number, last: number): boolean {
	const count = (step: number, stop: number): [none: number, many: number] => {
		let none = 0;
		let many = 1;
		for (let i = at + step; step < 0 ? i >= stop : i <= stop; i += step) {
			if (matches[i] === 0) none++;
			else if (matches[i] === 2) many++;
			else break;
		}
		return [none, many];
	};
	const [noneAbove, manyAbove] = count(-1, Math.max(first, at - WINDOW));
	if (noneAbove === 0) return false;
	const [noneBelow, manyBelow] = count(1, Math.min(last, at + WINDOW));
	if (noneBelow === 0) return false;
	const many = manyAbove + manyBelow;
	return many * 4 < many + noneAbove + noneBelow;
}

class Search {
	#forward: Int32Array;
	#backward: Int32Array;
	#zero: number;
	#patience: number;

	constructor(
		private readonly a: Int32Array,
		private readonly b: Int32Array,
		private readonly keptA: Int32Array,
		private readonly keptB: Int32Array,
		private readonly marks: Marks
	) {
		const diagonals = keptA.length + keptB.length + 3;
		this.#forward = new Int32Array(diagonals + 1);
		this.#backward = new Int32Array(diagonals + 1);
		this.#zero = keptB.length + 1;
		this.#patience = Math.max(256, roughRoot(diagonals));
	}

	compare(fromA: number, toA: number, fromB: number, toB: number): void {
		while (fromA < toA && fromB < toB && this.#same(fromA, fromB)) {
			fromA++;
			fromB++;
		}
		while (fromA < toA && fromB < toB && this.#same(toA - 1, toB - 1)) {
			toA--;
			toB--;
		}
		if (fromA === toA) for (let i = fromB; i < toB; i++) this.marks.after[this.keptB[i]!] = 1;
		else if (fromB === toB) for (let i = fromA; i < toA; i++) this.marks.before[this.keptA[i]!] = 1;
		else {
			const [middleA, middleB] = this.#split(fromA, toA, fromB, toB);
			this.compare(fromA, middleA, fromB, middleB);
			this.compare(middleA, toA, middleB, toB);
		}
	}

	#same(i: number, j: number): boolean {
		return this.a[this.keptA[i]!] === this.b[this.keptB[j]!];
	}

	/** Position where the paths from both ends meet. */
	#split(fromA: number, toA: number, fromB: number, toB: number): [number, number] {
		const forward = this.#forward;
		const backward = this.#backward;
		const zero = this.#zero;
		const lowest = fromA - toB;
		const highest = toA - fromB;
		const startForward = fromA - fromB;
		const startBackward = toA - toB;
		const odd = ((startForward - startBackward) & 1) !== 0;
		let forwardLow = startForward;
		let forwardHigh = startForward;
		let backwardLow = startBackward;
		let backwardHigh = startBackward;
		forward[zero + startForward] = fromA;
		backward[zero + startBackward] = toA;
		for (let cost = 1; ; cost++) {
			if (forwardLow > lowest) forward[zero + --forwardLow - 1] = -1;
			else forwardLow++;
			if (forwardHigh < highest) forward[zero + ++forwardHigh + 1] = -1;
			else forwardHigh--;
			for (let d = forwardHigh; d >= forwardLow; d -= 2) {
				const left = forward[zero + d - 1]!;
				const right = forward[zero + d + 1]!;
				let i = left >= right ? left + 1 : right;
				while (i < toA && i - d < toB && this.#same(i, i - d)) i++;
				forward[zero + d] = i;
				if (odd && d >= backwardLow && d <= backwardHigh && backward[zero + d]! <= i) return [i, i - d];
			}
			if (backwardLow > lowest) backward[zero + --backwardLow - 1] = 0x7fffffff;
			else backwardLow++;
			if (backwardHigh < highest) backward[zero + ++backwardHigh + 1] = 0x7fffffff;
			else backwardHigh--;
			for (let d = backwardHigh; d >= backwardLow; d -= 2) {
				const left = backward[zero + d - 1]!;
				const right = backward[zero + d + 1]!;
				let i = left < right ? left : right - 1;
				while (i > fromA && i - d > fromB && this.#same(i - 1, i - d - 1)) i--;
				backward[zero + d] = i;
				if (!odd && d >= forwardLow && d <= forwardHigh && i <= forward[zero + d]!) return [i, i - d];
			}
			if (cost >= this.#patience) {
				return this.#giveUp(fromA, toA, fromB, toB, [forwardLow, forwardHigh], [backwardLow, backwardHigh]);
			}
		}
	}

	/** Furthest point reached from either end, for when searching further would take too long. */
	#giveUp(
		fromA: number,
		toA: number,
		fromB: number,
		toB: number,
		[forwardLow, forwardHigh]: [number, number],
		[backwardLow, backwardHigh]: [number, number]
	): [number, number] {
		let best = -1;
		let forwardBest: [number, number] = [fromA, fromB];
		for (let d = forwardHigh; d >= forwardLow; d -= 2) {
			let i = Math.min(this.#forward[this.#zero + d]!, toA);
			if (toB < i - d) i = toB + d;
			if (best < i + i - d) {
				best = i + i - d;
				forwardBest = [i, i - d];
			}
		}
		let least = 0x7fffffff;
		let backwardBest: [number, number] = [toA, toB];
		for (let d = backwardHigh; d >= backwardLow; d -= 2) {
			let i = Math.max(fromA, this.#backward[this.#zero + d]!);
			if (i - d < fromB) i = fromB + d;
			if (i + i - d < least) {
				least = i + i - d;
				backwardBest = [i, i - d];
			}
		}
		return toA + toB - least < best - (fromA + fromB) ? forwardBest : backwardBest;
	}
}
