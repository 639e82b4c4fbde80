import { LockedError, type Storage } from './client.ts';
import type { OpenedSession } from './messages.ts';

/** Opens a session, retrying for at most 5 s: the tab that lost the lock needs a moment to close its files. */
export async function openWhenFree(storage: Storage, id: string): Promise<OpenedSession> {
	// Monotonic: the wall clock may jump.
	const until = performance.now() + 5000;
	for (;;) {
		try {
			return await storage.open(id);
		} catch (error) {
			if (!(error instanceof LockedError) || performance.now() > until) throw error;
			await new Promise((resolve) => setTimeout(resolve, 25));
		}
	}
}
