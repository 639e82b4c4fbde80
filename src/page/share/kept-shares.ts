import type { StoredSession } from '../../session/contract.ts';
import type { CreatedShare } from './parts.ts';

/** A link kept on the server, and what takes it back. */
export interface KeptShare {
	id: string;
	deleteToken: string;
	url: string;
	/** Milliseconds since the epoch. */
	expiresAt: number;
}

const KEY = 'shares';

/** The links of a session that still work, newest first. */
export async function keptShares(stored: StoredSession, nowMs = Date.now()): Promise<KeptShare[]> {
	const all = (await stored.readPageState<KeptShare[]>(KEY)) ?? [];
	return all.filter(({ expiresAt }) => expiresAt > nowMs);
}

/** Remembers a new link, so that it can be taken back; one that holds everything itself cannot. */
export async function keepShare(stored: StoredSession, created: CreatedShare): Promise<void> {
	const { id, deleteToken, url, expiresAt } = created;
	if (id === undefined || deleteToken === undefined || expiresAt === undefined) return;
	await stored.writePageState(KEY, [{ id, deleteToken, url, expiresAt }, ...(await keptShares(stored))]);
}

export async function forgetShare(stored: StoredSession, id: string): Promise<void> {
	const rest = (await keptShares(stored)).filter((share) => share.id !== id);
	await stored.writePageState(KEY, rest);
}
