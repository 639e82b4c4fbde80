import { branchPath } from '#agent/branch-path.ts';
import type { SessionEntry } from '#agent/session-log.ts';

/**
 * Path from the root of a session tree to an entry, on any branch.
 *
 * @param id `null`: before the conversation, when there is only the root
 */
export function branchTo(entries: readonly SessionEntry[], id: string | null): SessionEntry[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	return branchPath(byId, id ?? entries[0]?.id ?? null);
}
