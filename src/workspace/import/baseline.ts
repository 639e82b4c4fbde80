import type { ExecResult, ExecutionEnvironment } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { ownGit } from '#environment/own-git.ts';

const NO_SUCH_PROGRAM = 127;
const NO_GIT =
	'There is no git on this computer, so commits and branches are missing. Changes and checkpoints work without it.';

/**
 * Creates the single commit *Imported* for an import without history, so that `git status`, `diff` and `commit`
 * work. The sandbox's `git-baseline` writes it as one pack, without `add`; other computers have their own git,
 * or none.
 *
 * @returns a message for the user if there is no git
 */
export async function commitBaseline(
	environment: ExecutionEnvironment,
	options: { branch?: string } = {}
): Promise<string | undefined> {
	if (await environment.fileExists('.git')) return undefined;
	const env = { SANDGLASS_BRANCH: options.branch ?? 'main' };
	let result = await environment.exec('git-baseline --message Imported --branch "$SANDGLASS_BRANCH"', { env });
	if (result.exitCode === NO_SUCH_PROGRAM) result = await withPlainGit(environment, env);
	if (result.exitCode === NO_SUCH_PROGRAM) return NO_GIT;
	// Names that git refuses, such as `.GIT` below another directory, come from the import, not from this computer.
	const code = /^error: invalid path /m.test(result.stderr) ? 'EINVAL' : 'EIO';
	if (result.exitCode !== 0)
		throw new EnvironmentError(code, `The first commit could not be made: ${result.stderr.trim()}`);
	return undefined;
}

async function withPlainGit(environment: ExecutionEnvironment, env: Record<string, string>): Promise<ExecResult> {
	const made = await environment.exec('git init --quiet --template= --initial-branch "$SANDGLASS_BRANCH"', { env });
	if (made.exitCode !== 0) return made;
	const added = await environment.exec(ownGit(environment, 'add --all'));
	if (added.exitCode !== 0) return added;
	const identity = '-c user.name=Sandglass -c user.email=sandglass@localhost';
	return environment.exec(ownGit(environment, `${identity} commit --quiet --allow-empty --message Imported`));
}
