import type { Change } from '../diff/change.ts';
import { filePatchLines } from '../diff/file-patch-lines.ts';
import type { DiffFormat } from '../diff/format.ts';
import { paintedLines, type PatchLine } from '../diff/patch-lines.ts';
import type { Repository } from '../repository.ts';
import { headText, joinedHunk, readRange, runsOf, type Decision, type Hunk } from './hunk.ts';

/** A file whose hunks the user can choose. */
export interface FileChoice {
	kind: 'added' | 'deleted' | 'changed';
	/** Header lines without mode changes, plain and as shown. */
	head: readonly string[];
	paintedHead: readonly string[];
	/** The first may be a mode change. */
	hunks: Hunk[];
	hasModeChange: boolean;
	isBinary: boolean;
	/** Decision about a file without hunks. */
	decision: Decision;
}

/** A line of a patch, plain and colored. */
interface Line {
	plain: string;
	painted: string;
}

/** Splits a change into choices: two if the file type changes. */
export function fileChoices(
	repository: Repository,
	change: Change,
	plain: DiffFormat,
	painted: DiffFormat | null
): FileChoice[] {
	const lines = filePatchLines(repository, change, plain).flatMap((line) => lineForms(line, plain, painted));
	const starts = lines.flatMap(({ plain: text }, at) => (text.startsWith('diff --git ') ? [at] : []));
	return starts.map((start, at) => choiceOf(lines.slice(start, starts[at + 1])));
}

function lineForms(line: PatchLine, plain: DiffFormat, painted: DiffFormat | null): Line[] {
	const parts = (format: DiffFormat) => paintedLines([line], format).match(/[^\n]*\n|[^\n]+$/g) ?? [];
	const texts = parts(plain);
	const shown = painted ? parts(painted) : texts;
	return texts.map((text, at) => ({ plain: text, painted: shown[at] ?? text }));
}

function choiceOf(lines: readonly Line[]): FileChoice {
	const isHunk = ({ plain }: Line) => plain.startsWith('@@ ');
	const firstHunk = lines.findIndex(isHunk);
	const head = lines.slice(0, firstHunk < 0 ? lines.length : firstHunk);
	const has = (start: string) => head.some(({ plain }) => plain.startsWith(start));
	const isDeleted = has('deleted file mode ');
	if (isDeleted) {
		const at = head.findIndex(({ plain }) => plain.startsWith('deleted file mode '));
		return made('deleted', head.slice(0, at), [pseudoHunk(lines.slice(at))], false, has('Binary files '));
	}
	const isMode = ({ plain }: Line) => /^(?:old|new) mode /.test(plain);
	const modes = head.filter(isMode);
	const hunks = firstHunk < 0 ? [] : textHunks(lines.slice(firstHunk));
	return made(
		has('new file mode ') ? 'added' : 'changed',
		head.filter((line) => !isMode(line)),
		modes.length > 0 ? [pseudoHunk(modes), ...hunks] : hunks,
		modes.length > 0,
		has('Binary files ')
	);
}

function made(
	kind: FileChoice['kind'],
	head: readonly Line[],
	hunks: Hunk[],
	hasModeChange: boolean,
	isBinary: boolean
): FileChoice {
	const forms = { head: head.map(({ plain }) => plain), paintedHead: head.map(({ painted }) => painted) };
	return { kind, ...forms, hunks, hasModeChange, isBinary, decision: 'open' };
}

const pseudoHunk = (lines: readonly Line[]): Hunk => ({
	...{ range: null, heading: '', decision: 'open', shift: 0 },
	lines: lines.map(({ plain }) => plain),
	painted: lines.map(({ painted }) => painted)
});

function textHunks(lines: readonly Line[]): Hunk[] {
	const starts = lines.flatMap(({ plain }, at) => (plain.startsWith('@@ ') ? [at] : []));
	return starts.map((start, at) => {
		const [head, ...content] = lines.slice(start, starts[at + 1]);
		const text = head!.plain;
		return {
			...pseudoHunk(content),
			range: readRange(text),
			heading: text.replace(/^@@ [^@]* @@/, '').replace(/\n$/, '')
		};
	});
}

/** Number of hunks that a hunk can be split into. */
export const partsOf = ({ range, lines }: Hunk): number => (range ? runsOf(lines) : 0);

/**
 * Builds the patch of the chosen hunks.
 *
 * @param takesAll includes all hunks, chosen or not
 * @returns the patch as binary text, or an error
 */
export function chosenPatch(
	file: FileChoice,
	isReverse: boolean,
	takesAll = false
): { text: string } | { fault: string } {
	const [mode] = file.hunks;
	const hasMode = file.hasModeChange && mode?.decision === 'use';
	const [first = '', ...head] = file.head;
	let text = [first, ...(hasMode ? mode!.lines : []), ...head].join('');
	let shift = 0;
	for (let at = file.hasModeChange ? 1 : 0; at < file.hunks.length;) {
		const hunk = file.hunks[at]!;
		if (!takesAll && hunk.decision !== 'use') {
			shift += (hunk.range?.oldCount ?? 0) - (hunk.range?.newCount ?? 0);
			at++;
			continue;
		}
		const joined = joinedHunk(file.hunks, at, takesAll);
		if (typeof joined === 'string') return { fault: joined };
		text += headText(joined.hunk, shift, isReverse) + joined.hunk.lines.join('');
		shift += joined.hunk.shift;
		at += joined.count;
	}
	return { text };
}
