import { quotePath, quotePrefixed } from '../quote-path.ts';
import { modeText } from '../objects/tree.ts';
import type { DiffColors } from './colors.ts';
import { nameText } from './lines.ts';
import { lineChanges, type Blanks } from './unified-diff.ts';

/** Versions of a file in each parent and in the result. */
export interface CombinedFile {
	path: string;
	/** Versions in the parents, with their paths; null if the file does not exist there. */
	parents: { path: string; file: CombinedSide | null }[];
	/** null if the file is deleted. */
	result: CombinedSide | null;
	/** Shows the header even if there are no hunks. */
	always?: boolean;
	isBinary?: boolean;
	/** Abbreviated ids for the `index` line; zeros for content that is not an object yet. */
	shown: { parents: string[]; result: string };
}

interface CombinedSide {
	mode: number;
	lines: readonly string[];
}

/** Options for showing merged files. */
export interface CombinedHow {
	/** Shows only hunks that differ from all parents (`--cc`) instead of all hunks (`-c`). */
	isDense: boolean;
	/** Shows the path in each parent (`--combined-all-paths`). */
	allPaths: boolean;
	context: number;
	blanks: Blanks;
	colors: DiffColors | null;
	prefixes: readonly [string, string];
}

/** Default options for files in conflict. */
export const DENSE: CombinedHow = {
	isDense: true,
	allPaths: false,
	context: 3,
	blanks: 'count',
	colors: null,
	prefixes: ['a/', 'b/']
};

/** A removed line, and the parents that had it. */
interface LostLine {
	text: string;
	/** Bit i is set if parent i had it. */
	from: number;
}

interface ResultLine {
	text: string;
	/** Bit i is set if parent i does not have it. */
	addedTo: number;
	/** Removed lines before it. */
	lost: LostLine[];
}

/** Combined diff of a merged file against all its parents; '' if there are no hunks to show. Binary text. */
export function combinedDiff(file: CombinedFile, how: CombinedHow = DENSE): string {
	const { parents, result } = file;
	const count = parents.length;
	const all = (1 << count) - 1;
	const meta = (text: string) =>
		how.colors ? text.replace(/^.+$/gm, `${how.colors.meta}$&${how.colors.reset}`) : text;
	const modes = new Set(parents.map((parent) => parent.file?.mode ?? 0));
	const changedMode = result !== null && (modes.size > 1 || !modes.has(result.mode));
	if (file.isBinary) return `${meta(headText(file, how, changedMode))}Binary files differ\n`;
	const lines = resultLines(
		parents.map((parent) => parent.file?.lines ?? []),
		result?.lines ?? [],
		how.blanks
	);
	const spans = shownSpans(lines, all, how);
	if (spans.length === 0 && !changedMode && !file.always) return '';
	const head = meta(headText(file, how, changedMode));
	if (spans.length === 0 && !file.always) return head;
	const at = parentPositions(lines, count);
	return head + meta(namesText(file, how)) + spans.map((span) => spanText(span, lines, at, count, how)).join('');
}

function headText({ path, parents, result, shown }: CombinedFile, how: CombinedHow, changedMode: boolean): string {
	const modes = parents.map(({ file }) => modeText(file?.mode ?? 0)).join(',');
	const name = nameText(quotePath(path));
	let text = `diff --${how.isDense ? 'cc' : 'combined'} ${name}\nindex ${shown.parents.join(',')}..${shown.result}\n`;
	if (!result) text += `deleted file mode ${modes}\n`;
	else if (parents.every(({ file }) => file === null)) text += `new file mode ${modeText(result.mode)}\n`;
	else if (changedMode) text += `mode ${modes}..${modeText(result.mode)}\n`;
	return text;
}

function namesText({ path, parents, result }: CombinedFile, how: CombinedHow): string {
	const [from, to] = how.prefixes;
	const before = (name: string, isThere: boolean) =>
		`--- ${isThere ? nameText(quotePrefixed(from, name)) : '/dev/null'}\n`;
	const old = how.allPaths
		? parents.map((parent) => before(parent.path, parent.file !== null)).join('')
		: before(
				path,
				parents.some(({ file }) => file !== null)
			);
	return `${old}+++ ${result ? nameText(quotePrefixed(to, path)) : '/dev/null'}\n`;
}

