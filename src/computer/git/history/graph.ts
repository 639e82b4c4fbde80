import { collapsed, isSettled } from './graph-collapse.ts';
import { GraphLanes, type Lane, type LaneLayout } from './graph-lanes.ts';
import { GraphRow } from './graph-row.ts';

/** Kinds of rows that affect how the next row is drawn. */
type RowKind = 'padding' | 'widening' | 'commit' | 'merge' | 'collapse';

/** Commit to draw. */
export interface DrawnCommit {
	id: string;
	/** Parents that lines lead to. */
	parents: readonly string[];
	/** Character for the commit: `*`. */
	mark: string;
}

/** Text next to a commit in the graph. */
export interface DrawnText {
	lines: readonly string[];
	/** Lines printed after all forks and joins are drawn. */
	more: readonly string[];
}

/** Graph of commits as drawn by `git log --graph`, with a lane for each line of history. */
export class Graph {
	readonly #lanes: GraphLanes;
	#last: RowKind = 'padding';
	/** Layout of the previous commit. */
	#before = { at: 0, added: 0 };
	/** Lines of the last row in which lines moved. */
	#moved: readonly number[] = [];

	/** @param colors escape sequences for the colors of lanes; empty for none */
	constructor(private readonly colors: readonly string[] = []) {
		this.#lanes = new GraphLanes(colors.length || 1);
	}

	/**
	 * Draws the rows of one commit: one per line of its text, and those for forks and joins.
	 *
	 * @param isSeparated adds a row before it
	 */
	rows(commit: DrawnCommit, { lines, more }: DrawnText, isSeparated: boolean): string[] {
		const layout = this.#lanes.next(commit.id, commit.parents);
		const widening = this.#widening(layout);
		const rows: string[] = [];
		if (isSeparated) rows.push(widening.shift() ?? this.#separator(layout));
		rows.push(...widening);
		const text = [...lines];
		const show = (row: GraphRow) => rows.push(row.padded(layout.width) + (text.shift() ?? ''));
		show(this.#commitRow(layout, commit.mark));
		this.#last = 'commit';
		if (layout.parents.length > 1) {
			show(this.#mergeRow(layout));
			this.#last = 'merge';
		}
		let cells: readonly number[] = layout.cells;
		while (!isSettled(cells)) {
			const next = collapsed(cells);
			const row = this.#row();
			for (const cell of next.drawn) row.add(cell?.text ?? ' ', cell ? layout.after[cell.lane] : undefined);
			show(row);
			({ cells } = next);
			this.#moved = next.whole;
			this.#last = 'collapse';
		}
		for (text.push(...more); text.length > 0;) show(this.#padding(layout));
		this.#before = { at: layout.at, added: layout.added };
		return rows;
	}

	#row(): GraphRow {
		const { colors } = this;
		return new GraphRow((text, lane) => {
			const begin = lane && colors[lane.color];
			return begin === undefined ? text : `${begin}${text}\u001b[m`;
		});
	}

	#padding({ after }: LaneLayout): GraphRow {
		const row = this.#row();
		for (const lane of after) row.add('|', lane).add(' ');
		return row;
	}

	/** Row between two commits. */
	#separator(layout: LaneLayout): string {
		const row = this.#row();
		const { before, id, parents, width } = layout;
		for (const lane of before) {
			const gap = lane.id === id && parents.length > 2 ? 2 * (parents.length - 2) : 1;
			row.add('|', lane).add(' '.repeat(gap));
		}
		this.#last = 'padding';
		return row.padded(width);
	}

	/** Rows above an octopus merge that make room for its lines. */
	#widening(layout: LaneLayout): string[] {
		const { before, at, parents, width } = layout;
		if (parents.length < 3 || at >= before.length - 1) return [];
		return Array.from({ length: 2 * dashes(layout) }, (_, number) => {
			const row = this.#row();
			for (const [column, lane] of before.entries()) {
				const leans = number > 0 || (this.#last === 'merge' && this.#before.at < column);
				row.add(column > at && leans ? '\\' : '|', lane);
				row.add(' '.repeat(column === at ? number + 1 : 1));
			}
			this.#last = 'widening';
			return row.padded(width);
		});
	}

	#commitRow(layout: LaneLayout, mark: string): GraphRow {
		const row = this.#row();
		const { before, at, added } = layout;
		for (let column = 0; column < Math.max(before.length, at + 1); column++) {
			const lane = before[column];
			if (column === at) {
				row.add(mark);
				this.#addDashes(row, layout);
			} else if (column > at && added > 1) row.add('\\', lane);
			else if (column > at && added === 1) {
				const leans = this.#last === 'merge' && this.#before.added > 0 && this.#before.at < column;
				row.add(leans ? '\\' : '|', lane);
			} else row.add(this.#isMoving(column, layout) ? '/' : '|', lane);
			row.add(' ');
		}
		return row;
	}

	/** Returns whether a line that moved in the last row continues to move. */
	#isMoving(column: number, { cells }: LaneLayout): boolean {
		const next = cells[2 * column] ?? -1;
		return this.#last === 'collapse' && this.#moved[2 * column + 1] === column && next < column;
	}

	/** Adds the dashes of an octopus merge: `-.`. */
	#addDashes(row: GraphRow, layout: LaneLayout): void {
		const { at, after, cells, parents } = layout;
		const count = parents.length > 2 ? dashes(layout) : 0;
		for (let number = 0; number < count; number++) {
			const lane = after[cells[(at + number + 2) * 2] ?? -1];
			row.add('-', lane).add(number === count - 1 ? '.' : '-', lane);
		}
	}

	#mergeRow(layout: LaneLayout): GraphRow {
		const row = this.#row();
		const { before, at, added, leansLeft, parents } = layout;
		let first: Lane | undefined;
		for (let column = 0; column < Math.max(before.length, at + 1); column++) {
			const lane = before[column];
			if (column === at) addMerged(row, layout);
			else if (column > at) row.add(added > 0 ? '\\' : '|', lane).add(' ');
			else {
				row.add('|', lane);
				if (!leansLeft || column !== at - 1) row.add(first ? '_' : ' ', first);
			}
			if (lane?.id === parents[0]) first = lane;
		}
		return row;
	}
}

/** Number of parents of an octopus merge that dashes lead to. */
const dashes = ({ parents, leansLeft }: LaneLayout): number => parents.length - (leansLeft ? 3 : 2);

/** Adds the lines from a merge to its parents. */
function addMerged(row: GraphRow, { parents, after, added, leansLeft }: LaneLayout): void {
	for (const [number, parent] of parents.entries()) {
		const shape = Math.min(number + (leansLeft ? 0 : 1), 2);
		row.add(
			'/|\\'[shape]!,
			after.find(({ id }) => id === parent)
		);
		if (shape === 2 && (added > 0 || number < parents.length - 1)) row.add(' ');
	}
	if (added === 0) row.add(' ');
}
