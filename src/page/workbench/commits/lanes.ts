import type { Commit } from '#workspace/repository/commits.ts';

/** A line of the graph over half a row, from a lane at its upper edge to one at its lower edge. */
export interface Edge {
	from: number;
	to: number;
	/** Lane that determines its color. */
	lane: number;
}

/** Drawing for one commit. */
export interface GraphRow {
	/** Lane of the commit's dot, from 0. */
	lane: number;
	/** Lines from the top of the row to the dot. */
	above: readonly Edge[];
	/** Lines from the dot to the bottom of the row. */
	below: readonly Edge[];
	/** Lanes that have a line at the bottom of the row. */
	open: readonly number[];
}

/**
 * Assigns commits to lanes: a commit's first parent continues its lane, further parents get new lanes, and lanes that
 * lead to the same commit join in the first of them. If a parent is not listed, its lane continues to the end.
 *
 * @param commits children before their parents
 */
export function graphOf(commits: readonly Pick<Commit, 'id' | 'parents'>[]): GraphRow[] {
	/** For each lane, the commit that its line leads to; several may lead to the same one. */
	const lanes: (string | null)[] = [];
	const free = (): number => {
		const lane = lanes.indexOf(null);
		return lane < 0 ? lanes.length : lane;
	};
	return commits.map(({ id, parents }) => {
		const expected = lanes.indexOf(id);
		const lane = expected < 0 ? free() : expected;
		const above = used(lanes).map((from) => ({ from, to: lanes[from] === id ? lane : from, lane: from }));
		for (const joined of used(lanes)) if (lanes[joined] === id) lanes[joined] = null;
		const passing = used(lanes).map((from) => ({ from, to: from, lane: from }));
		const own = parents.map((parent, index): Edge => {
			const meeting = lanes.indexOf(parent);
			const to = index === 0 ? lane : meeting >= 0 ? meeting : free();
			lanes[to] = parent;
			return { from: lane, to, lane: Math.max(lane, to) };
		});
		while (lanes.at(-1) === null) lanes.pop();
		return { lane, above, below: [...passing, ...own], open: used(lanes) };
	});
}

const used = (lanes: readonly (string | null)[]): number[] =>
	lanes.flatMap((commit, lane) => (commit === null ? [] : [lane]));
