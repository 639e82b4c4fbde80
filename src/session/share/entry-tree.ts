import type { SessionEntry } from '#agent/session-log.ts';
import { ShareError } from './errors.ts';

/** Maximum entries of a share: ten times those of the longest sessions seen. */
export const MAX_ENTRIES = 200_000;

type Placed = Pick<SessionEntry, 'id' | 'parentId'>;

/**
 * Checks the invariants of a session log in one pass: ids are unique and each parent comes before its children.
 * This rules out cycles, self-references and missing parents.
 *
 * @throws ShareError `malformed_tree` or `too_complex`
 */
export function assertTree(entries: readonly Placed[], leaf?: string): void {
	if (entries.length > MAX_ENTRIES) throw new ShareError('too_complex', `${entries.length} entries`);
	const seen = new Set<string>();
	for (const { id, parentId } of entries) {
		if (seen.has(id)) throw new ShareError('malformed_tree', `two entries ${id}`);
		if (parentId !== null && !seen.has(parentId))
			throw new ShareError('malformed_tree', `entry ${id} stands before its parent ${parentId}, or has none`);
		seen.add(id);
	}
	if (leaf !== undefined && !seen.has(leaf)) throw new ShareError('malformed_tree', `no entry ${leaf}`);
}

/**
 * Repairs entries of a log that lost lines to damage: one without its parent follows the entry written before
 * it.
 */
export function reconnected(entries: readonly SessionEntry[]): SessionEntry[] {
	const seen = new Set<string>();
	let previous: string | null = null;
	const connected: SessionEntry[] = [];
	for (const entry of entries) {
		if (seen.has(entry.id)) continue;
		const { parentId } = entry;
		connected.push(parentId === null || seen.has(parentId) ? entry : { ...entry, parentId: previous });
		seen.add(entry.id);
		previous = entry.id;
	}
	return connected;
}
