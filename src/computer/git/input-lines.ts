import { concat, decode } from './bytes.ts';
import { nameText } from './diff/lines.ts';
import type { Invocation } from './invocation.ts';
import { unquotePath } from './unquote-path.ts';

const READ_BYTES = 64 * 1024;

/** Line terminator: a newline, or a zero byte. */
type LineEnd = '\n' | '\0';

/** Lines of stdin with their terminators, yielded as soon as they arrive: the writer may wait for a response. */
export function* inputRecords({ context }: Pick<Invocation, 'context'>, end: LineEnd): Generator<string, undefined> {
	const mark = end.charCodeAt(0);
	let parts: Uint8Array[] = [];
	for (let bytes = context.sync.read(0, READ_BYTES); bytes.length > 0; bytes = context.sync.read(0, READ_BYTES)) {
		let from = 0;
		for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, from)) {
			yield decode(concat([...parts, bytes.subarray(from, at + 1)]));
			parts = [];
			from = at + 1;
		}
		if (from < bytes.length) parts.push(bytes.slice(from));
	}
	if (parts.length > 0) yield decode(concat(parts));
	return undefined;
}

/** Same without the terminators. */
export function* inputLines(git: Pick<Invocation, 'context'>, end: LineEnd = '\n'): Generator<string> {
	for (const record of inputRecords(git, end)) yield record.endsWith(end) ? record.slice(0, -1) : record;
}

/**
 * Paths from lines of stdin, quoted or not; with `-z` unquoted and ended by a zero byte.
 *
 * @param isReturnKept keeps a carriage return before a newline as part of the path, as some git commands do
 */
export function* inputPaths(
	git: Pick<Invocation, 'context'>,
	isZero: boolean,
	isReturnKept = false
): Generator<string> {
	for (const line of inputLines(git, isZero ? '\0' : '\n')) {
		if (isZero) yield line;
		else {
			const text = isReturnKept ? line : line.replace(/\r$/, '');
			yield pathOfLine(text);
		}
	}
}

/** Path in a line: quoted by git, or as it is. */
export const pathOfLine = (line: string): string => (line.startsWith('"') ? unquotePath(nameText(line)) : line);
