import { mergeBases, walkHistory } from '../history/walk.ts';
import { subjectOf } from '../objects/commit.ts';
import { EMPTY_TREE, NULL_ID } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { moduleDirectory } from '../submodule/git-directory.ts';
import { modulesOf } from '../submodule/modules.ts';
import { statesOfSubmodules } from '../worktree/status.ts';
import { compareTrees, pathOf, type Change } from './change.ts';
import type { DiffSlot } from './colors.ts';
import { NO_DIFF, type DiffFormat } from './format.ts';
import { nameText } from './lines.ts';
import type { PatchLine } from './patch-lines.ts';
import { findRenames } from './renames.ts';
import { treeToWorktree } from './sides.ts';

type FilePatchLines = (repository: Repository, change: Change, format: DiffFormat) => PatchLine[];

/** Lines for a submodule: its added and removed commits, or their changes. */
export function submoduleLines(
	repository: Repository,
	change: Change,
	format: DiffFormat,
	linesOfFile: FilePatchLines
): PatchLine[] {
	const { before, after } = change;
	const path = pathOf(change);
	const name = nameText(path);
	const nested = moduleAt(repository, path);
	const lines: PatchLine[] = [];
	if (after?.dirt?.hasUntracked) lines.push({ kind: 'raw', text: `Submodule ${name} contains untracked content\n` });
	if (after?.dirt?.isModified) lines.push({ kind: 'raw', text: `Submodule ${name} contains modified content\n` });
	const isThere = (id: string) => nested?.objects.find(id)?.type === 'commit';
	const isComplete = [before, after].every((side) => side === null || isThere(side.id));
	const bases = nested && before && after && isComplete ? mergeBases(nested, before.id, after.id) : [];
	if (before?.id !== after?.id)
		lines.push({ kind: 'meta', text: headLine(repository, change, bases, nested === null, isComplete) });
	if (!nested || !isComplete) return lines;
	if (format.submodule === 'diff') return [...lines, ...innerLines(nested, change, format, linesOfFile)];
	return before && after ? [...lines, ...commitLines(nested, [before.id, after.id], bases, format)] : lines;
}

/** Repository of a submodule; if it is not checked out, that in `.git`. null if there is none. */
function moduleAt(repository: Repository, path: string): Repository | null {
	const nested = repository.nested(path);
	if (nested) return nested;
	const name = modulesOf(repository).get(path)?.name;
	return name === undefined ? null : repository.another(moduleDirectory(repository, name));
}

function headLine(
	repository: Repository,
	change: Change,
	bases: readonly string[],
	isMissing: boolean,
	isComplete: boolean
): string {
	const { before, after } = change;
	const [from, to] = [before?.id ?? NULL_ID, after?.id ?? NULL_ID];
	const isBack = bases.includes(to);
	const short = (id: string) => repository.objects.abbreviate(id);
	const range = `${short(from)}${isBack || bases.includes(from) ? '..' : '...'}${short(to)}`;
	const kind = !before ? '(new submodule)' : !after ? '(submodule deleted)' : null;
	const note = (isMissing ? kind : isComplete ? kind : null) ?? (isComplete ? null : '(commits not present)');
	return `Submodule ${nameText(pathOf(change))} ${range}${note === null ? `${isBack ? ' (rewind)' : ''}:` : ` ${note}`}\n`;
}

/** Subjects of the commits that are only on one side. */
function commitLines(
	nested: Repository,
	[from, to]: readonly [string, string],
	bases: readonly string[],
	{ colors }: DiffFormat
): PatchLine[] {
	const exclude = [...bases];
	const gone = new Set([...walkHistory(nested, { include: [from], exclude }, true)].map(({ id }) => id));
	const paint = (slot: DiffSlot, text: string) => (colors ? `${colors[slot]}${text}${colors.reset}` : text);
	return [...walkHistory(nested, { include: [from, to], exclude }, true)].map(({ id, commit }): PatchLine => {
		const text = `  ${gone.has(id) ? '<' : '>'} ${nameText(subjectOf(commit.message))}`;
		return { kind: 'raw', text: `${paint(gone.has(id) ? 'old' : 'new', text)}\n` };
	});
}

/** Diff of the files in a submodule; includes uncommitted changes if there are any. */
function innerLines(
	nested: Repository,
	change: Change,
	{ prefixes, colors }: DiffFormat,
	linesOfFile: FilePatchLines
): PatchLine[] {
	const { before, after } = change;
	const path = pathOf(change);
	const [old, now] = [before, after].map((side) => (side ? nested.commit(side.id).tree : EMPTY_TREE)) as [
		string,
		string
	];
	const changes = after?.dirt?.isModified
		? treeToWorktree(nested, old, statesOfSubmodules(nested))
		: compareTrees(nested.objects, old, now);
	const format: DiffFormat = {
		...NO_DIFF,
		...{ patch: true, submodule: 'diff', colors },
		prefixes: [`${prefixes[0]}${path}/`, `${prefixes[1]}${path}/`]
	};
	return findRenames(nested, changes).flatMap((one) => linesOfFile(nested, one, format));
}
