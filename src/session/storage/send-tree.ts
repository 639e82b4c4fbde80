import { PART_ITEMS } from '#environment/parts.ts';
import type { Storage } from './client.ts';
import type { Tree } from './file-journal.ts';

/**
 * Stores a tree in parts: sending a large one at once would block the page noticeably. Rejects as the storage
 * does.
 */
export async function sendTree(storage: Storage, sessionId: string, id: string, tree: Tree): Promise<void> {
	let part: Tree = new Map();
	for (const [path, entry] of tree) {
		part.set(path, entry);
		if (part.size < PART_ITEMS) continue;
		await storage.addTreePart(sessionId, id, part);
		part = new Map();
	}
	await storage.addTree(sessionId, id, part);
}
