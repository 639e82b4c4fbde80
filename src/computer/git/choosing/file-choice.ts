import type { Change } from '../diff/change.ts';
import { filePatchLines } from '../diff/file-patch-lines.ts';
import type { DiffFormat } from '../diff/format.ts';
import { paintedLines, type PatchLine } from '../diff/patch-lines.ts';
import type { Repository } from '../repository.ts';
import { headText, joinedHunk, readRange, runsOf, type Decision, type Hunk } from './hunk.ts';

/** A file whose hunks are chosen one by one. */
export interface FileChoice {
	kind: 'added' | 'deleted' | 'changed';
	/** Lines of its head without a change of mode, as they are and as they are shown. */
	head: readonly string[];
	paintedHead: readonly string[];
	/** The first may be a change of mode. */
	hunks: Hunk[];
	hasModeChange: boolean;
	isBinary: boolean;
	/** Decision about a file that has no hunks. */
	decision: Decision;
}

/** A line of a patch in both forms. */
interface Line {
	plain: string;
	painted: string;
}

/** The choices that a change stands for: two where a file has another type. */
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

/** Number of hunks that one can be split into. */
export const partsOf = ({ range, lines }: Hunk): number => (range ? runsOf(lines) : 0);

/**
 * The patch of the hunks that were chosen.
 *
 * @param takesAll whatever was chosen
 * @returns binary text, or what does not fit
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
