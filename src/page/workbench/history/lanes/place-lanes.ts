import type { StopKind } from '../stops.ts';

/** A session of a family of forks, with its history. */
export interface Relative {
	id: string;
	title: string;
	/** Session that it was forked from; `null` if it is not a fork, or its parent was deleted. */
	parent: string | null;
	/** True for the session of the family that is not a fork, or that was made main since. */
	isMain: boolean;
	/** The first stop of a fork is the inherited import. */
	stops: readonly LaneStop[];
	/** Ids of the entries in its conversation. */
	entries: ReadonlySet<string>;
}

interface LaneStop {
	kind: StopKind;
	name: string;
	/** Conversation entry before this stop; `null` before the conversation started. */
	entryId: string | null;
}

/** A history line among others. All lanes share one scale, measured in columns. */
export interface Lane {
	id: string;
	title: string;
	isFork: boolean;
	/** Column where it starts: at the import, or where it left its parent. */
	from: number;
	/** Number of lanes up to its parent's; 0 without a parent. */
	below: number;
	/** Its own stops, without inherited ones. */
	stops: readonly { kind: StopKind; name: string; at: number }[];
	/** Column of its present. */
	end: number;
}

/** Arranges a family of forks, parents before their forks. */
export function placeLanes(family: readonly Relative[]): Lane[] {
	const lanes: Lane[] = [];
	const known = new Set(family.map(({ id }) => id));
	const place = (relative: Relative, parent: { relative: Relative; lane: Lane } | null): void => {
		const from = parent ? parent.lane.from + lastShared(parent.relative, relative) : 0;
		const own = parent ? relative.stops.slice(1) : relative.stops;
		const first = parent ? from + 1 : 0;
		const lane: Lane = {
			id: relative.id,
			title: relative.title,
			isFork: !relative.isMain,
			from,
			below: parent ? lanes.length - lanes.indexOf(parent.lane) : 0,
			stops: own.map(({ kind, name }, index) => ({ kind, name, at: first + index })),
			end: first + own.length
		};
		lanes.push(lane);
		for (const fork of family) if (fork.parent === relative.id) place(fork, { relative, lane });
	};
	for (const relative of family) if (relative.parent === null || !known.has(relative.parent)) place(relative, null);
	return lanes;
}

/** Index of the parent's last stop whose conversation entry the fork also has. */
function lastShared(parent: Relative, fork: Relative): number {
	return Math.max(
		0,
		parent.stops.findLastIndex(({ entryId }) => entryId !== null && fork.entries.has(entryId))
	);
}
