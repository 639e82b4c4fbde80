import type { FileCount } from './file-count.ts';
import { NULL_ID } from '../objects/object.ts';
import { modeText } from '../objects/tree.ts';
import { quotePath, quotePrefixed } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import { arrowName } from './arrow-name.ts';
import { pathOf, type Change, type ChangeSide } from './change.ts';
import { isBinary, splitLines } from './lines.ts';
import { conflictPatch } from './merge-patch.ts';
import { sideContent } from './sides.ts';
import { printStat } from './stat.ts';
import { lineChanges, unifiedHunks, type Blanks } from './unified-diff.ts';

/** Forms of showing changes; several are printed in git's order. */
export interface DiffFormat {
	patch: boolean;
	stat: boolean;
	shortstat: boolean;
	summary: boolean;
	numstat: boolean;
	nameOnly: boolean;
	nameStatus: boolean;
	raw: boolean;
	context: number;
	/** Paths end with a zero byte and are not quoted. */
	zero: boolean;
	/** Ignored whitespace: all (`-w`), amount (`-b`), at line ends. */
	blanks: Blanks;
	/** Ids are shown whole. */
	fullIds: boolean;
	/** `a/` and `b/`. */
	prefixes: readonly [string, string];
	/** Binary files are compared as text. */
	text: boolean;
	/** Paths in conflict are shown against both sides at once. */
	combined: boolean;
	/** Columns of `--stat`. */
	width: number;
}

export const NO_DIFF: DiffFormat = {
	patch: false,
	stat: false,
	shortstat: false,
	summary: false,
	numstat: false,
	nameOnly: false,
	nameStatus: false,
	raw: false,
	context: 3,
	zero: false,
	blanks: 'count',
	fullIds: false,
	prefixes: ['a/', 'b/'],
	text: false,
	combined: true,
	width: 80
};

/** Everything `format` asks for, as binary text. */
export function printChanges(repository: Repository, changes: readonly Change[], format: DiffFormat): string {
	const end = format.zero ? '\0' : '\n';
	const name = (path: string) => (format.zero ? path : quotePath(path));
	const both = (change: Change) =>
		change.status === 'R' || change.status === 'C'
			? [name(change.before!.path), name(change.after!.path)]
			: [name(pathOf(change))];
	const letter = ({ status, similarity }: Change) =>
		status === 'R' || status === 'C' ? status + String(similarity).padStart(3, '0') : status;
	const separator = format.zero ? '\0' : '\t';
	let text = '';
	for (const change of changes) {
		if (format.nameOnly) text += name(pathOf(change)) + end;
		else if (format.nameStatus) text += [letter(change), ...both(change)].join(separator) + end;
		else if (format.raw) {
			const { before, after } = change;
			const id = (side: ChangeSide | null) =>
				!side || side.inWorktree
					? '0'.repeat(format.fullIds ? 40 : 7)
					: format.fullIds
						? side.id
						: repository.objects.abbreviate(side.id);
			text += `:${modeText(before?.mode ?? 0)} ${modeText(after?.mode ?? 0)} ${id(before)} ${id(after)} ${letter(change)}`;
			text += separator + both(change).join(separator) + end;
		}
	}
	const wantsCounts = format.stat || format.shortstat || format.numstat;
	const counted = wantsCounts
		? changes
				.map((change) => countChange(repository, change, format))
				.filter(({ change, counts }) => !isNothing(change, counts, format))
		: [];
	if (format.numstat) {
		for (const { change, counts } of counted) {
			if (change.status === 'U') continue;
			const shown = counts ? `${counts.added}\t${counts.removed}` : '-\t-';
			text += `${shown}\t${format.zero && change.status === 'R' ? `\0${both(change).join('\0')}` : format.zero ? pathOf(change) : arrowName(change)}${end}`;
		}
	}
	if (format.stat || format.shortstat) text += printStat(counted, format.stat, format.width);
	if (format.summary) for (const change of changes) text += summaryLine(change);
	if (!format.patch) return text;
	if (text !== '') text += '\n';
	const inConflict = new Set(changes.filter(({ status }) => status === 'U').map(pathOf));
	const shown = changes.filter(
		(change) => change.status === 'U' || !format.combined || !inConflict.has(pathOf(change))
	);
	return text + shown.map((change) => printPatch(repository, change, format)).join('');
}

