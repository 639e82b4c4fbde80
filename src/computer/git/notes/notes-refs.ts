import { encode } from '../bytes.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

export const USUAL_NOTES = 'refs/notes/commits';

/** Reference of the notes that commands are about. */
export const notesRef = ({ env, config }: Repository): string =>
	env['GIT_NOTES_REF'] ?? config.get('core.notesref') ?? USUAL_NOTES;

/** Full name of a reference of notes. */
export function fullNotesRef(name: string): string {
	if (name.startsWith('refs/notes/')) return name;
	return name.startsWith('notes/') ? `refs/${name}` : `refs/notes/${name}`;
}

/** References that a pattern stands for; a name stands for itself. */
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

/** The same for a list of them with colons between. */
export const refsOfList = (repository: Repository, list: string): string[] =>
	list
		.split(':')
		.filter((part) => part !== '')
		.flatMap((part) => matchingRefs(repository, part));
