import { encode } from '../bytes.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

export const USUAL_NOTES = 'refs/notes/commits';

/** Notes ref that commands use. */
export const notesRef = ({ env, config }: Repository): string =>
	env['GIT_NOTES_REF'] ?? config.get('core.notesref') ?? USUAL_NOTES;

/** Full name of a notes ref. */
export function fullNotesRef(name: string): string {
	if (name.startsWith('refs/notes/')) return name;
	return name.startsWith('notes/') ? `refs/${name}` : `refs/notes/${name}`;
}

/** Refs that match a pattern; a plain name matches itself. */
export function matchingRefs(repository: Repository, pattern: string): string[] {
	if (!/[*?[\\]/.test(pattern)) {
		if (findRevision(repository, pattern) === null)
			repository.files.write(2, encode(`warning: notes ref ${pattern} is invalid\n`));
		return [pattern];
	}
	const regex = wildmatch(pattern.startsWith('refs/') ? pattern : `refs/${pattern}`);
	return repository.refs
		.list('refs/')
		.map(({ name }) => name)
		.filter((name) => regex.test(name));
}

/** Same for a list of patterns separated by colons. */
export const refsOfList = (repository: Repository, list: string): string[] =>
	list
		.split(':')
		.filter((part) => part !== '')
		.flatMap((part) => matchingRefs(repository, part));
