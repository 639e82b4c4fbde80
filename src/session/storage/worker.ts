import { BrowserMedia } from './media.ts';
import type { StorageReply, StorageRequest } from './messages.ts';
import { OpenSessions } from './open-sessions.ts';

/** The storage worker: the only place that touches the disk. */

const sessions = new OpenSessions(new BrowserMedia(), (error) => console.error('Storage could not be flushed.', error));

self.onmessage = async (message: MessageEvent<StorageRequest>) => {
	const { id, call, args } = message.data;
	self.postMessage(await answer(id, call, args));
};

async function answer(id: number, call: StorageRequest['call'], args: unknown[]): Promise<StorageReply> {
	try {
		// The page and this worker are one build; the call's types are those of StorageCalls.
		return { id, result: await sessions.run(call, args as never) };
	} catch (error) {
		const name = error instanceof Error ? error.name : 'Error';
		return {
			id,
			error: {
				name: name === 'NoModificationAllowedError' ? 'LockedError' : name,
				message: error instanceof Error ? error.message : String(error)
			}
		};
	}
}
