import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import type { ToKernel } from '#computer/abi/wire.ts';
import type { DetachedClient } from './client.ts';
import type { DetachedStart } from '#computer/abi/detached-start.ts';

/** Evaluates the client from its text: programs do not bundle what only few browsers need. */
export function evaluateSnapshotClient(start: DetachedStart, post: (message: ToKernel) => void): DetachedClient {
	// The kernel's own build of `client.ts`, which exports this and nothing else.
	const { createDetachedClient } = new Function(start.client)() as typeof import('./client.ts');
	const client = createDetachedClient(start, post);
	return { ...client, sync: withOwnErrors(client.sync) };
}

/** The evaluated client has its own error class, which the program would not recognize. */
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
