import type { Commit } from '../objects/commit.ts';
import { NULL_ID } from '../objects/object.ts';
import { modeText } from '../objects/tree.ts';
import { Mode } from '#environment/mode.ts';
import { quotePath } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { modeOf, storedContent } from '../worktree/file-state.ts';
import type { TreeFile } from '../worktree/tree-files.ts';
import { compareTrees, pathOf, type Change } from './change.ts';
import { combinedDiff, DENSE, type CombinedHow } from './combined.ts';
import type { DiffFormat } from './format.ts';
import { isBinary, nameText, splitLines } from './lines.ts';
import { sideContent } from './sides.ts';

/**
 * Combined diff of a file in conflict: the working tree's version against both sides; null if one of them is missing.
 */
export function conflictPatch(repository: Repository, path: string, format: DiffFormat): string | null {
	const { index, objects } = repository;
	const sides = [index.get(path, 2), index.get(path, 3)];
	const full = repository.absolute(path);
	const stat = lstatOrNull(repository, full);
	const [ours, theirs] = sides;
	if (!ours || !theirs || !stat || stat.kind === 'directory') return null;
	const content = storedContent(repository, path, stat);
	const read = (file: TreeFile) => objects.read(file.id, 'blob');
	if ([content, read(ours), read(theirs)].some(isBinary)) return null;
	const parent = (side: TreeFile) => ({ path, file: { mode: side.mode, lines: splitLines(read(side)) } });
	const short = objects.abbreviate(ours.id, format.digits);
	return combinedDiff(
		{
			path,
			always: true,
			parents: [parent(ours), parent(theirs)],
			result: { mode: modeOf(stat), lines: splitLines(content) },
			shown: {
				parents: [short, objects.abbreviate(theirs.id, format.digits)],
				result: '0'.repeat(short.length)
			}
		},
		combinedHow(format, true, false)
	);
}

/** Options for merged files that correspond to a diff format. */
export const combinedHow = (format: DiffFormat, isDense: boolean, allPaths: boolean): CombinedHow => ({
	...DENSE,
	isDense,
	allPaths,
	context: format.context,
	blanks: format.lines.blanks,
	colors: format.colors,
	prefixes: format.prefixes
});

/** A file that differs from every parent. */
export interface MergedChange {
	path: string;
	/** The change since each parent, in the order of the parents. */
	changes: readonly Change[];
}

/** Files that changed since all parents, given the changes since each of them. */
export function mergedChanges(sinceParents: readonly (readonly Change[])[]): MergedChange[] {
	const [first = [], ...others] = sinceParents;
	return first.flatMap((change): MergedChange[] => {
		const path = pathOf(change);
		const same = others.map((all) => all.find((other) => pathOf(other) === path));
		return same.every((one) => one !== undefined) ? [{ path, changes: [change, ...same] }] : [];
	});
}

/** Prints merged files in a format, as binary text. */
export function printMerged(
	repository: Repository,
	merged: readonly MergedChange[],
	format: DiffFormat,
	how: CombinedHow
): string {
	const lists = merged.map((one) => listLine(repository, one, format, how)).join('');
	if (!format.patch) return lists;
	const patches = merged.map((one) => mergedPatch(repository, one, format, how)).join('');
	return lists === '' || patches === '' ? lists + patches : `${lists}\n${patches}`;
}

function listLine(
	{ objects }: Repository,
	{ path, changes }: MergedChange,
	format: DiffFormat,
	{ allPaths }: CombinedHow
): string {
	const end = format.zero ? '\0' : '\n';
	const separator = format.zero ? '\0' : '\t';
	const name = (text: string) => nameText(format.zero ? text : quotePath(text));
	const letters = changes.map(({ status }) => status).join('');
	const names = [...(allPaths ? changes.map(({ before }) => before?.path ?? path) : []), path].map(name);
	if (format.nameOnly) return name(path) + end;
	if (format.nameStatus) return [letters, ...names].join(separator) + end;
	if (!format.raw) return '';
	const isWhole = format.fullIds === true || format.fullIds === 'raw';
	const id = (text: string) =>
		isWhole ? text : text === NULL_ID ? '0'.repeat(7) : objects.abbreviate(text, format.digits);
	const result = changes[0]!.after;
	const modes = [...changes.map(({ before }) => before), result].map((side) => modeText(side?.mode ?? 0));
	const ids = [...changes.map(({ before }) => before), result].map((side) => id(side?.id ?? NULL_ID));
	return (
		[`${':'.repeat(changes.length)}${modes.join(' ')} ${ids.join(' ')} ${letters}`, ...names].join(separator) + end
	);
}

function mergedPatch(
	repository: Repository,
	{ path, changes }: MergedChange,
	format: DiffFormat,
	how: CombinedHow
): string {
	const { objects } = repository;
	const sides = [...changes.map(({ before }) => before), changes[0]!.after];
	if (sides.some((side) => side?.mode === Mode.commit || (side && (side.mode & 0o170000) === 0o040000))) return '';
	const contents = sides.map((side) => (side ? sideContent(repository, side) : new Uint8Array(0)));
	const isData = !format.text && contents.some(isBinary);
	const file = (at: number) =>
		sides[at] ? { mode: sides[at].mode, lines: isData ? [] : splitLines(contents[at]!) } : null;
	const isWhole = format.fullIds === true || format.fullIds === 'patch';
	const short = (side: Change['before']) => {
		const id = side?.id ?? NULL_ID;
		if (isWhole) return id;
		return id === NULL_ID
			? '0'.repeat(objects.abbreviate(NULL_ID, format.digits).length)
			: objects.abbreviate(id, format.digits);
	};
	return combinedDiff(
		{
			path,
			parents: changes.map(({ before }, i) => ({ path: before?.path ?? path, file: file(i) })),
			result: file(changes.length),
			isBinary: isData,
			shown: { parents: changes.map(({ before }) => short(before)), result: short(changes[0]!.after) }
		},
		how
	);
}

/** Prints files that a merge changed since all its parents, in a format; only those that `isShown` selects. */
export function mergePatch(
	repository: Repository,
	commit: Commit,
	format: DiffFormat,
	{ isDense, isShown }: { isDense: boolean; isShown: (path: string) => boolean }
): string {
	const { objects } = repository;
	const since = commit.parents.map((parent) => compareTrees(objects, repository.commit(parent).tree, commit.tree));
	const merged = mergedChanges(since).filter(({ path }) => isShown(path));
	return printMerged(repository, merged, format, combinedHow(format, isDense, false));
}
