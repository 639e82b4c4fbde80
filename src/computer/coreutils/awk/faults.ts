import type { Position } from './nodes.ts';

/** A fatal error while the program runs; the message is shown after the current position. */
export class AwkError extends Error {}

/** The program cannot be parsed; each line is printed verbatim after the command's name. */
export class AwkSyntaxError extends Error {
	constructor(readonly lines: readonly string[]) {
		super(lines.join('\n'));
	}
}

/** Formats a position, as a prefix of a message. */
export const placed = ({ file, line }: Position): string =>
	file === null ? `cmd. line:${line}: ` : `${file}:${line}: `;
