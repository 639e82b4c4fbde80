import { findRevision, peel } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { parseRange, walkHistory } from './walk.ts';

/**
 * Names from which commits were reached, for `--source`.
 *
 * @param names commits and ranges as given
 * @param refs ref names of the ids that an option named
 */
export function sourcesOf(
	repository: Repository,
	names: readonly string[],
	refs: ReadonlyMap<string, string>
): Map<string, string> {
	const found = new Map<string, string>();
	for (const text of names) {
		if (text.startsWith('^')) continue;
		const ends = text.includes('...') ? text.split('...') : text.includes('..') ? [text.split('..')[1]!] : [text];
		for (const end of ends) {
			const id = findRevision(repository, end || 'HEAD');
			const commit = id === null ? null : peel(repository, id, 'commit');
			if (commit !== null && !found.has(commit)) found.set(commit, refs.get(end) ?? (end || 'HEAD'));
		}
	}
	for (const { id, commit } of walkHistory(repository, parseRange(repository, names))) {
		const source = found.get(id);
		if (source === undefined) continue;
		for (const parent of commit.parents) if (!found.has(parent)) found.set(parent, source);
	}
	return found;
}
