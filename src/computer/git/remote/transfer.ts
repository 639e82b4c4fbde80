import { Errors, push, type HttpClient } from 'isomorphic-git';
import { absolute } from '#computer/abi/paths.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { repositoryAt, type Repository } from '../repository.ts';
import { localPath } from './connection.ts';
import { promisedFiles } from './fs-adapter.ts';
import { pageHttp } from './http-client.ts';
import { localServer, LOCAL_URL } from './local-server.ts';
import { serverHooks } from './server-hooks.ts';

/** Begins the reason of an error where the other side refused a reference. */
export const REFUSED_THERE = 'refused there: ';

/** Result of a push for one ref. */
export interface Pushed {
	ok: boolean;
	reason: string;
}

/** Pushes `from` (a branch) to `to` on the remote; `from` null deletes it. */
export async function pushTo(
	git: Invocation,
	repository: Repository,
	options: { remote: string; url: string; from: string | null; to: string; force: boolean }
): Promise<Pushed> {
	const server = serverAt(git, options.url);
	const result = await asGitError(options.url, () =>
		push({
			fs: promisedFiles(repository.files),
			http: server ?? pageHttp(git.context.async),
			dir: repository.root,
			gitdir: repository.gitDir,
			remote: options.remote,
			url: server ? LOCAL_URL : options.url,
			ref: options.from ?? options.to,
			remoteRef: options.to,
			force: options.force,
			delete: options.from === null
		})
	);
	const failed = Object.values(result.refs).find(({ ok }) => !ok);
	return { ok: result.ok && !failed, reason: failed?.error ?? '' };
}

/** A server for a repository of this volume; null for an address of the network. @throws GitError for any other */
function serverAt(git: Invocation, url: string): HttpClient | null {
	if (/^https?:\/\//.test(url)) return null;
	const path = localPath(url);
	if (path === null)
		throw fatal(`'${url}' cannot be reached from the sandbox: only http:// and https:// addresses and paths work here`);
	const repository = repositoryAt(git.surroundings, absolute(path, git.cwd));
	if (!repository)
		throw fatal(
			`'${url}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\n` +
				'Please make sure you have the correct access rights\nand the repository exists.'
		);
	return localServer(repository, serverHooks(git, repository));
}

async function asGitError<T>(url: string, run: () => Promise<T>): Promise<T> {
	try {
		return await run();
	} catch (error) {
		if (error instanceof Errors.HttpError) {
			const { statusCode } = error.data;
			if (statusCode === 401 || statusCode === 403) throw fatal(`Authentication failed for '${url}'`);
			if (statusCode === 404) throw fatal(`repository '${url}' not found`);
			throw fatal(`unable to access '${url}': The requested URL returned error: ${statusCode}`);
		}
		if (error instanceof Errors.GitPushError) {
			const refused = Object.values(error.data.result.refs).find(({ ok }) => !ok);
			throw new GitError('', 1, `${REFUSED_THERE}${refused?.error ?? ''}`);
		}
		if (error instanceof Errors.PushRejectedError) {
			throw new GitError('', 1, error.data.reason);
		}
		if (error instanceof Errors.NotFoundError) throw fatal(`couldn't find remote ref ${error.data.what}`);
		if (error instanceof SyscallError) throw fatal(`unable to access '${url}': ${error.message}`);
		if (error instanceof RangeError || (error instanceof Error && 'code' in error))
			throw fatal(`${url}: ${error.message}`);
		throw error;
	}
}
