import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import type { ToKernel } from '#computer/abi/wire.ts';
import type { DetachedClient } from './client.ts';
import type { DetachedStart } from '#computer/abi/detached-start.ts';

/** The client out of its text: programs do not carry what few browsers need. */
export function evaluateSnapshotClient(start: DetachedStart, post: (message: ToKernel) => void): DetachedClient {
	// The kernel's own build of `client.ts`, which exports this and nothing else.
	const { createDetachedClient } = new Function(start.client)() as typeof import('./client.ts');
	const client = createDetachedClient(start, post);
	return { ...client, sync: withOwnErrors(client.sync) };
}

/** The text has an error class of its own, which the program would not know. */
function withOwnErrors(sync: SyncSyscalls): SyncSyscalls {
	const calls: Record<string, unknown> = {};
	for (const [name, call] of Object.entries(sync) as [string, (...args: unknown[]) => unknown][]) {
		calls[name] = (...args: unknown[]) => {
			try {
				return call(...args);
			} catch (error) {
				if (!(error instanceof Error) || !('code' in error)) throw error;
				const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
				throw new SyscallError(String(error.code), error.message, path);
			}
		};
	}
	return calls as unknown as SyncSyscalls;
}
