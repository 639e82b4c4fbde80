/**
 * Entries from the root to `leaf`, along their parents. Ends at a parent that is missing, and at one it has passed: a
 * damaged log may hold a cycle.
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
