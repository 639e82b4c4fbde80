import type { Place } from '../run/suite.ts';

const BEFORE = 2;
const AFTER = 3;

/** Lines around a place, as Playwright displays them; empty if the file cannot be read. */
export function codeFrame(place: Place, read: (path: string) => string | null): string[] {
	const source = read(place.file)?.split('\n');
	if (!source || place.line < 1 || place.line > source.length) return [];
	const first = Math.max(1, place.line - BEFORE);
	const last = Math.min(source.length, place.line + AFTER);
	const column = columnIn(source[place.line - 1] ?? '');
	const width = String(last).length;
	const lines: string[] = [];
	for (let line = first; line <= last; line++) {
		const isHere = line === place.line;
		lines.push(`${isHere ? '>' : ' '} ${String(line).padStart(width)} | ${source[line - 1] ?? ''}`.trimEnd());
		if (isHere) lines.push(`  ${' '.repeat(width)} | ${margin(source[line - 1] ?? '', column)}^`);
	}
	return [...lines, `    at ${place.file}:${place.line}:${column}`];
}

/**
 * Column of the assertion or action in a line, starting at 1. The running code has the file's lines, but not its
 * columns.
 */
export function columnIn(line: string): number {
	const calls = [...line.matchAll(/\.(to[A-Z]\w*|[a-z]+[A-Z]?\w*)\(/g)];
	const assertion = calls.findLast(([, name = '']) => /^to[A-Z]/.test(name));
	const action = calls.find(
		([, name = '']) => !/^(getBy\w+|locator|filter|first|last|nth|and|or|soft|poll)$/.test(name)
	);
	const found = assertion ?? (/^\s*(test|it)\b/.test(line) ? undefined : action);
	return (found ? found.index + 1 : line.search(/\S|$/)) + 1;
}

/** Whitespace as wide as the beginning of the line, preserving tabs. */
const margin = (line: string, column: number): string => line.slice(0, column - 1).replace(/[^\t]/g, ' ');