/** A file in which only blanks differ that do not count. */
const isNothing = ({ status, before, after }: Change, counts: FileCount['counts'], { blanks }: DiffFormat): boolean =>
	blanks !== 'count' && status === 'M' && before?.mode === after?.mode && counts?.added === 0 && counts.removed === 0;

export function countChange(repository: Repository, change: Change, format: DiffFormat = NO_DIFF): FileCount {
	if (change.status === 'U') return { change, counts: { added: 0, removed: 0 }, bytes: { before: 0, after: 0 } };
	const before = sideContent(repository, change.before);
	const after = sideContent(repository, change.after);
	const bytes = { before: before.length, after: after.length };
	if (change.before?.id === change.after?.id) return { change, counts: { added: 0, removed: 0 }, bytes };
	if (!format.text && (isBinary(before) || isBinary(after))) return { change, counts: null, bytes };
	const counts = { added: 0, removed: 0 };
	for (const { beforeCount, afterCount } of lineChanges(splitLines(before), splitLines(after), format.blanks)) {
		counts.removed += beforeCount;
		counts.added += afterCount;
	}
	return { change, counts, bytes };
}

/** ` create mode 100644 a.ts`, as commit and merge print it; '' where there is nothing to say. */
export function summaryLine(change: Change): string {
	const { status, before, after } = change;
	if (status === 'A') return ` create mode ${modeText(after!.mode)} ${quotePath(after!.path)}\n`;
	if (status === 'D') return ` delete mode ${modeText(before!.mode)} ${quotePath(before!.path)}\n`;
	const modes =
		before && after && before.mode !== after.mode ? `${modeText(before.mode)} => ${modeText(after.mode)}` : '';
	if (status === 'R') {
		const changed = modes === '' ? '' : ` mode change ${modes}\n`;
		return ` rename ${arrowName(change)} (${change.similarity}%)\n${changed}`;
	}
	return modes === '' || status === 'U' ? '' : ` mode change ${modes} ${quotePath(after!.path)}\n`;
}

/** Prints the diff of one file, from `diff --git` on. */
export function printPatch(repository: Repository, change: Change, format: DiffFormat): string {
	const { status, before, after } = change;
	if (status === 'U')
		return (
			(format.combined ? conflictPatch(repository, pathOf(change)) : null) ??
			`* Unmerged path ${quotePath(pathOf(change))}\n`
		);
	// A change of the file type is shown as removal and creation.
	if (status === 'T') {
		const removed: Change = { ...change, status: 'D', after: null };
		return (
			printPatch(repository, removed, format) + printPatch(repository, { ...change, status: 'A', before: null }, format)
		);
	}
	const from = quotePrefixed(format.prefixes[0], before?.path ?? pathOf(change));
	const to = quotePrefixed(format.prefixes[1], after?.path ?? pathOf(change));
	let text = `diff --git ${from} ${to}\n`;
	if (!before) text += `new file mode ${modeText(after!.mode)}\n`;
	else if (!after) text += `deleted file mode ${modeText(before.mode)}\n`;
	else if (before.mode !== after.mode) text += `old mode ${modeText(before.mode)}\nnew mode ${modeText(after.mode)}\n`;
	if (status === 'R') {
		text += `similarity index ${change.similarity}%\nrename from ${quotePath(before!.path)}\nrename to ${quotePath(after!.path)}\n`;
	}
	const beforeId = before?.id ?? NULL_ID;
	const afterId = after?.id ?? NULL_ID;
	if (beforeId === afterId) return text;
	const short = (id: string) =>
		format.fullIds
			? id
			: id === NULL_ID
				? '0'.repeat(repository.objects.abbreviate(NULL_ID).length)
				: repository.objects.abbreviate(id);
	const mode = before && after && before.mode === after.mode ? ` ${modeText(after.mode)}` : '';
	text += `index ${short(beforeId)}..${short(afterId)}${mode}\n`;
	const oldContent = sideContent(repository, before);
	const newContent = sideContent(repository, after);
	const oldName = before ? from : '/dev/null';
	const newName = after ? to : '/dev/null';
	if (!format.text && (isBinary(oldContent) || isBinary(newContent)))
		return `${text}Binary files ${oldName} and ${newName} differ\n`;
	const hunks = unifiedHunks(splitLines(oldContent), splitLines(newContent), format.context, format.blanks);
	if (hunks === '') return format.blanks !== 'count' && status === 'M' && mode !== '' ? '' : text;
	const tab = (name: string) => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name);
	return `${text}--- ${tab(oldName)}\n+++ ${tab(newName)}\n${hunks}`;
}
