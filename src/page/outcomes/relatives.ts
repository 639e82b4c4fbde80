import * as z from 'zod/mini';
import type { StoredSession } from '#session/contract.ts';
import type { Checkpoint } from '#workspace/contract.ts';

const KEY = 'relatives';
const PARENT_KEY = 'parent';
const POINT_KEY = 'fork-point';
const Ids = z.array(z.string());
const Point = z.object({ tree: z.string(), entryId: z.nullable(z.string()) });

type PageState = Pick<StoredSession, 'readPageState'>;

/** Sessions that this one was forked from, or that were forked from it, newest last. */
export async function relativesOf(stored: PageState): Promise<string[]> {
	const kept = z.safeParse(Ids, await stored.readPageState<unknown>(KEY));
	return kept.success ? kept.data : [];
}

/** Session that this one was forked from; `null` if it is not a fork. */
export async function parentOf(stored: PageState): Promise<string | null> {
	const kept = z.safeParse(z.string(), await stored.readPageState<unknown>(PARENT_KEY));
	return kept.success ? kept.data : null;
}

/** Files and conversation that a fork started with; `null` for a session that is not a fork, or an old one. */
export async function forkPointOf(stored: PageState): Promise<Pick<Checkpoint, 'tree' | 'entryId'> | null> {
	const kept = z.safeParse(Point, await stored.readPageState<unknown>(POINT_KEY));
	return kept.success ? kept.data : null;
}

/** Records in both sessions that one was forked from the other; the fork also learns its siblings. */
export async function relate(from: StoredSession, fork: StoredSession, { tree, entryId }: Checkpoint): Promise<void> {
	const known = await relativesOf(from);
	await fork.writePageState(PARENT_KEY, from.summary.id);
	await fork.writePageState(POINT_KEY, { tree, entryId });
	await fork.writePageState(KEY, [...known, from.summary.id]);
	await from.writePageState(KEY, [...known, fork.summary.id]);
}
