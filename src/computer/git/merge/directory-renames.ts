import { addDirectories, directoriesOf, otherSide, type MergePlan, type PathState, type Side } from './merge-plan.ts';
import { isWithin, neededDirectories, type Move } from './find-moves.ts';

/** New paths of the directories that a side renamed. */
type DirectoryRenames = ReadonlyMap<string, string>;

/** Source paths that renamed directories map to each path. */
type Arrivals = Map<string, { sources: string[]; isReported: boolean }>;

/**
 * Moves files that one side added to a directory if the other side renamed that directory. Updates `moves` accordingly.
 */
export function followDirectories(plan: MergePlan, moves: readonly Move[]): void {
	const { how, depth, git } = plan;
	const setting = git.repository.config.get('merge.directoryrenames')?.toLowerCase() ?? 'conflict';
	const isOff = /^(?:false|no|off|0)$/.test(setting);
	if (depth > 0 || how.ignoresDirectoryRenames || isOff) return;
	const asks = setting === 'conflict';
	const [ours, theirs] = ([1, 2] as const).map((side) => renamedDirectories(plan, side, moves)) as [
		Map<string, string>,
		Map<string, string>
	];
	for (const directory of [...ours.keys()])
		if (theirs.has(directory)) {
			ours.delete(directory);
			theirs.delete(directory);
		}
	const renames = { 1: ours, 2: theirs };
	const arrivals = { 1: arrivalsOf(moves, 1, theirs), 2: arrivalsOf(moves, 2, ours) };
	for (const move of moves) {
		const other = otherSide(move.side);
		if (arrivals[other].has(move.to)) continue;
		const place = placeOf(plan, move, renames[other], renames[move.side], arrivals[move.side]);
		if (place !== null) takeTo(plan, move, place, asks);
	}
}

/** Directories that a side removed, with the directory that most of their files were renamed to. */
function renamedDirectories(plan: MergePlan, side: Side, moves: readonly Move[]): Map<string, string> {
	const found = new Map<string, string>();
	for (const [directory, counts] of countMoves(plan, side, moves)) {
		const most = Math.max(...counts.values());
		const best = [...counts].filter(([, count]) => count === most);
		if (best.length === 1) found.set(directory, best[0]![0]);
		else {
			plan.say(
				'CONFLICT(directory rename unclear split)',
				[directory],
				`CONFLICT (directory rename split): Unclear where to rename ${directory} to; it was renamed to multiple other directories, with no destination getting a majority of the files.`
			);
			plan.isClean = false;
		}
	}
	return found;
}