function spanText(
	{ from, to }: { from: number; to: number },
	lines: readonly ResultLine[],
	at: readonly number[][],
	count: number,
	{ colors }: CombinedHow
): string {
	const marks = '@'.repeat(count + 1);
	const range = (start: number, size: number) => `${start + 1},${size}`;
	const sizes = Array.from({ length: count }, (_, p) => range(at[from]![p]!, at[to]![p]! - at[from]![p]!));
	const end = Math.min(to, lines.length - 1);
	const painted = (slot: 'old' | 'new' | 'context' | 'frag' | 'func', text: string) =>
		colors && text !== '' ? `${colors[slot]}${text}${colors.reset}` : text;
	const places = `${marks} ${sizes.map((size) => `-${size}`).join(' ')} +${range(from, end - from)} ${marks}`;
	const title = heading(lines, from);
	let text = `${painted('frag', places)}${title === '' ? '' : painted('context', ' ') + painted('func', title.slice(1))}\n`;
	const put = (slot: 'old' | 'new' | 'context', line: string) => {
		const [, content = '', newline = ''] = /^([^\n]*)(\n?)$/s.exec(line) ?? [];
		text += `${painted(slot, content)}\n${newline === '' ? '\\ No newline at end of file\n' : ''}`;
	};
	for (let i = from; i < to; i++) {
		const line = lines[i]!;
		for (const { text: gone, from: had } of line.lost) put('old', columns(count, had, '-') + gone);
		const slot = line.addedTo === 0 ? 'context' : 'new';
		if (i < lines.length - 1) put(slot, columns(count, line.addedTo, '+') + line.text);
	}
	return text;
}

const columns = (count: number, bits: number, sign: string): string =>
	Array.from({ length: count }, (_, p) => (bits & (1 << p) ? sign : ' ')).join('');

/** The lines of the result, and an additional one for lines removed at the end. */
function resultLines(parents: readonly (readonly string[])[], result: readonly string[], blanks: Blanks): ResultLine[] {
	const lines: ResultLine[] = [...result, ''].map((text) => ({ text, addedTo: 0, lost: [] }));
	parents.forEach((parent, p) => {
		const bit = 1 << p;
		for (const change of lineChanges(parent, result, blanks)) {
			for (let i = 0; i < change.afterCount; i++) lines[change.afterStart + i]!.addedTo |= bit;
			const gone = parent.slice(change.beforeStart, change.beforeStart + change.beforeCount);
			const place = lines[change.afterStart]!;
			place.lost = joinLost(place.lost, gone, bit, blanks);
		}
	});
	return lines;
}

/** Merges the removed lines of one parent with those of the others, combining equal ones. */
function joinLost(known: LostLine[], gone: readonly string[], bit: number, blanks: Blanks): LostLine[] {
	const joined: LostLine[] = [];
	let i = 0;
	let j = 0;
	for (const { beforeStart, beforeCount, afterStart, afterCount } of [
		...lineChanges(
			known.map(({ text }) => text),
			gone,
			blanks
		),
		{ beforeStart: known.length, beforeCount: 0, afterStart: gone.length, afterCount: 0 }
	]) {
		for (; i < beforeStart; i++, j++) joined.push({ text: known[i]!.text, from: known[i]!.from | bit });
		for (; i < beforeStart + beforeCount; i++) joined.push(known[i]!);
		for (; j < afterStart + afterCount; j++) joined.push({ text: gone[j]!, from: bit });
	}
	return joined;
}

/** Ranges to show, with context: if dense, only those where the result differs from every parent. */
function shownSpans(
	lines: readonly ResultLine[],
	all: number,
	{ isDense, context }: CombinedHow
): { from: number; to: number }[] {
	const marked = lines.map(({ addedTo, lost }) => addedTo !== 0 || lost.length > 0);
	const runs: { from: number; to: number }[] = [];
	for (let i = 0; i < lines.length; i++) {
		if (!marked[i]) continue;
		const last = runs.at(-1);
		if (last && i - last.to < context) last.to = i + 1;
		else runs.push({ from: i, to: i + 1 });
	}
	const kept = runs.filter(({ from, to }) => {
		if (!isDense) return true;
		const kinds = new Set<number>();
		for (const { addedTo, lost } of lines.slice(from, to)) {
			if (addedTo !== 0) kinds.add(addedTo);
			for (const line of lost) kinds.add(line.from);
		}
		return kinds.size > 1 || kinds.has(all);
	});
	const spans: { from: number; to: number }[] = [];
	for (const run of kept) {
		const from = Math.max(0, run.from - context);
		// The additional last line only carries removed lines.
		const to = Math.min(lines.length, run.to + context, Math.max(run.to, lines.length - 1));
		const last = spans.at(-1);
		if (last && from <= last.to) last.to = to;
		else spans.push({ from, to });
	}
	return spans;
}

/** Position of each line in each parent, without counting removed lines before it. */
function parentPositions(lines: readonly ResultLine[], count: number): number[][] {
	const position = Array.from({ length: count }, () => 0);
	const found: number[][] = [];
	for (const { addedTo, lost } of lines) {
		found.push([...position]);
		for (let p = 0; p < count; p++) {
			for (const { from } of lost) if (from & (1 << p)) position[p]!++;
			if (!(addedTo & (1 << p))) position[p]!++;
		}
	}
	found.push([...position]);
	return found;
}

function heading(lines: readonly ResultLine[], from: number): string {
	for (let i = from - 1; i >= 0; i--) {
		const { text } = lines[i]!;
		if (/^[A-Za-z_$]/.test(text)) return ` ${text.slice(0, 80).trimEnd()}`;
	}
	return '';
}
