import type { LineRange } from './contract.ts';

/** The lines of `text` that `range` names, 1-based, each with its end. */
export function sliceLines(text: string, range?: LineRange): string {
	if (range?.offset === undefined && range?.limit === undefined) return text;
	const first = Math.max(1, range.offset ?? 1) - 1;
	const lines = text.split(/(?<=\n)/);
	return lines.slice(first, range.limit === undefined ? undefined : first + range.limit).join('');
}
