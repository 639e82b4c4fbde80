import { fatal } from '../errors.ts';

/** Lines from a position up to, and not with, another; from 0. */
export interface LineSpan {
	from: number;
	to: number;
}

/** A range of lines as `-L` names it. */
export interface NamedRange {
	/** `10,20`, `/start/,/end/`, `:function`. */
	range: string;
	path: string;
}

const PLACE = String.raw`(?:\d+|[-+]\d+|\^?/(?:[^/\\]|\\.)*/)`;

/** Tells whether a text is a range of lines. */
export const isRange = (text: string): boolean => new RegExp(`^(?:\\^?:.+|${PLACE}?(?:,${PLACE}?)?)$`, 's').test(text);

/** Splits `range:path`. @throws GitError for what is none */
export function namedRange(text: string): NamedRange {
	const [, range, path] =
		new RegExp(`^(\\^?:(?:[^:\\\\]|\\\\.)*|${PLACE}?(?:,${PLACE}?)?):(.+)$`, 's').exec(text) ?? [];
	if (range === undefined || path === undefined || range === '')
		throw fatal(`-L argument not 'start,end:file' or ':funcname:file': ${text}`);
	return { range, path };
}

/** A file in which ranges are looked for. */
export interface RangedFile {
	path: string;
	/** Without line ends. */
	lines: readonly string[];
	isFunction: (line: string) => boolean;
}

/**
 * Finds the lines that a range names.
 *
 * @param after line behind the range before in the same file, from 1: patterns look from there
 * @throws GitError where there are none
 */
export function findRange(range: string, file: RangedFile, after: number): LineSpan {
	const isFromStart = range.startsWith('^');
	const [, pattern] = /^\^?:(.*)$/s.exec(range) ?? [];
	if (pattern !== undefined) return functionSpan(pattern, file, isFromStart ? 1 : after);
	const { lines, path } = file;
	const comma = commaOf(range);
	const [first, second] = [range.slice(0, comma), comma < range.length ? range.slice(comma + 1) : null];
	let begin = first === '' ? 1 : placeOf(first, lines, after, null);
	let end = second === null || second === '' ? 0 : placeOf(second, lines, begin + 1, begin);
	if (end > 0 && end < begin) [begin, end] = [end, begin];
	if (begin > lines.length || (lines.length === 0 && begin > 0))
		throw fatal(`file ${path} has only ${lines.length} line${lines.length === 1 ? '' : 's'}`);
	return { from: Math.max(0, begin - 1), to: end < 1 || end > lines.length ? lines.length : end };
}

/** The comma between both ends, which is not in a pattern. */
function commaOf(range: string): number {
	const first = /^\^?\/(?:[^/\\]|\\.)*\//.exec(range)?.[0].length ?? 0;
	const comma = range.indexOf(',', first);
	return comma < 0 ? range.length : comma;
}

/** A line, from 1. @param begin of the range, for its end */
function placeOf(text: string, lines: readonly string[], after: number, begin: number | null): number {
	if (/^\d+$/.test(text)) return Number(text);
	if (/^[-+]\d+$/.test(text)) {
		const offset = Number(text);
		if (offset === 0) throw fatal('-L invalid empty range');
		if (begin === null) return offset < 0 ? Math.max(1, after + offset) : after + offset - 1;
		return offset > 0 ? begin + offset - 1 : Math.max(1, begin + offset + 1);
	}
	const isFromStart = text.startsWith('^');
	const pattern = text.replace(/^\^?\//, '').replace(/\/$/, '');
	const start = isFromStart ? 1 : after;
	const regex = new RegExp(pattern.replaceAll('\\/', '/'));
	const at = lines.findIndex((line, i) => i >= start - 1 && regex.test(line));
	if (at < 0) throw fatal(`-L parameter '${pattern}' starting at line ${start}: no match`);
	return at + 1;
}

/** The function whose heading matches, up to the next one. */
function functionSpan(pattern: string, { lines, isFunction }: RangedFile, after: number): LineSpan {
	const regex = new RegExp(pattern);
	const from = lines.findIndex((line, i) => i >= after - 1 && isFunction(line) && regex.test(line));
	if (from < 0) throw fatal(`-L parameter '${pattern}' starting at line ${after}: no match`);
	const next = lines.findIndex((line, i) => i > from && isFunction(line));
	return { from, to: next < 0 ? lines.length : next };
}

/** Spans in order, those that overlap or touch as one. */
export function joinedSpans(spans: readonly LineSpan[]): LineSpan[] {
	const joined: LineSpan[] = [];
	for (const { from, to } of [...spans].sort((a, b) => a.from - b.from || a.to - b.to)) {
		const last = joined.at(-1);
		if (from >= to) continue;
		if (last && from <= last.to) last.to = Math.max(last.to, to);
		else joined.push({ from, to });
	}
	return joined;
}
