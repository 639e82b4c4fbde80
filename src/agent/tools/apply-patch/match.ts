import { splitLines } from '#environment/lines.ts';
import { describeClosest } from '../closest-lines.ts';
import { asciiForm, trimSpaces } from '../edit-space.ts';
import { findSequence } from '../find-sequence.ts';
import { ToolError } from '../result.ts';
import type { PatchHunk } from './parse.ts';

/** Degrees of tolerance for a match: exact, trailing spaces, surrounding spaces, typographic characters. */
export const FUZZ_LEVELS: readonly ((line: string) => string)[] = [
	(line) => line,
	trimSpaces,
	(line) => line.trim(),
	(line) => asciiForm(line).trim()
];

interface FileLine {
	text: string;
	/** `\n`, `\r\n`, or nothing for the last line of a file that does not end with a line break. */
	end: string;
}

/** Lines to replace, and the lines that replace them. */
interface Replacement {
	at: number;
	count: number;
	lines: FileLine[];
}

/**
 * Applies hunks to a text. Each hunk is searched after the previous one; the first match wins, or the last with `***
 * End of File`. A hunk that only adds lines and names no place appends them to the file without moving the search
 * position. Unchanged lines stay byte for byte.
 *
 * @param maxFuzz 0 to 3, an index of {@link FUZZ_LEVELS}
 * @throws ToolError naming the file, the hunk and the closest place
 */
export function applyHunks(original: string, hunks: readonly PatchHunk[], path: string, maxFuzz = 3): string {
	const mark = original.startsWith('\ufeff') ? '\ufeff' : '';
	const lines = fileLines(original.slice(mark.length));
	const ending = lines.find(({ end }) => end !== '')?.end ?? '\n';
	const replacements: Replacement[] = [];
	let cursor = 0;
	for (const [index, hunk] of hunks.entries()) {
		const label = `hunk ${index + 1} of ${hunks.length} in ${path}`;
		const from = afterContext(lines, hunk, cursor, label, maxFuzz);
		const found = findHunk(lines, hunk, from, label, maxFuzz);
		replacements.push(...changesOf(hunk, found, ending));
		cursor = found.isAtEnd ? from.behind : found.at + found.count;
	}
	const result: FileLine[] = [];
	let copied = 0;
	// Two hunks that add at the same place stay in the order of the patch.
	for (const { at, count, lines: put } of replacements.sort((a, b) => a.at - b.at)) {
		for (const line of lines.slice(copied, at)) result.push(line);
		for (const line of put) result.push(line);
		copied = at + count;
	}
	for (const line of lines.slice(copied)) result.push(line);
	const last = result.length - 1;
	return mark + result.map(({ text, end }, index) => text + (end === '' && index < last ? ending : end)).join('');
}

/** Returns the changes of a hunk without its context lines, which stay unchanged byte for byte. */
function changesOf({ lines }: PatchHunk, { at, count }: Place, ending: string): Replacement[] {
	const changes: Replacement[] = [];
	let next = at;
	let open: Replacement | undefined;
	const lastAdded = lines.findLastIndex(({ kind }) => kind === 'add');
	for (const [index, { kind, text }] of lines.entries()) {
		const isThere = kind !== 'add' && next < at + count;
		// An empty context line that the file lacks is added if added lines follow it.
		const isAdded = kind === 'add' || (kind === 'context' && !isThere && index < lastAdded);
		if (kind === 'context' && isThere) open = undefined;
		else if (!open) changes.push((open = { at: next, count: 0, lines: [] }));
		if (isAdded) open?.lines.push({ text, end: ending });
		if (isThere) {
			next++;
			if (open) open.count++;
		}
	}
	return changes;
}

/** Positions from which a hunk is searched. */
interface From {
	/** Line after the last one that its header names. */
	behind: number;
	/** The named line itself, in case the hunk repeats it: tried second. */
	at?: number;
}

/** The lines of a file that a hunk changes. */
interface Place {
	at: number;
	count: number;
	/** Adds at the end of the file, regardless of the previous hunks. */
	isAtEnd: boolean;
}

function afterContext(lines: FileLine[], hunk: PatchHunk, cursor: number, label: string, maxFuzz: number): From {
	let from: From = { behind: cursor };
	for (const context of hunk.context) {
		const start = from.behind;
		const found = seek(lines, [context], start, false, maxFuzz);
		// The named line is often only a part of a longer one.
		const at = found ?? lines.findIndex(({ text }, index) => index >= start && text.includes(context.trim()));
		if (at === -1)
			throw new ToolError(
				`Could not find the line "${context}" for ${label}.${closest(lines, [context])} Read the file again and correct the @@ line.`
			);
		from = { behind: at + 1, at };
	}
	return from;
}

function findHunk(lines: FileLine[], hunk: PatchHunk, from: From, label: string, maxFuzz: number): Place {
	const old = hunk.lines.filter(({ kind }) => kind !== 'add').map(({ text }) => text);
	const { length } = lines;
	if (old.length === 0) {
		const isAtEnd = from.at === undefined || hunk.endOfFile;
		return { at: isAtEnd ? length : from.behind, count: 0, isAtEnd };
	}
	const search = (wanted: string[], fuzz: number): Place | undefined => {
		const behind = seek(lines, wanted, from.behind, hunk.endOfFile, fuzz);
		// The named line is often the hunk's own first line.
		const at = behind ?? (from.at === undefined ? undefined : seek(lines, wanted, from.at, hunk.endOfFile, fuzz));
		return at === undefined ? undefined : { at, count: wanted.length, isAtEnd: false };
	};
	// Models end a hunk with an empty line for the line break of the last one.
	const found =
		search(old, maxFuzz) ?? (old.length > 1 && old.at(-1) === '' ? search(old.slice(0, -1), maxFuzz) : undefined);
	if (found) return found;
	const looser = maxFuzz < FUZZ_LEVELS.length - 1 ? search(old, FUZZ_LEVELS.length - 1) : undefined;
	if (looser)
		throw new ToolError(
			`The lines of ${label} match only loosely, at line ${looser.at + 1}. Read the file again and give the context as it is there.`
		);
	throw new ToolError(
		`Could not find the lines of ${label}:\n${old.join('\n')}\n${closest(lines, old)}${earlier(lines, old, from.behind, maxFuzz)} Read the file again and give the lines as they are there.`
	);
}

function seek(lines: FileLine[], wanted: string[], from: number, last: boolean, maxFuzz: number): number | undefined {
	const end = lines.length - wanted.length;
	for (const form of FUZZ_LEVELS.slice(0, maxFuzz + 1)) {
		const needle = wanted.map(form);
		const isLast = (): boolean => needle.every((text, index) => form(lines[end + index]?.text ?? '') === text);
		if (last && end >= from && isLast()) return end;
		const formed = lines.map(({ text }, index) => (index < from ? '' : form(text)));
		const [first] = findSequence(formed, needle, from);
		if (first !== undefined) return first;
	}
	return undefined;
}

function earlier(lines: FileLine[], wanted: string[], from: number, maxFuzz: number): string {
	const at = from > 0 ? seek(lines, wanted, 0, false, maxFuzz) : undefined;
	return at === undefined
		? ''
		: ` They stand at line ${at + 1}, before the hunk above: put the hunks in the order of the file.`;
}

function closest(lines: FileLine[], wanted: string[]): string {
	return describeClosest(
		lines.map(({ text }) => text),
		wanted
	);
}

function fileLines(text: string): FileLine[] {
	return splitLines(text).map((line) => {
		const end = line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : '';
		return { text: line.slice(0, line.length - end.length), end };
	});
}
