import { decode, encode } from './bytes.ts';
import { runChild } from './child.ts';
import { GitError } from './errors.ts';
import type { Invocation } from './invocation.ts';

/** The editor that was chosen for messages, or for the list of commits of a rebase; null when none was. */
export function chosenEditor(git: Invocation, forList = false): string | null {
	const { env } = git;
	const { config } = git.repository;
	const forLists = forList ? (env['GIT_SEQUENCE_EDITOR'] ?? config.get('sequence.editor')) : undefined;
	return forLists ?? env['GIT_EDITOR'] ?? config.get('core.editor') ?? env['VISUAL'] ?? env['EDITOR'] ?? null;
}

/**
 * Lets the editor change a file of `.git`. Gives its text afterwards.
 *
 * @param text written first; absent, the file is there
 * @throws GitError when the editor fails
 */
export function editFile(git: Invocation, editor: string, name: string, text?: string): string {
	const path = `${git.repository.gitDir}/${name}`;
	const { files } = git.repository;
	if (text !== undefined) files.writeFile(path, encode(text));
	// `:` and `true` are how scripts say that nothing is to be edited.
	if (editor !== ':' && editor !== 'true' && runChild(git, `${editor} "$@"`, [path], { cwd: git.cwd }) !== 0) {
		throw new GitError(`error: There was a problem with the editor '${editor}'.`, 1);
	}
	return decode(files.readFile(path));
}
