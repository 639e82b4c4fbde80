import { isSyscallError } from '#computer/abi/client.ts';
import { comparePaths } from '../bytes.ts';
import { makeChange, pathOf, sortChanges, type Change } from '../diff/change.ts';
import { Mode } from '#environment/mode.ts';
import { ignoredByConfig, submoduleStates, type IgnoredState, type SubmoduleState } from './submodules.ts';
import { Pathspec } from './pathspec.ts';
import { findRenames, type RenameHow } from '../diff/renames.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import type { Repository } from '../repository.ts';
import { scanRepository, type Scan } from './scan.ts';

/** Result of `git status`. */
export interface Status {
	/** Changes from HEAD to the index, with renames. */
	staged: Change[];
	/** Changes from the index to the working tree. */
	unstaged: Change[];
	/** Conflicting path and its code: `UU`, `AA`, `DU` … */
	unmerged: { path: string; code: string }[];
	/** Sorted; directories end with a slash. */
	untracked: string[];
	ignored: string[];
	/** States of submodules among the unstaged changes. */
	submodules: Map<string, SubmoduleState>;
}

/** Selects what a status includes. */
export interface StatusHow {
	/** `normal` shows a directory without tracked files as one line. */
	untracked?: 'no' | 'normal' | 'all';
	/** `matching` lists exactly the paths that match a rule, and folds no others. */
	ignored?: boolean | 'matching';
	paths?: string[];
	/** Detection of renames among removed and added files. */
	renames?: RenameHow | false;
	/** State of submodules to ignore, overriding the settings. */
	ignoredState?: IgnoredState | undefined;
}

export function computeStatus(repository: Repository, options: StatusHow = {}): Status {
	const scan = scanRepository(repository, { listIgnored: options.ignored !== undefined && options.ignored !== false });
	const { index } = repository;
	const submodules = statesOf(repository, options);
	const moved = [...submodules].map(([path, { head }]): Change => {
		const entry = index.get(path)!;
		return { ...makeChange(path, entry, { mode: entry.mode, id: head }), status: 'M' };
	});
	const unstaged = sortChanges([...indexToWorktree(repository, scan), ...moved]);
	const changed = treeToIndex(repository, headTree(repository));
	const staged = options.renames === false ? changed : findRenames(repository, changed, options.renames);
	saveRefreshed(repository);
	const tracked = new Set(index.entries().map(({ path }) => path));
	const mode = options.untracked ?? 'normal';
	// For paths below one that is tracked as a file, only that file is reported.
	const inFile = (path: string) => {
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
			if (tracked.has(path.slice(0, end))) return true;
		}
		return false;
	};
	const loose = mode === 'no' ? [] : [...scan.visible].filter((path) => !tracked.has(path) && !inFile(path));
	const nested =
		mode === 'no'
			? []
			: scan.nested.filter(
					(path) => !scan.rules.ignoresBelow(path.slice(0, -1), true) && !tracked.has(path.slice(0, -1))
				);
	const pathspec = new Pathspec(repository, options.paths ?? []);
	const within = (change: Change) => pathspec.matches(pathOf(change));
	const isShown = ({ before, after }: Change) =>
		options.ignoredState !== 'all' || (after ?? before)?.mode !== Mode.commit;
	const isWithin = (path: string) => pathspec.matches(path.replace(/\/$/, ''));
	const isFoldable = (directory: string) => pathspec.isEmpty || pathspec.matches(directory);
	const untracked =
		mode === 'all' ? [...loose, ...nested] : fold([...loose, ...nested].filter(isWithin), tracked, isFoldable);
	return {
		staged: staged.filter((change) => change.status !== 'U' && within(change) && isShown(change)),
		unstaged: unstaged.filter((change) => change.status !== 'U' && within(change)),
		unmerged: index
			.unmerged()
			.map((path) => ({ path, code: conflictCode([1, 2, 3].map((stage) => !!index.get(path, stage))) })),
		untracked: untracked.filter(isWithin).sort(comparePaths),
		ignored: ignoredPaths(scan, tracked, options).filter(isWithin),
		submodules
	};
}

/** Saves the refreshed index, unless optional locks are disabled: the output does not depend on it. */
function saveRefreshed({ index, env }: Repository): void {
	if (env['GIT_OPTIONAL_LOCKS'] === '0') return;
	try {
		index.save();
	} catch (error) {
		if (!isSyscallError(error) || !['EACCES', 'EROFS', 'EPERM'].includes(error.code)) throw error;
	}
}

/** States of submodules for a comparison: untracked files count only if the config or `given` says so. */
export function statesOfSubmodules(repository: Repository, given?: IgnoredState): Map<string, SubmoduleState> {
	return submoduleStates(
		repository,
		given === undefined ? ignoredByConfig(repository, 'untracked') : () => given,
		changed
	);
}

const changed = (nested: Repository, untracked: StatusHow['untracked'] = 'normal') => {
	const found = computeStatus(nested, { untracked });
	const isModified = found.staged.length + found.unstaged.length + found.unmerged.length > 0;
	return { isModified, hasUntracked: found.untracked.length > 0 };
};

function statesOf(repository: Repository, options: StatusHow): Map<string, SubmoduleState> {
	const given = options.ignoredState;
	const ignored = given === undefined ? ignoredByConfig(repository) : () => given;
	const untracked = options.untracked === 'no' && given === undefined ? 'no' : 'normal';
	return submoduleStates(repository, ignored, (nested) => changed(nested, untracked));
}

/** Ignored paths in the form that is listed. */
function ignoredPaths(scan: Scan, tracked: ReadonlySet<string>, options: StatusHow): string[] {
	if (!options.ignored) return [];
	const hidden = [...scan.files.keys()].filter((path) => !scan.visible.has(path) && !tracked.has(path));
	const nested = scan.nested.filter((path) => scan.rules.ignoresBelow(path.slice(0, -1), true));
	const all = [...hidden, ...nested];
	const known = new Set([...tracked, ...scan.visible]);
	if (options.ignored === 'matching') {
		const folders = scan.ignored.filter((path) => path.endsWith('/') && all.some((one) => one.startsWith(path)));
		const isInside = (path: string) => folders.some((folder) => path.startsWith(folder));
		return [...folders, ...all.filter((path) => !isInside(path))].sort(comparePaths);
	}
	return (options.untracked === 'all' ? all : fold(all, known)).sort(comparePaths);
}

/** Replaces files by their directory if nothing in it is tracked. @param isFoldable returns whether it may be folded */
function fold(
	paths: readonly string[],
	tracked: ReadonlySet<string>,
	isFoldable: (directory: string) => boolean = () => true
): string[] {
	const known = new Set<string>();
	for (const path of tracked) {
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) known.add(path.slice(0, end + 1));
	}
	const folded = new Set<string>();
	for (const path of paths) {
		let end = path.indexOf('/');
		while (end > 0 && (known.has(path.slice(0, end + 1)) || !isFoldable(path.slice(0, end))))
			end = path.indexOf('/', end + 1);
		folded.add(end < 0 ? path : path.slice(0, end + 1));
	}
	return [...folded];
}

function conflictCode([base, ours, theirs]: boolean[]): string {
	if (base) return ours ? (theirs ? 'UU' : 'UD') : theirs ? 'DU' : 'DD';
	return ours ? (theirs ? 'AA' : 'AU') : 'UA';
}
