import type { Invocation } from '../invocation.ts';

/** Width of a terminal that does not say how wide it is. */
const USUAL_WIDTH = 80;

/** Takes away a line of progress, on which the next line is to stand. */
export function clearLine(git: Invocation): void {
	const terminal = git.env['TERM'];
	const width = Number(git.env['COLUMNS']) || USUAL_WIDTH;
	git.err(terminal === undefined || terminal === 'dumb' ? `\r${' '.repeat(width)}\r` : '\r\x1b[K');
}
