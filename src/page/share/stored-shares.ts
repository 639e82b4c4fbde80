import * as z from 'zod/mini';
import { readStored, writeStored } from '../settings/stored.ts';
import type { CreatedShare } from './parts.ts';

const KEY = 'sandglass:shares';

const storedLink = z.object({
	id: z.string(),
	deleteToken: z.string(),
	url: z.string(),
	/** Session that was shared; it may be gone. */
	sessionId: z.string(),
	title: z.string(),
	/** Milliseconds since the epoch. */
	createdMs: z.number(),
	expiresAt: z.number()
});

/** A link stored on the server, with its deletion token. Stored separately: it outlives its session. */
export type StoredLink = z.infer<typeof storedLink>;

/**
 * Links created in this browser that still work, newest first.
 *
 * @param sessionId default: all sessions
 */
export function storedLinks(sessionId?: string, nowMs = Date.now()): StoredLink[] {
	const all = readStored(localStorage, KEY, z.array(storedLink)) ?? [];
	return all.filter((share) => share.expiresAt > nowMs && (sessionId === undefined || share.sessionId === sessionId));
}

/** Stores a new link, so that it can be revoked; a link that contains everything itself cannot. */
export function storeLink(session: { id: string; title: string }, created: CreatedShare): void {
	const { id, deleteToken, url, expiresAt } = created;
	if (id === undefined || deleteToken === undefined || expiresAt === undefined) return;
	const share = { id, deleteToken, url, sessionId: session.id, title: session.title, createdMs: Date.now(), expiresAt };
	writeStored(localStorage, KEY, [share, ...storedLinks()]);
}

export function forgetShare(id: string): void {
	writeStored(
		localStorage,
		KEY,
		storedLinks().filter((share) => share.id !== id)
	);
}
