import { PART_ITEMS, slices } from '#environment/parts.ts';

/** Parts that are sent before an answer, and the remaining answer. */
export interface SplitAnswer {
	/** `list` is the name of a property, or `''` for the answer itself. */
	parts: { list: string; items: unknown[] }[];
	rest: unknown;
}

/** Moves the first items of long lists out of an answer, so that it reaches the page in short messages. */
export function splitAnswer(value: unknown): SplitAnswer {
	const parts: SplitAnswer['parts'] = [];
	const shorten = (list: string, items: unknown): unknown => {
		if (!Array.isArray(items) || items.length <= PART_ITEMS) return items;
		const pieces = [...slices<unknown>(items)];
		const last = pieces.pop();
		for (const piece of pieces) parts.push({ list, items: piece });
		return last;
	};
	const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
	const rest = isPlain
		? Object.fromEntries(Object.entries(value).map(([name, items]) => [name, shorten(name, items)]))
		: shorten('', value);
	return { parts, rest };
}
