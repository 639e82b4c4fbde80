import { type Change, changesOf, linesOf } from './changes.ts';

/** Part of three files that is not the same in all: its start and number of lines in each. */
export interface Block {
	/** Positions from 0. */
	start: readonly [number, number, number];
	count: readonly [number, number, number];
	/** The file that differs from the other two; null if all differ. */
	odd: 0 | 1 | 2 | null;
}

export type Three = readonly [readonly string[], readonly string[], readonly string[]];

/** Lines of the common start and end that are compared too, as in GNU diff3. */
const HORIZON = 100;
const RULES = { key: (line: string) => line, ignoresEnd: false, isIgnorable: null };

/**
 * Compares three files by comparing two of them with a common one.
 *
 * @param common index of the file that the other two are compared with
 */
export function blocksOf(files: Three, common: 1 | 2): Block[] {
	const sides = [0, common === 1 ? 2 : 1] as const;
	const [left, right] = sides.map((side) => changesOf({ old: files[common], new: files[side] }, RULES, HORIZON));
	return [...regionsOf(left ?? [], right ?? [])].map((region) => {
		const start: [number, number, number] = [0, 0, 0];
		const count: [number, number, number] = [0, 0, 0];
		[start[common], count[common]] = [region.start, region.end - region.start];
		for (const [at, side] of sides.entries()) {
			const { offset, growth } = region.sides[at as 0 | 1];
			[start[side], count[side]] = [region.start + offset, region.end - region.start + growth];
		}
		return { start, count, odd: oddOf(files, { start, count }, region, [...sides, common]) };
	});
}

/** Lines of the common file that were changed on one or both sides. */
interface Region {
	start: number;
	end: number;
	/** Number of lines added on each side before the region, and in it. */
	sides: readonly [Shift, Shift];
}

interface Shift {
	offset: number;
	growth: number;
	isChanged: boolean;
}

/** Joins adjacent changes of both sides. */
function* regionsOf(left: readonly Change[], right: readonly Change[]): Generator<Region> {
	const lists = [left, right] as const;
	const next: [number, number] = [0, 0];
	const offsets: [number, number] = [0, 0];
	while (next[0] < left.length || next[1] < right.length) {
		const starts = lists.map((list, side) => list[next[side as 0 | 1]]?.oldStart ?? Infinity);
		const start = Math.min(...starts);
		let end = start;
		const taken: [Change[], Change[]] = [[], []];
		for (let isLonger = true; isLonger;) {
			isLonger = false;
			for (const side of [0, 1] as const) {
				const change = lists[side][next[side]];
				if (!change || change.oldStart > end) continue;
				taken[side].push(change);
				next[side]++;
				end = Math.max(end, change.oldStart + change.oldCount);
				isLonger = true;
			}
		}
		const shiftOf = (side: 0 | 1): Shift => {
			const growth = taken[side].reduce((sum, { oldCount, newCount }) => sum + newCount - oldCount, 0);
			const offset = offsets[side];
			offsets[side] += growth;
			return { offset, growth, isChanged: taken[side].length > 0 };
		};
		yield { start, end, sides: [shiftOf(0), shiftOf(1)] };
	}
}

function oddOf(
	files: Three,
	{ start, count }: Pick<Block, 'start' | 'count'>,
	{ sides }: Region,
	[first, second, common]: readonly (0 | 1 | 2)[]
): Block['odd'] {
	if (first === undefined || second === undefined || common === undefined) return null;
	if (!sides[1].isChanged) return first;
	if (!sides[0].isChanged) return second;
	const text = (side: 0 | 1 | 2) => linesOf(files[side], start[side], count[side]).join('');
	return text(first) === text(second) ? common : null;
}

export const blockLines = (files: Three, { start, count }: Block, side: 0 | 1 | 2): readonly string[] =>
	linesOf(files[side], start[side], count[side]);
