import { quotePath } from '../quote-path.ts';
import { modeText } from '../objects/tree.ts';
import { lineChanges } from './unified-diff.ts';

const CONTEXT = 3;

/** A file as each parent had it, and as it is. */
export interface CombinedFile {
	path: string;
	parents: { id: string; mode: number; lines: readonly string[] }[];
	/** Null where it is gone. */
	result: { id: string; mode: number; lines: readonly string[] } | null;
	/** Also if there is nothing to show. */
	always?: boolean;
	/** Shortened ids for the `index` line; zeros for what is not an object yet. */
	shown: { parents: string[]; result: string };
}

/** A line that is gone, and which parents had it. */
interface LostLine {
	text: string;
	/** Bit i: parent i had it. */
	from: number;
}

interface ResultLine {
	text: string;
	/** Bit i: parent i does not have it. */
	addedTo: number;
	/** Removed lines before it. */
	lost: LostLine[];
}

/** The diff of a merged file against all its parents at once; '' when no place differs from all of them. */
export function combinedDiff(file: CombinedFile): string {
	const { parents, result, path, shown } = file;
	const count = parents.length;
	const all = (1 << count) - 1;
	const lines = resultLines(parents, result?.lines ?? []);
	const spans = interestingSpans(lines, all);
	const modes = new Set(parents.map(({ mode }) => mode));
	const changedMode = result !== null && (modes.size > 1 || !modes.has(result.mode));
	if (spans.length === 0 && !changedMode && !file.always) return '';
	let text = `diff --cc ${quotePath(path)}\nindex ${shown.parents.join(',')}..${shown.result}\n`;
	if (!result) text += `deleted file mode ${parents.map(({ mode }) => modeText(mode)).join(',')}\n`;
	else if (changedMode)
		text += `mode ${parents.map(({ mode }) => modeText(mode)).join(',')}..${modeText(result.mode)}\n`;
	if (spans.length === 0 && !file.always) return text;
	text += `--- ${quotePath(`a/${path}`)}\n+++ ${result ? quotePath(`b/${path}`) : '/dev/null'}\n`;
	const at = parentPositions(lines, count);
	const marks = '@'.repeat(count + 1);
	for (const { from, to } of spans) {
		const range = (start: number, size: number) => `${size === 0 ? start : start + 1}${size === 1 ? '' : `,${size}`}`;
		const sizes = parents.map((_, p) => range(at[from]![p]!, at[to]![p]! - at[from]![p]!));
		const end = Math.min(to, lines.length - 1);
		text += `${marks} ${sizes.map((size) => `-${size}`).join(' ')} +${range(from, end - from)} ${marks}${heading(lines, from)}\n`;
		for (let i = from; i < to; i++) {
			const line = lines[i]!;
			for (const { text: gone, from: had } of line.lost) text += ended(columns(count, had, '-') + gone);
			if (i < lines.length - 1) text += ended(columns(count, line.addedTo, '+') + line.text);
		}
	}
	return text;
}

const columns = (count: number, bits: number, sign: string): string =>
	Array.from({ length: count }, (_, p) => (bits & (1 << p) ? sign : ' ')).join('');

const ended = (line: string): string => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`);

/** The lines of the result and one more, which carries what was lost at the end. */
function resultLines(parents: CombinedFile['parents'], result: readonly string[]): ResultLine[] {
	const lines: ResultLine[] = [...result, ''].map((text) => ({ text, addedTo: 0, lost: [] }));
	parents.forEach((parent, p) => {
		const bit = 1 << p;
		for (const change of lineChanges(parent.lines, result)) {
			for (let i = 0; i < change.afterCount; i++) lines[change.afterStart + i]!.addedTo |= bit;
			const gone = parent.lines.slice(change.beforeStart, change.beforeStart + change.beforeCount);
			const place = lines[change.afterStart]!;
			place.lost = joinLost(place.lost, gone, bit);
		}
	});
	return lines;
}

/** Merges one parent's removed lines with those of the others, combining equal ones. */
function joinLost(known: LostLine[], gone: readonly string[], bit: number): LostLine[] {
	const joined: LostLine[] = [];
	let i = 0;
	let j = 0;
	for (const { beforeStart, beforeCount, afterStart, afterCount } of [
		...lineChanges(
			known.map(({ text }) => text),
			gone
		),
		{ beforeStart: known.length, beforeCount: 0, afterStart: gone.length, afterCount: 0 }
	]) {
		for (; i < beforeStart; i++, j++) joined.push({ text: known[i]!.text, from: known[i]!.from | bit });
		for (; i < beforeStart + beforeCount; i++) joined.push(known[i]!);
		for (; j < afterStart + afterCount; j++) joined.push({ text: gone[j]!, from: bit });
	}
	return joined;
}

/** Places with context, but only those where the result is not just what one parent had. */
function interestingSpans(lines: readonly ResultLine[], all: number): { from: number; to: number }[] {
	const marked = lines.map(({ addedTo, lost }) => addedTo !== 0 || lost.length > 0);
	const runs: { from: number; to: number }[] = [];
	for (let i = 0; i < lines.length; i++) {
		if (!marked[i]) continue;
		const last = runs.at(-1);
		if (last && i - last.to < CONTEXT * 2 + 1 && i - last.to <= CONTEXT * 2) last.to = i + 1;
		else runs.push({ from: i, to: i + 1 });
	}
	const kept = runs.filter(({ from, to }) => {
		const kinds = new Set<number>();
		for (const { addedTo, lost } of lines.slice(from, to)) {
			if (addedTo !== 0) kinds.add(addedTo);
			for (const line of lost) kinds.add(line.from);
		}
		return kinds.size > 1 || kinds.has(all);
	});
	return kept.map(({ from, to }) => ({
		from: Math.max(0, from - CONTEXT),
		// The line after the last one only carries lost lines.
		to: Math.min(lines.length, Math.max(to + CONTEXT, to), Math.max(to, lines.length - 1))
	}));
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
