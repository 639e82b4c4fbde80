import { Interrupted, ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { complain } from './script.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 8_000;

/**
 * Retries like bash when there are no free processes: prints a message, and tries again after 1, 2, 4 and 8 s.
 *
 * @param fork returns false if there were none
 * @throws ShellError if all attempts failed, Interrupted
 */
export async function retryFork(shell: Shell, fork: () => boolean): Promise<void> {
	const { forks } = shell.host;
	if (shell.subshellDepth > 0 && !forks.mayFork(shell.generation)) throw new Interrupted(130);
	for (let ms = FIRST_WAIT_MS; !fork(); ms *= 2) {
		if (ms > LONGEST_WAIT_MS) throw new ShellError('fork: Resource temporarily unavailable', 254, true);
		if (forks.mayTell()) complain(shell, 'fork: retry: Resource temporarily unavailable');
		await shell.control.race(forks.pause(ms));
	}
}

/** Waits until the shell may create `count` more subshells. @throws as {@link retryFork} */
export async function awaitRoom(shell: Shell, count = 1): Promise<void> {
	await retryFork(shell, () => shell.host.forks.hasRoom(count));
}
