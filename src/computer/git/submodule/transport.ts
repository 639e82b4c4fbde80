import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { localPath } from '../remote/remote-address.ts';

/**
 * Rejects a URL that comes from a repository if its protocol is only allowed for URLs given by the user: see
 * `protocol.<name>.allow`, which is `user` for local paths.
 *
 * @throws GitError if the URL is not allowed
 */
export function requireAllowed({ repository: { config }, env }: Invocation, url: string): void {
	const protocol = localPath(url) === null ? (/^([a-z+]+):\/\//.exec(url)?.[1] ?? 'ssh') : 'file';
	const listed = env['GIT_ALLOW_PROTOCOL'];
	const usual = protocol === 'file' ? 'user' : 'always';
	const policy = config.get(`protocol.${protocol}.allow`) ?? config.get('protocol.allow') ?? usual;
	const isAllowed = listed === undefined ? policy === 'always' : listed.split(':').includes(protocol);
	if (!isAllowed) throw fatal(`transport '${protocol}' not allowed`);
}
