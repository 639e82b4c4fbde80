import { decode, encode } from './bytes.ts';
import { runChild } from './child.ts';
import { GitError } from './errors.ts';
import type { Invocation } from './invocation.ts';

/** Configured editor for messages, or for the todo list of a rebase; null if there is none. */
export function chosenEditor(git: Invocation, forList = false): string | null {
	const { env } = git;
	const { config } = git.repository;
	const forLists = forList ? (env['GIT_SEQUENCE_EDITOR'] ?? config.get('sequence.editor')) : undefined;
	return forLists ?? env['GIT_EDITOR'] ?? config.get('core.editor') ?? env['VISUAL'] ?? env['EDITOR'] ?? null;
}

/**
 * Opens a file of `.git` in the editor. Returns the edited text.
 *
 * @param text text to write first; without it, the file already exists
 * @throws GitError if the editor fails
 */
export function editFile(git: Invocation, editor: string, name: string, text?: string): string {
	const path = `${git.repository.gitDir}/${name}`;
	const { files } = git.repository;
	if (text !== undefined) files.writeFile(path, encode(text));
	// Scripts set `:` or `true` to skip editing.
	if (editor !== ':' && editor !== 'true' && runChild(git, `${editor} "$@"`, [path], { cwd: git.cwd }) !== 0) {
		throw new GitError(`error: There was a problem with the editor '${editor}'.`, 1);
	}
	return decode(files.readFile(path));
}
