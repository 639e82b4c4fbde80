import { visibleName } from '../visible-text.ts';

/** A repository as the user is shown it: `git.example.org/owner/repository.git`, the scheme only where it is not https. */
export function repositoryName(repository: string): string {
	const { protocol, host, pathname } = new URL(repository);
	return visibleName(`${protocol === 'https:' ? '' : `${protocol}//`}${host}${pathname}`);
}
