import type { ExecutionEnvironment } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { ownGit } from '#environment/own-git.ts';
import { shellWord } from '#environment/shell-word.ts';

/** Environment that git is run in. */
export type GitEnvironment = Pick<ExecutionEnvironment, 'exec' | 'platform'>;

/**
 * Runs git for Sandglass itself, with nothing that the repository names as a program.
 *
 * @param words each one argument, whatever is in it
 * @returns its standard output. Rejects with an EnvironmentError that has git's own words
 */
export async function runGit(environment: GitEnvironment, ...words: string[]): Promise<string> {
	const result = await environment.exec(ownGit(environment, words.map(gitWord).join(' ')));
	if (result.exitCode === 0) return result.stdout;
	const said = (result.stderr || result.stdout).trim().replace(/^(?:fatal|error): /, '');
	throw new EnvironmentError('EIO', said || `git ${words[0] ?? ''} ended with ${result.exitCode}`);
}

/** Plain words stay as they are, so that a subcommand is recognised. */
const gitWord = (word: string): string => (/^[\w./:=@%-]+$/.test(word) ? word : shellWord(word));
