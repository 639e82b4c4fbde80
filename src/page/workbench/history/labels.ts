import type { StopKind } from './stops.ts';

/** A label below the history line, with the index of its stop. */
export interface Label {
	index: number;
	/** Position of its center, as a fraction of the line's length. */
	at: number;
}

const CHARACTER_PX = 6.6;
const GAP_PX = 14;
/** Priority of labels if there is not enough room for all. */
const WEIGHT: Record<StopKind, number> = {
	message: 4,
	failed: 3,
	import: 3,
	passed: 2,
	edit: 1,
	other: 1,
	look: 0
};

/**
 * Selects the labels that fit side by side below the line: the selected stop's, then the most informative ones.
 *
 * @param chosen index of the selected stop, whose label is always shown; `stops.length` for the present
 * @param width width of the line, in CSS pixels
 * @param now label of the present, which comes last
 * @param position position of a stop, as a fraction of the line; evenly spread by default
 */
export function labelsThatFit(
	stops: readonly { kind: StopKind; name: string }[],
	chosen: number,
	width: number,
	now: string,
	position: (index: number) => number = (index) => (stops.length === 0 ? 1 : index / stops.length)
): Label[] {
	const count = stops.length;
	const placed: { index: number; from: number; to: number; at: number }[] = [];
	const place = (index: number, name: string): void => {
		const half = (name.length * CHARACTER_PX) / 2;
		const point = (index === count ? 1 : position(index)) * width;
		const middle = Math.max(half, Math.min(width - half, point));
		const [from, to] = [middle - half - GAP_PX / 2, middle + half + GAP_PX / 2];
		if (placed.some((other) => from < other.to && other.from < to)) return;
		placed.push({ index, from, to, at: width === 0 ? 0 : middle / width });
	};
	const stop = stops[chosen];
	if (stop) place(chosen, stop.name);
	place(count, now);
	const rest = stops.map(({ kind, name }, index) => ({ index, name, weight: WEIGHT[kind] }));
	for (const { index, name } of rest.toSorted((a, b) => b.weight - a.weight || a.index - b.index)) {
		if (index !== chosen && WEIGHT[stops[index]?.kind ?? 'look'] > 0 && name !== '') place(index, name);
	}
	return placed.map(({ index, at }) => ({ index, at })).sort((a, b) => a.index - b.index);
}
