import type { Invocation } from '../invocation.ts';

/** Default width of a terminal whose width is unknown. */
const USUAL_WIDTH = 80;

/** Clears the progress line, so that the next output replaces it. */
export function clearLine(git: Invocation): void {
	const terminal = git.env['TERM'];
	const width = Number(git.env['COLUMNS']) || USUAL_WIDTH;
	git.err(terminal === undefined || terminal === 'dumb' ? `\r${' '.repeat(width)}\r` : '\r\x1b[K');
}
