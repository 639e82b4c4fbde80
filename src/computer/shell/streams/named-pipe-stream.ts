import type { ProcessContext } from '#computer/process/program.ts';
import type { OpenMode } from '#computer/abi/syscalls.ts';
import { kernelEnd } from './kernel-streams.ts';
import type { Stream } from './open-file.ts';

/**
 * Opens a named pipe. The shell continues meanwhile, since another of its commands may open the other end: reads and
 * writes wait for that, and a redirection does before its command runs.
 */
export function namedPipeStream({ sync, async: calls }: ProcessContext, path: string, mode: OpenMode): Stream {
	const descriptor = sync.openFile(path, mode);
	const opened = calls.opened(descriptor);
	// The end may be closed before anyone has waited for it.
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
