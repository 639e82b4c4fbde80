import type { Position } from './nodes.ts';

/** Runtime error that ends the program; the message follows the source position. */
export class AwkError extends Error {}

/** Syntax error: each line is shown unchanged after the command's name. */
export class AwkSyntaxError extends Error {
	constructor(readonly lines: readonly string[]) {
		super(lines.join('\n'));
	}
}

/** Prefixes a message with a position. */
export const placed = ({ file, line }: Position): string =>
	file === null ? `cmd. line:${line}: ` : `${file}:${line}: `;
