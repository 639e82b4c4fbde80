import { fatal } from '../errors.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

/** Commits from which a fetch starts to say what is here (git-fetch(1), `--negotiation-tip`). @throws GitError if one is missing */
export function negotiationTips(repository: Repository, names: readonly string[]): string[] {
	const { refs, objects } = repository;
	return names.flatMap((name) => {
		if (!/[*?[]/.test(name)) {
			const id = findRevision(repository, name);
			if (id === null) throw fatal(`${name} is not a valid object`);
			if (!objects.has(id)) throw fatal(`the object ${name} does not exist`);
			return [id];
		}
		const pattern = name.startsWith('refs/') ? name : `refs/${name}`;
		const matches = wildmatch(pattern, true);
		const found = refs.list('refs/').filter((ref) => matches.test(ref.name));
		if (found.length === 0) repository.warn(`ignoring --negotiation-tip=${name} because it does not match any refs`);
		return found.map(({ id }) => id);
	});
}
