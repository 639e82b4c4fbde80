import type { ProcessContext } from '#computer/process/program.ts';
import type { OpenMode } from '#computer/abi/syscalls.ts';
import { kernelEnd } from './kernel-streams.ts';
import type { Stream } from './open-file.ts';

/**
 * Opens a named pipe. The shell goes on meanwhile, since the other end may be opened by another of its commands: reads and
 * writes wait for that, and a redirection does before its command runs.
 */
export function namedPipeStream({ sync, async: calls }: ProcessContext, path: string, mode: OpenMode): Stream {
	const descriptor = sync.openFile(path, mode);
	const opened = calls.opened(descriptor);
	// An end that is closed before anyone has waited for it.
	opened.catch(() => undefined);
	const end = kernelEnd(calls, descriptor);
	return {
		...end,
		opened,
		read: (max) => opened.then(() => end.read(max)),
		write: (bytes) => opened.then(() => end.write(bytes)),
		putBack: (bytes) => sync.unread(descriptor, bytes)
	};
}
