import type { Position } from './nodes.ts';

/** The program cannot be run any further; the message is shown behind the place of what was running. */
export class AwkError extends Error {}

/** The program cannot be read: each line is shown as it stands, behind the command's name. */
export class AwkSyntaxError extends Error {
	constructor(readonly lines: readonly string[]) {
		super(lines.join('\n'));
	}
}

/** Writes a place in front of a message. */
export const placed = ({ file, line }: Position): string =>
	file === null ? `cmd. line:${line}: ` : `${file}:${line}: `;
