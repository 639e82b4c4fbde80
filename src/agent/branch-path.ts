/**
 * Returns the entries from the root to `leaf`. Stops at a missing parent and at an entry already visited: a
 * damaged log may contain a cycle.
 */
export function branchPath<Entry extends { id: string; parentId: string | null }>(
	byId: ReadonlyMap<string, Entry>,
	leaf: string | null
): Entry[] {
	const path = new Set<Entry>();
	for (let id = leaf; id !== null;) {
		const entry = byId.get(id);
		if (!entry || path.has(entry)) break;
		path.add(entry);
		id = entry.parentId;
	}
	return [...path].reverse();
}
