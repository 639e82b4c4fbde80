import { Mode } from '#environment/mode.ts';
import type { IndexEntry } from '../index/index-file.ts';
import type { Repository } from '../repository.ts';
import { isActive, modulesOf } from '../submodule/modules.ts';

/** Index entry to list: of the repository, or of one inside it. */
export interface ListedEntry extends IndexEntry {
	/** Repository whose index has the entry. */
	owner: Repository;
	/** Path in that repository. */
	ownPath: string;
}

/** Marks entries as the repository's own. */
export const ownEntries = (owner: Repository, entries: readonly IndexEntry[]): ListedEntry[] =>
	entries.map((entry) => ({ ...entry, owner, ownPath: entry.path }));

/** Replaces each active submodule by the entries of its index; one that is not checked out has none. */
export function withNestedEntries(entries: readonly ListedEntry[], within: readonly string[] = []): ListedEntry[] {
	const [first] = entries;
	if (!first) return [];
	const { owner } = first;
	const modules = modulesOf(owner);
	// A submodule can refer to a repository that contains it, which would never end.
	const outer = [...within, owner.gitDir];
	return entries.flatMap((entry) => {
		const module = entry.mode === Mode.commit ? modules.get(entry.ownPath) : undefined;
		if (!module || !isActive(owner, module)) return [entry];
		const inner = owner.nested(entry.ownPath);
		if (!inner || outer.includes(inner.gitDir)) return [];
		const nested = withNestedEntries(ownEntries(inner, inner.index.entries()), outer);
		return nested.map((one) => ({ ...one, path: `${entry.path}/${one.path}` }));
	});
}
