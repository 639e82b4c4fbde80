/** Line of history in the graph, which leads to one commit. */
export interface Lane {
	id: string;
	/** Index of its color. */
	color: number;
}

/** Lanes around one commit: those above it, those below it, and where each of the latter starts. */
export interface LaneLayout {
	id: string;
	parents: readonly string[];
	before: readonly Lane[];
	after: readonly Lane[];
	/** Index of the commit's lane; one past the last if no child of it was drawn. */
	at: number;
	/** Index of the lane that the line in each cell leads to; -1 for a free cell. */
	cells: number[];
	/** Set if the first parent of a merge is in a lane to the left. */
	leansLeft: boolean;
	/** Number of cell pairs that a merge adds; -1 if its last line joins a lane at once. */
	added: number;
	/** Width of each row in cells. */
	width: number;
}

/** Lanes of a graph, updated from one commit to the next. */
export class GraphLanes {
	#lanes: Lane[] = [];
	#color: number;

	/** @param colors number of colors for lanes */
	constructor(private readonly colors: number) {
		this.#color = colors - 1;
	}

	/** Lays out the lanes around the next commit. */
	next(id: string, parents: readonly string[]): LaneLayout {
		const before = this.#lanes;
		const known = before.findIndex((lane) => lane.id === id);
		const at = known < 0 ? before.length : known;
		const cells: number[] = new Array<number>(2 * (before.length + parents.length)).fill(-1);
		const layout = { id, parents, before, after: [] as Lane[], at, cells, leansLeft: false, added: 0, width: 0 };
		const lines = known < 0 ? [...before, { id, color: 0 }] : before;
		for (const lane of lines) {
			if (lane.id !== id) place(layout, lane);
			else this.#placeParents(layout, known < 0);
		}
		while (cells.length > 1 && cells.at(-1)! < 0) cells.pop();
		this.#lanes = layout.after;
		return layout;
	}

	#placeParents(layout: LaneLayout & { after: Lane[] }, isNew: boolean): void {
		const { parents, before } = layout;
		if (parents.length === 0) layout.width += 2;
		for (const [number, parent] of parents.entries()) {
			if (parents.length > 1 || isNew) this.#color = (this.#color + 1) % this.colors;
			const color = before.find((lane) => lane.id === parent)?.color ?? this.#color;
			if (number > 0 || parents.length < 2) place(layout, { id: parent, color });
			else placeFirst(layout, { id: parent, color });
		}
	}
}

/** Index of a lane among those below the commit, where it is added if missing. */
function numberOf(after: Lane[], lane: Lane): number {
	const known = after.findIndex(({ id }) => id === lane.id);
	return known < 0 ? after.push(lane) - 1 : known;
}

function place(layout: LaneLayout & { after: Lane[] }, lane: Lane): void {
	const { cells, after } = layout;
	const number = numberOf(after, lane);
	if (layout.added > 0 && cells[layout.width - 2] === number) {
		layout.added = -1;
		return;
	}
	cells[layout.width] = number;
	layout.width += 2;
}

/** Places the first parent of a merge: below it, or to the left if its lane already exists there. */
function placeFirst(layout: LaneLayout & { after: Lane[] }, lane: Lane): void {
	const number = numberOf(layout.after, lane);
	const distance = layout.at - number;
	layout.leansLeft = distance > 0;
	layout.added = layout.parents.length - (layout.leansLeft ? 2 : 1);
	if (!layout.leansLeft) {
		layout.cells[layout.width] = number;
		layout.width += 2;
		return;
	}
	layout.cells[layout.width - (distance > 1 ? 2 * distance - 3 : 1)] = number;
}
