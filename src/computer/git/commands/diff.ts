import { fatal } from '../errors.ts';
import { compareTrees, makeChange, pathOf, type Change } from '../diff/change.ts';
import { binaryBytes } from '../diff/lines.ts';
import { DIFF_OPTIONS, diffFormat, formatHow } from '../diff/options.ts';
import { combinedHow, mergedChanges, printMerged } from '../diff/merge-patch.ts';
import { selectChanges } from '../diff/select.ts';
import { headTree, indexToWorktree, stagedFiles, treeToIndex, treeToWorktree } from '../diff/sides.ts';
import { mergeBases } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { Mode } from '#environment/mode.ts';
import { areBeside, filesBeside } from '../diff/no-index.ts';
import { objectId } from '../objects/object.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { modeOf, storedContent } from '../worktree/file-state.ts';
import { parseOptions, type Options } from '../options.ts';
import { peel, resolveCommit, resolveRevision, resolveTree } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { statesOfSubmodules } from '../worktree/status.ts';
import { ignoredState } from '../worktree/submodules.ts';
import { treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { printCompared } from './compared.ts';

const OPTIONS = {
	...DIFF_OPTIONS,
	cached: '--cached --staged',
	exitCode: '--exit-code',
	quiet: '--quiet',
	mergeBase: '--merge-base',
	combined: '-c',
	dense: '--cc',
	allPaths: '--combined-all-paths',
	noIndex: '--no-index'
};

type DiffCommandOptions = Options<keyof typeof OPTIONS>;

export const diff: Command = (git, args) => {
	const options = parseOptions('diff [<options>] [<commit>] [--] [<path>...]', args, OPTIONS);
	const given = [...options.operands, ...(options.paths ?? [])];
	if (options.has('noIndex') || areBeside(git, given)) {
		const found = filesBeside(git, given);
		const chosen = selectChanges(found.repository, found.changes, new Pathspec(found.repository, []), options);
		options.add('exitCode', '');
		return shown(git, found.repository, chosen, options, ['1', '2']);
	}
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const ends = combinedEnds(repository, revisions);
	if (ends) return showCombined(git, ends, new Pathspec(repository, paths), options);
	const changes = selectChanges(
		repository,
		findChanges(repository, revisions, options.has('cached'), options.has('mergeBase'), options),
		new Pathspec(repository, paths),
		options,
		{ filesBefore: () => filesBefore(repository, revisions[0] ?? (options.has('cached') ? 'HEAD' : undefined)) }
	);
	repository.index.save();
	return shown(git, repository, changes, options, sidesOf(revisions, options.has('cached')), options.has('cached'));
};

/** Result and parents of a combined diff (`<rev>^!` or more than two trees); null for any other comparison. */
function combinedEnds(
	repository: Repository,
	revisions: readonly string[]
): { result: string; parents: string[] } | null {
	const [first = ''] = revisions;
	const name = /^(.*)\^!$/.exec(first)?.[1];
	if (name !== undefined && revisions.length === 1) {
		const id = resolveCommit(repository, name === '' ? 'HEAD' : name);
		const { tree, parents } = repository.commit(id);
		return { result: tree, parents: parents.map((parent) => repository.commit(parent).tree) };
	}
	if (revisions.length < 3 || revisions.some((text) => text.includes('..') || text.startsWith('^'))) return null;
	const [result = '', ...parents] = revisions.map((text) => resolveTree(repository, text));
	return { result, parents };
}

function showCombined(
	git: Invocation,
	{ result, parents }: { result: string; parents: readonly string[] },
	pathspec: Pathspec,
	options: DiffCommandOptions
): number {
	const { repository } = git;
	const since = parents.map((parent) =>
		selectChanges(repository, compareTrees(repository.objects, parent, result), pathspec, options)
	);
	const [only] = since;
	if (since.length === 1 && only) return shown(git, repository, only, options, ['a', 'b']);
	const format = diffFormat(options, true, formatHow(git, true, repository.config));
	const isDense = options.latest('combined', 'dense') !== 'combined';
	const merged = mergedChanges(since);
	const text = printMerged(repository, merged, format, combinedHow(format, isDense, options.has('allPaths')));
	if (!options.has('quiet')) git.out(binaryBytes(text));
	return merged.length > 0 && (options.has('exitCode') || options.has('quiet')) ? 1 : 0;
}

/** Files of the old side: of a tree, or of the index if no revision is given. */
function filesBefore(repository: Repository, first: string | undefined): ReadonlyMap<string, TreeFile> {
	if (first === undefined) return stagedFiles(repository);
	if (first === 'HEAD') return treeFiles(repository.objects, headTree(repository));
	const id = peel(repository, resolveRevision(repository, first.split('..')[0] || 'HEAD'), 'tree');
	return id === null ? new Map() : treeFiles(repository.objects, id);
}

/** Prefixes of the two sides for `diff.mnemonicPrefix`: commit, index, worktree or object. */
function sidesOf(revisions: readonly string[], cached: boolean): [string, string] {
	const [first, second] = revisions;
	if (cached) return ['c', 'i'];
	if (first === undefined) return ['i', 'w'];
	return second !== undefined || first.includes('..') ? ['a', 'b'] : first.includes(':') ? ['o', 'w'] : ['c', 'w'];
}

/** Prints changes. Returns the exit code. */
function shown(
	git: Invocation,
	repository: Repository,
	changes: readonly Change[],
	options: DiffCommandOptions,
	sides: [string, string],
	isStaged = false
): number {
	const format = diffFormat(options, true, { ...formatHow(git, true, repository.config), sides });
	// The index has no merge result to compare the sides of a conflict with.
	const shownFormat = isStaged ? { ...format, combined: false } : format;
	return printCompared(git, repository, changes, options, shownFormat);
}

function findChanges(
	repository: Repository,
	revisions: string[],
	cached: boolean,
	mergeBase: boolean,
	sides: SideOptions
): Change[] {
	const tree = (text: string): string => {
		const id = peel(repository, resolveRevision(repository, text === '' ? 'HEAD' : text), 'tree');
		if (id === null) throw fatal(`'${text}' is not a tree`);
		return id;
	};
	const base = (a: string, b: string): string => {
		const [found] = mergeBases(
			repository,
			resolveCommit(repository, a || 'HEAD'),
			resolveCommit(repository, b || 'HEAD')
		);
		if (found === undefined) throw fatal(`${a}...${b}: no merge base`);
		return repository.commit(found).tree;
	};
	const states = () => statesOfSubmodules(repository, ignoredState(sides.get('ignoreSubmodules')));
	const [first, second] = revisions;
	if (cached) {
		if (second !== undefined) throw fatal('--cached takes one commit at most');
		return treeToIndex(repository, first === undefined ? headTree(repository) : tree(first));
	}
	if (first === undefined)
		return indexToWorktree(repository, undefined, states()).flatMap((change) =>
			conflictSides(repository, change, sides)
		);
	if (first.includes(':') && second?.includes(':')) {
		const [before, after] = [blobNamed(repository, first), blobNamed(repository, second)];
		if (before && after) {
			const change = makeChange('', before, after);
			return before.id === after.id
				? []
				: [
						{
							...change,
							before: { ...change.before!, path: before.path },
							after: { ...change.after!, path: after.path }
						}
					];
		}
	}
	if (second !== undefined)
		return compareTrees(repository.objects, mergeBase ? base(first, second) : tree(first), tree(second));
	const three = first.indexOf('...');
	if (three >= 0) {
		const [left, right] = [first.slice(0, three), first.slice(three + 3)];
		return compareTrees(repository.objects, base(left, right), tree(right));
	}
	const two = first.indexOf('..');
	if (two >= 0) return compareTrees(repository.objects, tree(first.slice(0, two)), tree(first.slice(two + 2)));
	return treeToWorktree(repository, mergeBase ? base(first, 'HEAD') : tree(first), states());
}

type SideOptions = Options<'base' | 'theirs' | 'ignoreSubmodules'>;

/** Lists an unmerged path twice: as unmerged, and with the changes of the worktree since one side (ours by default). */
export function conflictSides(repository: Repository, change: Change, sides: SideOptions): Change[] {
	if (change.status !== 'U') return [change];
	const side = sides.has('base') ? 1 : sides.has('theirs') ? 3 : 2;
	const path = pathOf(change);
	const ours = repository.index.get(path, side);
	const stat = lstatOrNull(repository, repository.absolute(path));
	if (!ours || stat?.kind === 'directory') return [change];
	const content = stat && storedContent(repository, path, stat);
	const now = content && { mode: modeOf(stat), id: objectId('blob', content) };
	if (now?.id === ours.id && now.mode === ours.mode) return [change];
	return [change, makeChange(path, { mode: ours.mode, id: ours.id }, now, true)];
}

/** Resolves a blob named like `HEAD~1:src/a.ts`; null for any other revision. */
function blobNamed(repository: Repository, text: string): { id: string; mode: number; path: string } | null {
	const id = resolveRevision(repository, text);
	if (repository.objects.find(id)?.type !== 'blob') return null;
	return { id, mode: Mode.file, path: text.slice(text.indexOf(':') + 1) };
}
