/** Row that moves lines closer to their lanes. */
export interface CollapsedRow {
	/** Lane that each cell of the row leads to; -1 for a free cell. */
	cells: readonly number[];
	/** Same before removing the parts of a long line that do not continue in the next row. */
	whole: readonly number[];
	/** Character and lane of each cell; null for a free cell. */
	drawn: readonly ({ text: string; lane: number } | null)[];
}

/** Checks whether each line is in its lane. */
export const isSettled = (cells: readonly number[]): boolean =>
	cells.every((lane, cell) => lane < 0 || lane === cell >> 1);

/** Line that crosses several others in one row. */
interface LongLine {
	lane: number;
	end: number;
}

/** Moves each line one cell to the left; the first one that can crosses everything up to its lane. */
export function collapsed(before: readonly number[]): CollapsedRow {
	const cells: number[] = new Array<number>(before.length).fill(-1);
	let long: LongLine | null = null;
	for (const [cell, lane] of before.entries()) {
		if (lane < 0) continue;
		if (lane * 2 === cell) {
			cells[cell] = lane;
			continue;
		}
		const left = cells[cell - 1]!;
		if (left === lane) continue;
		cells[left < 0 ? cell - 1 : cell - 2] = lane;
		if (long) continue;
		long = { lane, end: left < 0 ? cell : cell - 1 };
		for (let at = lane * 2 + 3; at < cell - 2; at += 2) cells[at] = lane;
	}
	const whole = [...cells];
	if (cells.at(-1)! < 0) cells.pop();
	return { whole, ...drawn(cells, long) };
}

function drawn(cells: number[], long: LongLine | null): Pick<CollapsedRow, 'cells' | 'drawn'> {
	let isCrossing = false;
	const shown = cells.map((lane, cell) => {
		if (lane < 0) return null;
		if (lane * 2 === cell) return { text: '|', lane };
		if (long && lane === long.lane && cell !== long.end - 1) {
			if (cell !== lane * 2 + 3) cells[cell] = -1;
			isCrossing = true;
			return { text: '_', lane };
		}
		if (isCrossing && long && cell < long.end) cells[cell] = -1;
		return { text: '/', lane };
	});
	return { cells, drawn: shown };
}
