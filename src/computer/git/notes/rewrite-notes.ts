import { encode } from '../bytes.ts';
import { booleanOf } from '../config/values.ts';
import type { Repository } from '../repository.ts';
import { combineNamed, concatenate, type Combine } from './combine.ts';
import { openNotes } from './notes-tree.ts';
import { matchingRefs, refsOfList } from './notes-refs.ts';

/** Commit and its replacement. */
export type Rewritten = readonly [from: string, to: string];

/**
 * Copies the notes of rewritten commits to their replacements, if configured.
 *
 * @param command that rewrote them: `amend` or `rebase`
 */
export function copyRewrittenNotes(
	repository: Repository,
	command: string,
	pairs: readonly Rewritten[],
	message: string
): void {
	const { config } = repository;
	const say = (text: string) => repository.files.write(2, encode(`${text}\n`));
	if (booleanOf(config.get(`notes.rewrite.${command}`) ?? 'true') === false) return;
	const refs = rewrittenRefs(repository, say);
	const combine = combination(repository, say);
	if (refs.length === 0 || combine === null) return;
	for (const ref of refs) {
		const notes = openNotes(repository, ref);
		for (const [from, to] of pairs) {
			const note = notes.get(from);
			if (note !== undefined) notes.add(to, note, combine);
		}
		notes.commit(message);
	}
}

function rewrittenRefs(repository: Repository, say: (text: string) => void): string[] {
	const listed = repository.env['GIT_NOTES_REWRITE_REF'];
	if (listed !== undefined) return refsOfList(repository, listed);
	const found = repository.config.values('notes.rewriteref').flatMap((pattern) => {
		if (pattern.startsWith('refs/notes/')) return matchingRefs(repository, pattern);
		say(`warning: Refusing to rewrite notes in ${pattern} (outside of refs/notes/)`);
		return [];
	});
	return [...new Set(found)];
}

/** Combination with existing notes; null for an unknown mode. */
function combination({ env, config }: Repository, say: (text: string) => void): Combine | null {
	const listed = env['GIT_NOTES_REWRITE_MODE'];
	const name = listed ?? config.get('notes.rewritemode');
	if (name === undefined) return concatenate;
	const combine = combineNamed(name);
	if (!combine)
		say(`error: Bad ${listed === undefined ? 'notes.rewriteMode' : 'GIT_NOTES_REWRITE_MODE'} value: '${name}'`);
	return combine;
}
