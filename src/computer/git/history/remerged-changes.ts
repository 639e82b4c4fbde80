import { compareTrees, pathOf, type Change } from '../diff/change.ts';
import { comparePaths } from '../bytes.ts';
import type { DIFF_OPTIONS } from '../diff/options.ts';
import { selectChanges } from '../diff/select.ts';
import type { Invocation } from '../invocation.ts';
import { mergedTree } from '../merge/apply.ts';
import { mergeCommits } from '../merge/merge-commits.ts';
import { subjectOf } from '../objects/commit.ts';
import type { Options } from '../options.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import type { Revision } from './walk.ts';

/**
 * Changes of a merge against the result of merging its two parents again: how conflicts were resolved, and what else was
 * changed. The merged contents are written as objects, which the next `gc` removes.
 */
export function remergedChanges(
	git: Invocation,
	{ commit }: Revision,
	pathspec: Pathspec,
	options: Options<keyof typeof DIFF_OPTIONS>,
	ignoresCase: boolean
): Change[] {
	const { repository } = git;
	const label = (id: string) => `${repository.objects.abbreviate(id)} (${subjectOf(repository.commit(id).message)})`;
	const [ours, theirs] = commit.parents;
	if (ours === undefined || theirs === undefined) return [];
	const merged = mergeCommits(git, ours, theirs, { ours: label(ours), theirs: label(theirs) });
	const remarks = new Map<string, string[]>();
	for (const { kind, paths, text } of merged.notices) {
		if (!kind.startsWith('CONFLICT')) continue;
		const path = paths[0] ?? '';
		remarks.set(path, [...(remarks.get(path) ?? []), ...text.split('\n').map((line) => `remerge ${line}`)]);
	}
	const changes = compareTrees(repository.objects, mergedTree(git, merged), commit.tree);
	const found = selectChanges(repository, changes, pathspec, options, { ignoresCase }).map((change): Change => {
		const path = change.before?.path ?? pathOf(change);
		const noted = remarks.get(path);
		remarks.delete(path);
		return noted === undefined ? change : { ...change, remarks: noted };
	});
	const filter = options.all('filter').join('');
	const isPicked = (['pickaxe', 'pickaxeRegex', 'findObject'] as const).some((name) => options.has(name));
	if (isPicked || (filter !== '' && !/[U*]/.test(filter.replace(/[a-z]/g, '')))) return found;
	const more = [...remarks].filter(([path]) => pathspec.isEmpty || pathspec.matches(path)).map(onlyRemarks);
	const oldPath = (change: Change) => change.before?.path ?? pathOf(change);
	return more.length === 0 ? found : [...found, ...more].sort((a, b) => comparePaths(oldPath(a), oldPath(b)));
}

/** Entry for a path that had conflicts, but is as they left it. */
function onlyRemarks([path, remarks]: [path: string, remarks: string[]]): Change {
	const before = { path, mode: 0, id: '', inWorktree: false };
	return { status: 'U', before, after: null, similarity: 0, remarks };
}
