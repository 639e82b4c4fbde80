import type { ExecutionEnvironment } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { ownGit } from '#environment/own-git.ts';
import { shellWord } from '#environment/shell-word.ts';

/** Environment that git is run in. */
export type GitEnvironment = Pick<ExecutionEnvironment, 'exec' | 'platform'>;

/**
 * Runs git for Sandglass itself, without any program that the repository configures.
 *
 * @param words passed as one argument each, quoted if needed
 * @returns its standard output. Rejects with an EnvironmentError with git's error message
 */
export async function runGit(environment: GitEnvironment, ...words: string[]): Promise<string> {
	const result = await environment.exec(ownGit(environment, words.map(gitWord).join(' ')));
	if (result.exitCode === 0) return result.stdout;
	const said = (result.stderr || result.stdout).trim().replace(/^(?:fatal|error): /, '');
	throw new EnvironmentError('EIO', said || `git ${words[0] ?? ''} ended with ${result.exitCode}`);
}

/** Leaves plain words unquoted, so that a subcommand is recognized. */
const gitWord = (word: string): string => (/^[\w./:=@%-]+$/.test(word) ? word : shellWord(word));
