import * as z from 'zod/mini';
import type { StoredSession } from '#session/contract.ts';

const KEY = 'relatives';
const PARENT_KEY = 'parent';
const Ids = z.array(z.string());

/** The sessions that one began as a fork of, or that were forked from it, newest last. */
export async function relativesOf(stored: Pick<StoredSession, 'readPageState'>): Promise<string[]> {
	const kept = z.safeParse(Ids, await stored.readPageState<unknown>(KEY));
	return kept.success ? kept.data : [];
}

/** The session that one was forked from; `null` for one that was not. */
export async function parentOf(stored: Pick<StoredSession, 'readPageState'>): Promise<string | null> {
	const kept = z.safeParse(z.string(), await stored.readPageState<unknown>(PARENT_KEY));
	return kept.success ? kept.data : null;
}

/** Remembers with both that one was forked from the other; the fork gets to know its siblings. */
export async function relate(from: StoredSession, fork: StoredSession): Promise<void> {
	const known = await relativesOf(from);
	await fork.writePageState(PARENT_KEY, from.summary.id);
	await fork.writePageState(KEY, [...known, from.summary.id]);
	await from.writePageState(KEY, [...known, fork.summary.id]);
}
