import { comparePaths } from '../bytes.ts';
import { pathOf, type Change } from '../diff/change.ts';
import { Pathspec } from './pathspec.ts';
import { findRenames } from '../diff/renames.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import type { Repository } from '../repository.ts';
import { scanRepository } from './scan.ts';

/** Result of `git status`. */
export interface Status {
	/** HEAD to index, renames found. */
	staged: Change[];
	/** Index to working tree. */
	unstaged: Change[];
	/** Path and which of base, ours, theirs there are: `UU`, `AA`, `DU` … */
	unmerged: { path: string; code: string }[];
	/** Sorted; directories end with a slash. */
	untracked: string[];
	ignored: string[];
}

/** @param untracked `normal` folds directories with nothing tracked in them into one line */
export function computeStatus(
	repository: Repository,
	options: { untracked?: 'no' | 'normal' | 'all'; ignored?: boolean; paths?: string[] } = {}
): Status {
	const scan = scanRepository(repository, { listIgnored: options.ignored });
	const { index } = repository;
	const unstaged = indexToWorktree(repository, scan);
	const staged = findRenames(repository, treeToIndex(repository, headTree(repository)));
	index.save();
	const tracked = new Set(index.entries().map(({ path }) => path));
	const mode = options.untracked ?? 'normal';
	// Entries below a path that is tracked as a file are reported by that file alone.
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
	const untracked = mode === 'all' ? [...loose, ...nested] : fold([...loose, ...nested], tracked);
	return {
		staged: staged.filter((change) => change.status !== 'U' && within(change)),
		unstaged: unstaged.filter((change) => change.status !== 'U' && within(change)),
		unmerged: index
			.unmerged()
			.map((path) => ({ path, code: conflictCode([1, 2, 3].map((stage) => !!index.get(path, stage))) })),
		untracked: untracked.filter((path) => pathspec.matches(path.replace(/\/$/, ''))).sort(comparePaths),
		ignored: options.ignored
			? fold(
					scan.ignored.filter((path) => path.endsWith('/') || !tracked.has(path)),
					new Set([...tracked, ...scan.visible])
				).sort(comparePaths)
			: []
	};
}

/** Names a directory instead of its files where nothing in it is tracked. */
function fold(paths: readonly string[], tracked: ReadonlySet<string>): string[] {
	const known = new Set<string>();
	for (const path of tracked) {
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) known.add(path.slice(0, end + 1));
	}
	const folded = new Set<string>();
	for (const path of paths) {
		let end = path.indexOf('/');
		while (end > 0 && known.has(path.slice(0, end + 1))) end = path.indexOf('/', end + 1);
		folded.add(end < 0 ? path : path.slice(0, end + 1));
	}
	return [...folded];
}

function conflictCode([base, ours, theirs]: boolean[]): string {
	if (base) return ours ? (theirs ? 'UU' : 'UD') : theirs ? 'DU' : 'DD';
	return ours ? (theirs ? 'AA' : 'AU') : 'UA';
}
