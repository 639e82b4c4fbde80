import { comparePaths } from '../bytes.ts';
import { Mode } from '#environment/mode.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import { mergeContent } from './merge-content.ts';
import type { Move } from './find-moves.ts';
import { isSame, otherSide, type MergePlan, type OfSides, type PathState } from './merge-plan.ts';

interface Rename extends Move {
	from: string;
}

/** Combines the sides of renamed files at their new paths, or marks them as disputed. */
export function applyMoves(plan: MergePlan, moves: readonly Move[]): void {
	const renames = moves
		.filter((move): move is Rename => move.from !== null)
		.sort((a, b) => comparePaths(a.from, b.from));
	for (let at = 0; at < renames.length; at++) {
		const rename = renames[at]!;
		const old = plan.paths.get(rename.from);
		if (!old || old.isGone) continue;
		const next = renames[at + 1];
		if (next?.from === rename.from) {
			renamedTwice(plan, old, rename, next);
			at++;
		} else renamedOnce(plan, old, rename);
	}
}

/** Additional marker length for a file that may be merged again. */
const nested = ({ depth }: MergePlan): number => 1 + 2 * depth;

function renamedTwice(plan: MergePlan, old: PathState, ours: Rename, theirs: Rename): void {
	const [one, two] = [plan.paths.get(ours.to), plan.paths.get(theirs.to)];
	if (!one || !two) return;
	if (ours.to === theirs.to) {
		one.files[0] = old.files[0];
		one.isMatched = false;
		old.isGone = true;
		return;
	}
	const names: OfSides<string> = [ours.from, ours.to, theirs.to];
	const mine = one.files[1];
	const other = two.files[2];
	const merged = mergeContent(plan, ours.from, [old.files[0], mine, other], names, nested(plan));
	// If the contents cannot be merged, each path keeps the version of its side.
	const isOneOfThem = !merged.isClean && isSame(merged.file, mine);
	one.files[1] = merged.file;
	two.files[2] = isOneOfThem ? other : merged.file;
	for (const state of [old, one, two]) {
		state.isDisputed = true;
		state.isMatched = false;
	}
	plan.say(
		'CONFLICT (rename/rename)',
		names,
		`CONFLICT (rename/rename): ${ours.from} renamed to ${ours.to} in ${plan.label(1)} and to ${theirs.to} in ${plan.label(2)}.`
	);
}

const isRegular = (file: TreeFile | null): boolean =>
	file !== null && file.mode !== Mode.symlink && file.mode !== Mode.commit;

function renamedOnce(plan: MergePlan, old: PathState, { side, from, to }: Rename): void {
	const target = plan.paths.get(to);
	if (!target) return;
	const other = otherSide(side);
	const isDeleted = old.files[other] === null;
	const isOtherType = !isDeleted && isRegular(old.files[other]) !== isRegular(target.files[side]);
	// If the type differs, the other side also renamed the file and put another one in its place.
	const collides = target.files[other] !== null && !isOtherType;
	target.isMatched = false;
	if (isDeleted) {
		target.isDisputed = true;
		const [renamed, deleted] = [plan.label(side), plan.label(other)];
		plan.say(
			'CONFLICT (rename/delete)',
			[to, from],
			`CONFLICT (rename/delete): ${from} renamed to ${to} in ${renamed}, but deleted in ${deleted}.`
		);
	}
	if (collides) {
		if (!isDeleted) mergeBeforeCollision(plan, old, target, { side, from, to });
	} else {
		target.files[0] = old.files[0];
		target.names[0] = from;
		if (isOtherType) {
			old.files[0] = null;
			old.isMatched = false;
			return;
		}
		if (!isDeleted) {
			target.files[other] = old.files[other];
			target.names[other] = from;
		}
	}
	old.isGone = true;
}

/** Merges the other side's changes into a renamed file, before it collides with another file at its new path. */
function mergeBeforeCollision(plan: MergePlan, old: PathState, target: PathState, { side, from, to }: Rename): void {
	const files: OfSides<TreeFile | null> = [old.files[0], old.files[1], old.files[2]];
	files[side] = target.files[side];
	const names: OfSides<string> = [from, from, from];
	names[side] = to;
	const merged = mergeContent(plan, from, files, names, nested(plan));
	target.files[side] = merged.file;
	if (merged.isClean) return;
	plan.say(
		'CONFLICT (rename involved in collision)',
		[to, from],
		`CONFLICT (rename involved in collision): rename of ${from} -> ${to} has content conflicts AND collides with another path; this may result in nested conflict markers.`
	);
}
