import type { ExecutionEnvironment } from '../../environment/contract.ts';
import { EnvironmentError } from '../../environment/errors.ts';

/**
 * Gives an import without history its one commit, *Imported*, so that `git status`, `diff` and
 * `commit` work. The sandbox's `git-baseline` writes it as one pack, without `add`.
 */
export async function commitBaseline(
	environment: ExecutionEnvironment,
	options: { branch?: string } = {}
): Promise<void> {
	if (await environment.fileExists('.git')) return;
	const branch = options.branch ?? 'main';
	const result = await environment.exec('git-baseline --message Imported --branch "$SANDGLASS_BRANCH"', {
		env: { SANDGLASS_BRANCH: branch }
	});
	if (result.exitCode !== 0)
		throw new EnvironmentError('EIO', `The first commit could not be made: ${result.stderr.trim()}`);
}
