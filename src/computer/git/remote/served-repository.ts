import { absolute } from '#computer/abi/paths.ts';
import { commonDirOf, isGitDirectory } from '../discover.ts';
import { fatal } from '../errors.ts';
import { repositoryAt, type Repository } from '../repository.ts';
import type { Surroundings } from '../surroundings.ts';
import { isLazyFetchOff, LAZY_FETCH_OFF, servingEnv } from './no-lazy-fetch.ts';

/** Opens a repository on this volume to serve it; null if there is none at the path. */
export function servedRepository(surroundings: Surroundings, path: string): Repository | null {
	const isOff = isLazyFetchOff(servingEnv(surroundings.env));
	const repository = repositoryAt(
		isOff ? { ...surroundings, fetchMissing: () => surroundings.warn(LAZY_FETCH_OFF) } : surroundings,
		path
	);
	// The other side serves its objects as they are stored.
	repository?.objects.ignoreReplacements();
	return repository;
}

/**
 * Opens the repository at a path that a client names.
 *
 * @param isStrict only takes a git directory itself, not the one of a working tree
 * @throws GitError if there is none
 */
export function repositoryToServe(surroundings: Surroundings, path: string, isStrict: boolean): Repository {
	const { env, cwd } = surroundings;
	const full = absolute(
		path.replace(/^~(?=\/|$)/, () => env['HOME'] ?? '~'),
		cwd
	);
	const isRefused = isStrict && !(isGitDirectory(surroundings, full) && commonDirOf(surroundings, full) === full);
	const repository = isRefused ? null : servedRepository(surroundings, full);
	if (!repository) throw fatal(`'${path}' does not appear to be a git repository`);
	return repository;
}
