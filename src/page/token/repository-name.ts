import { visibleName } from '../visible-text.ts';

/**
 * Name of a repository for the user: `git.example.org/owner/repository.git`, with the scheme only if it is not https.
 */
export function repositoryName(repository: string): string {
	const { protocol, host, pathname } = new URL(repository);
	return visibleName(`${protocol === 'https:' ? '' : `${protocol}//`}${host}${pathname}`);
}
