import type { Writable } from 'node:stream';
import { EnvironmentError } from '../errors.ts';

/**
 * Writes to a process's standard input.
 *
 * @throws EnvironmentError `EPIPE` if the process no longer reads it
 */
export async function writeInput(stdin: Writable, data: string | Uint8Array): Promise<void> {
	if (!stdin.writable) throw new EnvironmentError('EPIPE', 'The process has ended.');
	await new Promise<void>((resolve, reject) =>
		// When the process ends, Node destroys its input, and reports pending data as written.
		stdin.write(data, (error) =>
			error || stdin.destroyed ? reject(new EnvironmentError('EPIPE', 'The process reads no more.')) : resolve()
		)
	);
}

/** Closes a process's standard input if it is still open. */
export async function endInput(stdin: Writable): Promise<void> {
	// A destroyed stream never calls back.
	if (!stdin.destroyed) await new Promise<void>((resolve) => stdin.end(resolve));
}
