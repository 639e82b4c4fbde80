import { fatal } from '../errors.ts';

/** Range of lines, from 0; the end is exclusive. */
export interface LineSpan {
	from: number;
	to: number;
}

/** Range of lines as given to `-L`. */
export interface NamedRange {
	/** `10,20`, `/start/,/end/`, `:function`. */
	range: string;
	path: string;
}

const PLACE = String.raw`(?:\d+|[-+]\d+|\^?/(?:[^/\\]|\\.)*/)`;

/** Checks whether a text is a range of lines. */
export const isRange = (text: string): boolean => new RegExp(`^(?:\\^?:.+|${PLACE}?(?:,${PLACE}?)?)$`, 's').test(text);

/** Splits `range:path`. @throws GitError for another form */
export function namedRange(text: string): NamedRange {
	const [, range, path] =
		new RegExp(`^(\\^?:(?:[^:\\\\]|\\\\.)*|${PLACE}?(?:,${PLACE}?)?):(.+)$`, 's').exec(text) ?? [];
	if (range === undefined || path === undefined || range === '')
		throw fatal(`-L argument not 'start,end:file' or ':funcname:file': ${text}`);
	return { range, path };
}

/** File in which ranges are resolved. */
export interface RangedFile {
	path: string;
	/** Lines without line endings. */
	lines: readonly string[];
	isFunction: (line: string) => boolean;
}

/**
 * Resolves a range to lines.
 *
 * @param after line after the previous range in the same file, from 1: patterns search from there
 * @throws GitError if there are no such lines
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

/** Position of the comma between both ends that is not in a pattern. */
function commaOf(range: string): number {
	const first = /^\^?\/(?:[^/\\]|\\.)*\//.exec(range)?.[0].length ?? 0;
	const comma = range.indexOf(',', first);
	return comma < 0 ? range.length : comma;
}

/** Resolves one end to a line number, from 1. @param begin start of the range, to resolve its end */
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

/** Span of the first function whose heading matches, up to the next function. */
function functionSpan(pattern: string, { lines, isFunction }: RangedFile, after: number): LineSpan {
	const regex = new RegExp(pattern);
	const from = lines.findIndex((line, i) => i >= after - 1 && isFunction(line) && regex.test(line));
	if (from < 0) throw fatal(`-L parameter '${pattern}' starting at line ${after}: no match`);
	const next = lines.findIndex((line, i) => i > from && isFunction(line));
	return { from, to: next < 0 ? lines.length : next };
}

/** Sorts spans, and merges those that overlap or touch. */
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
