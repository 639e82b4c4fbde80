import type { FileCount } from './file-count.ts';
import { NULL_ID } from '../objects/object.ts';
import { modeText } from '../objects/tree.ts';
import { quotePath } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import { arrowName } from './arrow-name.ts';
import { pathOf, type Change, type ChangeSide } from './change.ts';
import { comparedFile } from './compared-file.ts';
import { dirstatLines } from './dirstat.ts';
import { filePatchLines } from './file-patch-lines.ts';
import { NO_DIFF, type DiffFormat } from './format.ts';
import { nameText, splitLines } from './lines.ts';
import { paintedLines, type PatchLine } from './patch-lines.ts';
import { prefetchChanges } from './prefetch-sides.ts';
import { printStat } from './stat.ts';
import { summaryLine } from './summary.ts';
import { ruledChanges } from './unified-diff.ts';

/** Prints everything that `format` requests, as binary text. */
export function printChanges(repository: Repository, changes: readonly Change[], format: DiffFormat): string {
	let text = listText(repository, changes, format);
	const wantsCounts = format.stat || format.shortstat || format.numstat;
	if (wantsCounts || format.dirstat !== null || format.patch) prefetchChanges(repository, changes);
	const counted = wantsCounts
		? changes
				.map((change) => countChange(repository, change, format))
				.filter(({ change, counts }) => !isNothing(change, counts, format))
		: [];
	if (format.numstat) text += counted.map((file) => numstatLine(file, format)).join('');
	if (format.stat || format.shortstat) {
		const how = { widths: format.widths, compact: format.compact, colors: format.colors };
		if (format.stat) text += printStat(counted, true, how);
		if (format.shortstat) text += printStat(counted, false, how);
	}
	if (format.dirstat !== null) text += dirstatLines(repository, changes, format.dirstat);
	if (format.summary) for (const change of changes) text += summaryLine(change);
	if (format.linePrefix !== '') text = text.replace(/^(?=[^])/gm, format.linePrefix);
	if (!format.patch) return text;
	if (text !== '') text += `${format.linePrefix}${format.zero ? '\0' : '\n'}`;
	const inConflict = new Set(changes.filter(({ status }) => status === 'U').map(pathOf));
	const shown = changes.filter(
		(change) => change.status === 'U' || !format.combined || !inConflict.has(pathOf(change))
	);
	// Processes all files at once, because lines may have moved between files.
	const lines = shown.flatMap((change): PatchLine[] => filePatchLines(repository, change, format));
	return text + paintedLines(lines, format);
}

/** The diff of one file, from `diff --git` on. */
export const printPatch = (repository: Repository, change: Change, format: DiffFormat): string =>
	paintedLines(filePatchLines(repository, change, format), format);

/** Returns whether a change has anything to show in a format, which may ignore whitespace changes. */
export function isShown(repository: Repository, change: Change, format: DiffFormat): boolean {
	const { blanks, blankLines, ignored } = format.lines;
	if (blanks === 'count' && blankLines && ignored.length === 0) return true;
	return filePatchLines(repository, change, format).length > 0;
}

const isPair = ({ status }: Change): boolean => status === 'R' || status === 'C';

/** Lines of `--name-only`, `--name-status` and `--raw`. */
function listText(repository: Repository, changes: readonly Change[], format: DiffFormat): string {
	const end = format.zero ? '\0' : '\n';
	const separator = format.zero ? '\0' : '\t';
	const name = (path: string) => nameText(format.zero ? path : quotePath(path));
	const both = (change: Change) =>
		isPair(change) ? [name(change.before!.path), name(change.after!.path)] : [name(pathOf(change))];
	const letter = (change: Change) =>
		isPair(change) || change.isRewrite ? change.status + String(change.similarity).padStart(3, '0') : change.status;
	if (format.nameOnly) return changes.map((change) => name(pathOf(change)) + end).join('');
	if (format.nameStatus)
		return changes.map((change) => [letter(change), ...both(change)].join(separator) + end).join('');
	if (!format.raw) return '';
	const digits = (id: string) => repository.objects.abbreviate(id, format.digits);
	const id = (side: ChangeSide | null) => {
		const shown = !side || side.inWorktree ? NULL_ID : side.id;
		if (format.fullIds === true || format.fullIds === 'raw') return shown;
		return shown === NULL_ID ? '0'.repeat(format.digits ?? digits(NULL_ID).length) : digits(shown);
	};
	const line = (change: Change) => {
		const { before, after } = change;
		const head = `:${modeText(before?.mode ?? 0)} ${modeText(after?.mode ?? 0)} ${id(before)} ${id(after)} ${letter(change)}`;
		return [head, ...both(change)].join(separator) + end;
	};
	return changes.map(line).join('');
}

function numstatLine({ change, counts }: FileCount, { zero }: DiffFormat): string {
	if (change.status === 'U') return '';
	const shown = counts ? `${counts.added}\t${counts.removed}` : '-\t-';
	if (!zero) return `${shown}\t${nameText(arrowName(change))}\n`;
	const names = isPair(change)
		? `\0${nameText(change.before!.path)}\0${nameText(change.after!.path)}`
		: nameText(pathOf(change));
	return `${shown}\t${names}\0`;
}

/** Returns whether a file has only ignored changes, or none. */
const isNothing = ({ status, before, after }: Change, counts: FileCount['counts'], { lines }: DiffFormat): boolean =>
	(before?.id === after?.id || lines.blanks !== 'count' || !lines.blankLines || lines.ignored.length > 0) &&
	status === 'M' &&
	before?.mode === after?.mode &&
	counts?.added === 0 &&
	counts.removed === 0;

export function countChange(repository: Repository, change: Change, format: DiffFormat = NO_DIFF): FileCount {
	if (change.status === 'U') return { change, counts: { added: 0, removed: 0 }, bytes: { before: 0, after: 0 } };
	const file = comparedFile(repository, change, format);
	const bytes = { before: file.before.length, after: file.after.length };
	const isSame = change.before?.id === change.after?.id;
	if (file.isBinary) return { change, counts: null, bytes: isSame ? { before: 0, after: 0 } : bytes };
	if (isSame) return { change, counts: { added: 0, removed: 0 }, bytes };
	const [before, after] = [splitLines(file.before), splitLines(file.after)];
	const counts = { added: 0, removed: 0 };
	if (change.isRewrite) return { change, counts: { added: after.length, removed: before.length }, bytes };
	for (const { beforeCount, afterCount, isIgnored } of ruledChanges(before, after, format.lines)) {
		if (isIgnored) continue;
		counts.removed += beforeCount;
		counts.added += afterCount;
	}
	return { change, counts, bytes };
}
