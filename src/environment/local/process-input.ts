import type { Writable } from 'node:stream';
import { EnvironmentError } from '../errors.ts';

/**
 * Writes to a process's standard input. @throws EnvironmentError `EPIPE` if the process does not read it any
 * more
 */
export async function writeInput(stdin: Writable, data: string | Uint8Array): Promise<void> {
	if (!stdin.writable) throw new EnvironmentError('EPIPE', 'The process has ended.');
	await new Promise<void>((resolve, reject) =>
		// When the process ends, Node takes away its input, and what waited there is reported as written.
		stdin.write(data, (error) =>
			error || stdin.destroyed ? reject(new EnvironmentError('EPIPE', 'The process reads no more.')) : resolve()
		)
	);
}

/** Ends a process's standard input, or finds it ended. */
export async function endInput(stdin: Writable): Promise<void> {
	// The end of an input that was taken away is never reported.
	if (!stdin.destroyed) await new Promise<void>((resolve) => stdin.end(resolve));
}
