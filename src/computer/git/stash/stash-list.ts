import { fatal, GitError } from '../errors.ts';
import { NULL_ID } from '../objects/object.ts';
import { expandRef } from '../refs/named-ref.ts';
import { findRevision, peel } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

export const STASH = 'refs/stash';

/** Stash named on the command line. */
export interface NamedStash {
	id: string;
	/** Name for messages. */
	name: string;
	/** Position in the list, the newest first; null for a commit not named as an entry of the list. */
	position: number | null;
}

/** Adds a stash to the list. */
export function storeStash({ refs }: Repository, id: string, message: string): void {
	const before = refs.resolve(STASH) ?? NULL_ID;
	refs.note(STASH, id);
	refs.startReflog(STASH);
	refs.log(STASH, before, id, message);
}

/** Finds a stash by its number, by a list entry (`stash@{1}`) or as any commit; without a name, the newest. */
export function findStash(repository: Repository, names: readonly string[]): NamedStash {
	if (names.length > 1)
		throw new GitError(`Too many revisions specified:${names.map((name) => ` '${name}'`).join('')}`, 1);
	const [given] = names;
	const entries = repository.refs.reflog(STASH);
	if (given === undefined && repository.refs.resolve(STASH) === null) throw new GitError('No stash entries found.', 1);
	const name = given === undefined ? `${STASH}@{0}` : /^\d+$/.test(given) ? `${STASH}@{${given}}` : given;
	const found = findRevision(repository, name);
	const id = found === null ? null : peel(repository, found, 'commit');
	if (id === null) throw new GitError(`error: ${name} is not a valid reference`, 1);
	if (repository.commit(id).parents.length < 2) throw fatal(`'${name}' is not a stash-like commit`);
	const [, base = ''] = /^(.*?)(?:@\{.*\})?$/s.exec(name) ?? [];
	const isListed = expandRef(repository, base) === STASH;
	const [, number] = /@\{(\d+)\}$/.exec(name) ?? [];
	const position = number === undefined ? entries.findIndex(({ to }) => to === id) : Number(number);
	return { id, name, position: isListed ? Math.max(0, position) : null };
}

/** Same for a command that removes the stash from the list. @throws GitError for a commit that is not in it */
export function findListedStash(repository: Repository, names: readonly string[]): NamedStash & { position: number } {
	const { id, name, position } = findStash(repository, names);
	if (position === null) throw new GitError(`error: '${name}' is not a stash reference`, 1);
	return { id, name, position };
}

/** Removes a stash from the list. */
export function dropStash({ refs }: Repository, position: number): void {
	const entries = refs.reflog(STASH);
	entries.splice(position, 1);
	if (entries.length === 0) {
		refs.delete(STASH);
		return;
	}
	entries.forEach((entry, at) => (entry.from = entries[at + 1]?.to ?? NULL_ID));
	refs.writeReflog(STASH, entries);
	refs.note(STASH, entries[0]!.to);
}