/** Counts, for each relevant directory, the files that were renamed from it to each other directory. */
function countMoves(plan: MergePlan, side: Side, moves: readonly Move[]): Map<string, Map<string, number>> {
	const needed = neededDirectories(plan, side);
	const isRelevant = (directory: string) =>
		plan.directories[0].has(directory) &&
		!plan.directories[side].has(directory) &&
		(needed.has(directory) || isWithin(directory, needed));
	const counts = new Map<string, Map<string, number>>();
	for (const move of moves) {
		if (move.side !== side || move.from === null) continue;
		let [from, to] = [move.from, move.to];
		for (let isFirst = true; ; isFirst = false) {
			// A rename from `a/x/f` to `b/x/f` also indicates a rename of `a`, but one from `a/x/f` to `b/y/f` does not.
			if (!isFirst && nameOf(from) !== nameOf(to)) break;
			[from, to] = [parentOf(from), parentOf(to)];
			if (!isRelevant(from)) break;
			if (isFirst || needed.has(from)) {
				const places = counts.get(from) ?? new Map<string, number>();
				counts.set(from, places.set(to, (places.get(to) ?? 0) + 1));
			}
			if (from === '' || to === '') break;
		}
	}
	return counts;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Innermost renamed directory of a path. */
function renamedOf(path: string, renames: DirectoryRenames): [from: string, to: string] | null {
	for (const directory of directoriesOf(path)) {
		const to = renames.get(directory);
		if (to !== undefined) return [directory, to];
	}
	return null;
}

/** Path after a directory rename; the new directory may be the top level. */
const movedPath = (path: string, [from, to]: [string, string]): string =>
	to === '' ? path.slice(from.length + 1) : to + path.slice(from.length);

function arrivalsOf(moves: readonly Move[], side: Side, renames: DirectoryRenames): Arrivals {
	const arrivals: Arrivals = new Map();
	for (const { to, side: of } of moves) {
		const renamed = of === side ? renamedOf(to, renames) : null;
		if (!renamed) continue;
		const place = movedPath(to, renamed);
		const known = arrivals.get(place) ?? { sources: [], isReported: false };
		known.sources = [...new Set([...known.sources, to])].sort();
		arrivals.set(place, known);
	}
	return arrivals;
}

/** New path of a move after directory renames; null if it stays. */
function placeOf(
	plan: MergePlan,
	{ to, side }: Move,
	renames: DirectoryRenames,
	own: DirectoryRenames,
	arrivals: Arrivals
): string | null {
	const renamed = renamedOf(to, renames);
	if (!renamed) return null;
	const [from, next] = renamed;
	if (own.has(next)) {
		plan.say(
			'Directory rename skipped since directory was renamed on both sides',
			[from, to, next],
			`WARNING: Avoiding applying ${from} -> ${next} rename to ${to}, because ${next} itself was renamed.`
		);
		return null;
	}
	const place = movedPath(to, renamed);
	const arrival = arrivals.get(place);
	const isBlocked = isInWay(plan, place, side);
	if (!arrival || (!arrival.isReported && !isBlocked && arrival.sources.length < 2)) return place;
	plan.isClean = false;
	if (arrival.isReported) return null;
	arrival.isReported = true;
	const listed = arrival.sources.join(', ');
	if (isBlocked)
		plan.say(
			'CONFLICT (file in way of directory rename)',
			[place, ...arrival.sources],
			`CONFLICT (implicit dir rename): Existing file/dir at ${place} in the way of implicit directory rename(s) putting the following path(s) there: ${listed}.`
		);
	else
		plan.say(
			'CONFLICT(directory rename collision)',
			[place, ...arrival.sources],
			`CONFLICT (implicit dir rename): Cannot map more than one path to ${place}; implicit directory renames tried to put these paths there: ${listed}`
		);
	return null;
}

const isInWay = ({ paths, settled, directories }: MergePlan, path: string, side: Side): boolean =>
	settled.has(path) || Boolean(paths.get(path)?.files[side]) || directories[side].has(path);

/** Moves the file of a rename or addition to another path. */
function takeTo(plan: MergePlan, move: Move, place: string, asks: boolean): void {
	const { paths } = plan;
	const { side, to: old } = move;
	const state = paths.get(old);
	const file = state?.files[side];
	// A file that both sides added is not moved for one of them.
	if (!state || !file || state.files[otherSide(side)]) return;
	state.files[side] = null;
	if (state.files.every((one) => one === null)) paths.delete(old);
	const target: PathState = paths.get(place) ?? {
		files: [null, null, null],
		names: [old, old, old],
		isMatched: false,
		isDisputed: false,
		isGone: false
	};
	target.files[side] = file;
	target.names[side] = old;
	target.isMatched = false;
	paths.set(place, target);
	addDirectories(plan.directories[side], place);
	const [here, there] = [plan.label(side), plan.label(otherSide(side))];
	const what = move.from === null ? `${old} added in ${here}` : `${move.from} renamed to ${old} in ${here},`;
	if (asks) {
		target.isDisputed = true;
		plan.say(
			'CONFLICT (directory rename suggested)',
			[place, old],
			`CONFLICT (file location): ${what} inside a directory that was renamed in ${there}, suggesting it should perhaps be moved to ${place}.`
		);
	} else
		plan.say(
			'Path updated due to directory rename',
			[place, old],
			`Path updated: ${what} inside a directory that was renamed in ${there}; moving it to ${place}.`
		);
	move.to = place;
}
