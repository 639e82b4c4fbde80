import { DeltaBase, makeDelta } from './make-delta.ts';
import { OBJECT_TYPES, type GitObject, type ObjectType } from './object.ts';

/** An object that goes into a pack. */
export interface PackItem {
	id: string;
	type: ObjectType;
	/** Path used to find similar objects; '' if it has none. */
	path: string;
	/** The receiver has it already: only used as a base for others. */
	isElsewhere?: boolean;
}

/** An object encoded as a delta against another. */
export interface PlannedDelta {
	base: string;
	delta: Uint8Array;
}

export interface DeltaLimits {
	/** Number of objects that each object is compared with. */
	window: number;
	/** Maximum length of a delta chain. */
	depth: number;
}

/** Larger contents are stored whole: comparing them takes long. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Smaller contents are not worth a delta. */
const LEAST_BYTES = 50;

interface Candidate {
	item: PackItem;
	base: DeltaBase;
	depth: number;
}

/** Finds objects that take less space as deltas against others of the same type. */
export function planDeltas(
	items: readonly PackItem[],
	{ window, depth: mostDepth }: DeltaLimits,
	read: (id: string) => GitObject | null
): Map<string, PlannedDelta> {
	const planned = new Map<string, PlannedDelta>();
	if (window <= 0 || mostDepth <= 0) return planned;
	let near: Candidate[] = [];
	for (const item of inLikeness(items, read)) {
		const content = read(item.id)?.content;
		if (!content || content.length < LEAST_BYTES || content.length > MOST_BYTES) continue;
		if (near[0] && near[0].item.type !== item.type) near = [];
		const found = item.isElsewhere ? null : bestDelta(near, content, mostDepth);
		if (found) planned.set(item.id, { base: found.base.item.id, delta: found.delta });
		near.push({ item, base: new DeltaBase(content), depth: found ? found.base.depth + 1 : 0 });
		if (near.length > window) near.shift();
	}
	return planned;
}

function bestDelta(near: readonly Candidate[], content: Uint8Array, mostDepth: number) {
	let best: { base: Candidate; delta: Uint8Array } | null = null;
	for (const base of [...near].reverse()) {
		if (base.depth >= mostDepth) continue;
		// The deeper its chain, the more a delta must save.
		const whole = best ? best.delta.length : (content.length / 2 - 20) * (1 - base.depth / mostDepth);
		const delta = makeDelta(base.base, content, Math.floor(whole) - 1);
		if (delta) best = { base, delta };
	}
	return best;
}

/** Sorts the objects of each type so that similar names are adjacent, larger objects first. */
function inLikeness(items: readonly PackItem[], read: (id: string) => GitObject | null): PackItem[] {
	const known = items.map((item) => ({
		item,
		rank: OBJECT_TYPES.indexOf(item.type),
		name: [...item.path.slice(-16)].reverse().join(''),
		size: read(item.id)?.content.length ?? 0
	}));
	known.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || b.size - a.size);
	return known.map(({ item }) => item);
}
