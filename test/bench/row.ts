/** One line of the table and of `results.json`. */
export interface Row {
	name: string;
	/** `null` if it could not be measured; `note` says why. */
	ours: number | null;
	/** Value of a peer in the same run, or the limit we set ourselves. */
	against: { name: string; value: number } | null;
	/** `ours` divided by it. */
	ratio: number | null;
	/** Maximum ratio promised; undefined without a promise. */
	bound?: number;
	unit: string;
	note: string;
}

export interface Measured {
	name: string;
	unit: string;
	ours: number | null;
	against?: { name: string; value: number | null };
	bound?: number;
	note?: string;
}

export function row({ name, unit, ours, against, bound, note = '' }: Measured): Row {
	const peer = against && against.value !== null ? { name: against.name, value: rounded(against.value) } : null;
	const ratio = ours !== null && peer && peer.value > 0 ? rounded(ours / peer.value) : null;
	return {
		name,
		ours: ours === null ? null : rounded(ours),
		against: peer,
		ratio,
		...(bound === undefined ? {} : { bound }),
		unit,
		note
	};
}

/** A row that could not be measured, with the reason in its note. */
export function missing(name: string, unit: string, reason: unknown): Row {
	const text = reason instanceof Error ? reason.message : String(reason);
	return row({ name, unit, ours: null, note: `not measured: ${text.split('\n')[0]}` });
}

export function median(values: readonly number[]): number {
	return percentile(values, 0.5);
}

/** @param share 0.5 is the median, 0.99 the 99th percentile */
export function percentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Three significant digits: more would suggest a precision that a shared machine cannot have. */
function rounded(value: number): number {
	return Number(value.toPrecision(3));
}
