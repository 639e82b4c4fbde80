import { loadSha1 } from '#environment/sha1.ts';
import { BrowserMedia } from './media.ts';
import type { StorageReply, StorageRequest } from './messages.ts';
import { OpenSessions } from './open-sessions.ts';
import { splitReply } from './reply-parts.ts';

/** The storage worker: the only code that accesses the disk. */

const sessions = new OpenSessions(new BrowserMedia(), (error) => console.error('Storage could not be flushed.', error));

// Until then, and if WebAssembly is refused, hashes are computed in JavaScript.
loadSha1().catch((error: unknown) => console.warn('Contents are hashed in JavaScript.', error));

self.onmessage = async (message: MessageEvent<StorageRequest>) => {
	const { id, call, args } = message.data;
	for (const reply of await answer(id, call, args)) self.postMessage(reply);
};

async function answer(id: number, call: StorageRequest['call'], args: unknown[]): Promise<StorageReply[]> {
	try {
		// The page and this worker are one build; the call's types are those of StorageCalls.
		const { parts, rest } = splitReply(await sessions.run(call, args as never));
		return [...parts.map((items) => ({ id, items })), { id, result: rest }];
	} catch (error) {
		const name = error instanceof Error ? error.name : 'Error';
		const message = error instanceof Error ? error.message : String(error);
		return [{ id, error: { name: name === 'NoModificationAllowedError' ? 'LockedError' : name, message } }];
	}
}
