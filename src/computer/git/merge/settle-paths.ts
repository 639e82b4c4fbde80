import { comparePaths } from '../bytes.ts';
import { prefetchFiles } from '../worktree/prefetch-files.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import { mergeContent } from './merge-content.ts';
import {
	addDirectories,
	isSame,
	otherSide,
	type MergePlan,
	type OfSides,
	type PathState,
	type Side
} from './merge-plan.ts';

/** A path that the user has to resolve. */
export interface Conflict {
	path: string;
	stages: OfSides<TreeFile | null>;
}

/** Resolves each path as far as possible. */
export class Settlement {
	readonly files: Map<string, TreeFile>;
	readonly conflicts: Conflict[] = [];
	readonly #occupied = new Set<string>();

	constructor(private readonly plan: MergePlan) {
		this.files = new Map(plan.settled);
		for (const path of this.files.keys()) addDirectories(this.#occupied, path);
		this.#prefetch();
		// Process directory contents first: they determine whether a file can have the directory's path.
		const paths = [...plan.paths].filter(([, { isGone }]) => !isGone);
		paths.sort(([a], [b]) => comparePaths(`${b}/`, `${a}/`));
		for (const [path, state] of paths) this.#settle(path, state);
		this.conflicts.sort((a, b) => comparePaths(a.path, b.path));
	}

	/** Fetches the contents that are merged, if a partial clone lacks them. */
	#prefetch(): void {
		const isRegular = (file: TreeFile) => (file.mode & TYPE) === REGULAR;
		const merged = [...this.plan.paths.values()].flatMap(({ files: [base, ours, theirs], isGone, isMatched }) => {
			if (isGone || isMatched || !ours || !theirs || !isRegular(ours) || !isRegular(theirs)) return [];
			const isChanged = ours.id !== theirs.id && ours.id !== base?.id && theirs.id !== base?.id;
			return isChanged ? [ours, theirs, ...(base ? [base] : [])] : [];
		});
		prefetchFiles(this.plan.git.repository, merged);
	}

	#settle(given: string, state: PathState): void {
		const { plan } = this;
		const [base, ours, theirs] = state.files;
		if (!this.#occupied.has(given)) return this.#decide(given, state, null);
		// A file that one side replaced with the directory, and that the other did not change, is removed.
		if ((!ours && !theirs) || (state.isMatched && base && !(ours && theirs))) return;
		const side: Side = plan.directories[1].has(given) ? 2 : 1;
		const path = plan.freePath(given, plan.label(side));
		plan.say(
			'CONFLICT (file/directory)',
			[path, given],
			`CONFLICT (file/directory): directory in the way of ${given} from ${plan.label(side)}; moving it to ${path} instead.`
		);
		this.#decide(path, state, side);
	}

	/** @param displaced side whose file is at another path because a directory has its own */
	#decide(path: string, state: PathState, displaced: Side | null): void {
		const { files, isMatched, isDisputed } = state;
		const [base, ours, theirs] = files;
		const isPlaced = displaced === null && !isDisputed;
		if (isMatched) {
			const file = base ? (isSame(base, ours) ? theirs : ours) : ours;
			return this.#keep(path, file, isPlaced || !file ? null : files);
		}
		if (ours && theirs) {
			if ((ours.mode & TYPE) !== (theirs.mode & TYPE)) return this.#separate(path, files);
			return this.#merge(path, state, displaced);
		}
		if (!ours && !theirs) return this.#keep(path, null, isDisputed ? files : null);
		if (base) return this.#changedAndDeleted(path, state);
		this.#keep(path, ours ?? theirs, isPlaced ? null : files);
	}

	#merge(path: string, { files, names, isDisputed }: PathState, displaced: Side | null): void {
		const { plan } = this;
		const { file, isClean } = mergeContent(plan, path, files, names, plan.depth * 2);
		if (isClean) {
			const stages: OfSides<TreeFile | null> = displaced === null ? files : [null, null, null];
			if (displaced !== null) stages[displaced] = file;
			return this.#keep(path, file, displaced === null && !isDisputed ? null : stages);
		}
		const isModule = file !== null && (file.mode & TYPE) === SUBMODULE;
		const what = isModule ? 'submodule' : files[0] ? 'content' : 'add/add';
		plan.say('CONFLICT (contents)', [path], `CONFLICT (${what}): Merge conflict in ${path}`);
		this.#keep(path, file, files);
	}

	#changedAndDeleted(path: string, { files, isDisputed }: PathState): void {
		const { plan } = this;
		const side: Side = files[1] ? 1 : 2;
		const [kept, gone] = [plan.label(side), plan.label(otherSide(side))];
		// A file that was renamed but not modified already has a message.
		if (!isDisputed || files[0]?.id !== files[side]?.id)
			plan.say(
				'CONFLICT (modify/delete)',
				[path],
				`CONFLICT (modify/delete): ${path} deleted in ${gone} and modified in ${kept}.  Version ${kept} of ${path} left in tree.`
			);
		this.#keep(path, plan.depth > 0 ? files[0] : files[side], files);
	}

	/** Moves two files of different types to separate paths. */
	#separate(path: string, files: OfSides<TreeFile | null>): void {
		const { plan } = this;
		const [base, ours, theirs] = files;
		if (plan.depth > 0) return this.#keep(path, base, files);
		const isRegular = (file: TreeFile | null) => ((file?.mode ?? 0) & TYPE) === REGULAR;
		const movesOurs = isRegular(ours) || !isRegular(theirs);
		const movesTheirs = !isRegular(ours);
		const oursPath = movesOurs ? plan.freePath(path, plan.label(1)) : path;
		const theirsPath = movesTheirs ? plan.freePath(path, plan.label(2)) : path;
		const moved = [oursPath, theirsPath].filter((one) => one !== path);
		plan.say(
			'CONFLICT (distinct modes)',
			[path, ...moved],
			moved.length > 1
				? `CONFLICT (distinct types): ${path} had different types on each side; renamed both of them so each can be recorded somewhere.`
				: `CONFLICT (distinct types): ${path} had different types on each side; renamed one of them so each can be recorded somewhere.`
		);
		const baseOf = (file: TreeFile | null) => (base && file && (base.mode & TYPE) === (file.mode & TYPE) ? base : null);
		this.#keep(oursPath, ours, [baseOf(ours), ours, null]);
		this.#keep(theirsPath, theirs, [baseOf(theirs), null, theirs]);
	}

	/** @param stages index entries of a conflict; null if there is none */
	#keep(path: string, file: TreeFile | null, stages: OfSides<TreeFile | null> | null): void {
		if (file) {
			this.files.set(path, file);
			addDirectories(this.#occupied, path);
		}
		if (!stages) return;
		this.plan.isClean = false;
		this.conflicts.push({ path, stages });
	}
}

const TYPE = 0o170000;
const REGULAR = 0o100000;
const SUBMODULE = 0o160000;
