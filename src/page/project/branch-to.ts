import type { SessionEntry } from '../../agent/session-log.ts';

/**
 * The way from the root of a session tree to an entry, whichever branch it is on.
 *
 * @param id `null`: before the conversation began, which is the root alone
 */
export function branchTo(entries: readonly SessionEntry[], id: string | null): SessionEntry[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const way: SessionEntry[] = [];
	for (
		let at = id === null ? entries[0] : byId.get(id);
		at;
		at = at.parentId === null ? undefined : byId.get(at.parentId)
	)
		way.push(at);
	return way.reverse();
}
