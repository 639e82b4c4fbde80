import { splitLines } from '#environment/lines.ts';
import { plainHunks } from '../diff/plain-hunks.ts';
import { cheapestAssignment } from './assignment.ts';
import type { SeriesPatch } from './series-patches.ts';

/** Cost of a forbidden assignment. */
const NEVER = 1 << 16;

/**
 * Finds the patch in the new series that each patch of the old series corresponds to.
 *
 * @param creation cost of treating a patch as added or removed, as a percentage of its size
 * @returns positions in the new series, by those in the old one
 */
export function matchedPatches(
	before: readonly SeriesPatch[],
	after: readonly SeriesPatch[],
	creation: number
): Map<number, number> {
	const matched = sameDiffs(before, after);
	const taken = new Set(matched.values());
	const [olds, news] = [before, after].map((series) => series.map(({ diff }) => splitLines(diff))) as [
		string[][],
		string[][]
	];
	const size = before.length + after.length;
	const alone = ({ size: lines }: SeriesPatch, isMatched: boolean) =>
		isMatched ? NEVER : Math.trunc((lines * creation) / 100);
	const costs = Array.from({ length: size }, (_, row) =>
		Array.from({ length: size }, (_unused, column) => {
			if (row >= before.length && column >= after.length) return 0;
			if (row >= before.length) return alone(after[column]!, taken.has(column));
			if (column >= after.length) return alone(before[row]!, matched.has(row));
			if (matched.get(row) === column) return 0;
			return matched.has(row) || taken.has(column) ? NEVER : distance(olds[row]!, news[column]!);
		})
	);
	for (const [row, column] of cheapestAssignment(costs).entries())
		if (row < before.length && column < after.length) matched.set(row, column);
	return matched;
}

/** Pairs patches with identical changes. */
function sameDiffs(before: readonly SeriesPatch[], after: readonly SeriesPatch[]): Map<number, number> {
	const open = new Map<string, number[]>();
	for (const [at, { diff }] of before.entries()) open.set(diff, [...(open.get(diff) ?? []), at]);
	const matched = new Map<number, number>();
	for (const [at, { diff }] of after.entries()) {
		const row = open.get(diff)?.shift();
		if (row !== undefined) matched.set(row, at);
	}
	return matched;
}

/** Number of lines in the diff between two patches. */
const distance = (before: readonly string[], after: readonly string[]): number =>
	plainHunks(before, after).split('\n').length - 1;
