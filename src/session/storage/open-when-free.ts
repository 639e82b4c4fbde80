import { LockedError, type Storage } from './client.ts';
import type { OpenedSession } from './messages.ts';

/** The tab that lost the lock needs a moment to let go of its files: asked again until it has, at most 5 s. */
export async function openWhenFree(storage: Storage, id: string): Promise<OpenedSession> {
	// Not the clock on the wall, which may jump.
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
