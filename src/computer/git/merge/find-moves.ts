import { compareTrees } from '../diff/change.ts';
import { findRenames, USUAL_RENAMES } from '../diff/renames.ts';
import { SAME } from '../diff/similarity.ts';
import type { Repository } from '../repository.ts';
import { directoriesOf, isSame, otherSide, type MergePlan, type Side } from './merge-plan.ts';

/** File that a side renamed or added; an added file has no `from`. */
export interface Move {
	side: Side;
	from: string | null;
	to: string;
}

/** Default limit of files on each side that are compared for renames. */
const USUAL_LIMIT = 7000;

/** Finds the renamed and added files of a side. Skips renames that do not affect the result. */
export function findMoves(plan: MergePlan, side: Side): Move[] {
	const { repository } = plan.git;
	const changes = compareTrees(repository.objects, plan.trees[0], plan.trees[side]);
	const wanted = findsRenames(repository, plan) ? wantedSources(plan, side) : new Set<string>();
	const { least = SAME / 2 } = plan.how.options ?? {};
	const limit = Number(repository.config.get('merge.renamelimit') ?? repository.config.get('diff.renamelimit') ?? 0);
	const found =
		wanted.size === 0
			? changes
			: findRenames(repository, changes, {
					...USUAL_RENAMES,
					least,
					limit: limit > 0 ? limit : USUAL_LIMIT,
					pairsEmpty: false,
					isWanted: (path) => wanted.has(path)
				});
	return found.flatMap(({ status, before, after }) =>
		after && (status === 'A' || status === 'R')
			? [{ side, from: status === 'R' ? before!.path : null, to: after.path }]
			: []
	);
}

function findsRenames({ config }: Repository, { how }: MergePlan): boolean {
	if (how.options?.renames !== undefined) return how.options.renames;
	const set = config.get('merge.renames') ?? config.get('diff.renames');
	return set === undefined || !/^(?:false|no|off|0)$/i.test(set);
}

/** Removed files whose new path matters: the other side changed them, or added files to their directory. */
function wantedSources(plan: MergePlan, side: Side): Set<string> {
	const needed = neededDirectories(plan, side);
	const wanted = new Set<string>();
	for (const [path, { files }] of plan.paths) {
		const [base] = files;
		if (!base || files[side]) continue;
		if (!isSame(base, files[otherSide(side)]) || isWithin(path, needed)) wanted.add(path);
	}
	return wanted;
}

/** Directories that a side removed and to which the other side added files. */
export function neededDirectories({ paths, directories }: MergePlan, side: Side): Set<string> {
	const other = otherSide(side);
	const needed = new Set<string>();
	for (const [path, { files }] of paths) {
		if (files[0] || files[side] || !files[other]) continue;
		const [directory] = directoriesOf(path);
		if (directory !== undefined && directories[0].has(directory) && !directories[side].has(directory))
			needed.add(directory);
	}
	return needed;
}

export function isWithin(path: string, directories: ReadonlySet<string>): boolean {
	for (const directory of directoriesOf(path)) if (directories.has(directory)) return true;
	return false;
}
