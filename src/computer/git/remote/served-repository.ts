import { absolute } from '#computer/abi/paths.ts';
import { commonDirOf, isGitDirectory } from '../discover.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { repositoryAt, type Repository } from '../repository.ts';

/**
 * Repository at a path that a client names.
 *
 * @param isStrict only takes a git directory itself, not the one of a working tree
 * @throws GitError if there is none
 */
export function servedRepository(git: Invocation, path: string, isStrict: boolean): Repository {
	const { surroundings, env, cwd } = git;
	const full = absolute(
		path.replace(/^~(?=\/|$)/, () => env['HOME'] ?? '~'),
		cwd
	);
	const isRefused = isStrict && !(isGitDirectory(surroundings, full) && commonDirOf(surroundings, full) === full);
	const repository = isRefused ? null : repositoryAt(surroundings, full);
	if (!repository) throw fatal(`'${path}' does not appear to be a git repository`);
	// Objects are served as they are stored.
	repository.objects.ignoreReplacements();
	return repository;
}
