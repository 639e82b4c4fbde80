import { Errors, fetch, push, type HttpClient } from 'isomorphic-git';
import { absolute } from '#computer/abi/paths.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { PackReceiver, type ReceivedPack } from '../objects/pack-receiver.ts';
import { repositoryAt, type Repository } from '../repository.ts';
import { promisedFiles } from './fs-adapter.ts';
import { pageHttp, tapped, type FetchTraffic } from './http-client.ts';
import { localServer, LOCAL_URL } from './local-server.ts';
import { serverHooks } from './server-hooks.ts';

/** Options of a fetch. */
export interface FetchOptions {
	remote: string;
	url: string;
	/** A single branch; all if absent. */
	branch?: string;
	depth?: number;
	tags: boolean;
	prune: boolean;
	progress: boolean;
	/** Commits and trees alone, where the server offers that. */
	withoutContents?: boolean;
}

export interface Fetched {
	/** `refs/heads/main`, where the remote says what its HEAD is. */
	defaultBranch: string | null;
	head: string | null;
}

/** Fetches over smart HTTP into `refs/remotes/<remote>/`. @throws GitError in git's words */
export async function fetchFrom(git: Invocation, repository: Repository, options: FetchOptions): Promise<Fetched> {
	const server = serverAt(git, options.url);
	const { objects } = repository;
	const pack = new PackReceiver((id) => objects.find(id));
	const report = options.progress ? new Report(git) : null;
	let received: ReceivedPack | null = null;
	const traffic: FetchTraffic = {
		withoutContents: options.withoutContents ?? false,
		takePack(bytes) {
			pack.push(bytes);
			report?.received(pack.progress);
		},
		takeProgress: (bytes) => report?.add(decode(bytes)),
		packEnded() {
			received = pack.finish();
			report?.received(pack.progress);
		}
	};
	const result = await asGitError(options.url, () =>
		fetch({
			fs: promisedFiles(repository.files),
			http: server ? tapped(server, traffic) : pageHttp(git.context.async, traffic),
			dir: repository.root,
			gitdir: repository.gitDir,
			remote: options.remote,
			url: server ? LOCAL_URL : options.url,
			ref: options.branch,
			remoteRef: options.branch,
			depth: options.depth,
			singleBranch: options.branch !== undefined,
			tags: options.tags,
			prune: options.prune
		})
	);
	// Not before: isomorphic-git would read all of it again, to look for the parents of a shallow commit.
	if (received) objects.keepPack(received);
	return { defaultBranch: result.defaultBranch, head: result.fetchHead };
}

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

/** Path of an address that names a repository of this volume; null for one that names a host. */
export function localPath(url: string): string | null {
	if (url.startsWith('file://')) return decodeURIComponent(url.slice('file://'.length));
	return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^[^/]+:/.test(url) ? null : url;
}

/** Between two lines of progress: each is a call of the kernel, and a server sends hundreds in a row. */
const PROGRESS_MS = 200;

/** Reports the progress of a fetch on stderr, as git does. */
class Report {
	#lastMs = 0;
	#partial = '';
	#isDone = false;

	constructor(private readonly git: Invocation) {}

	/** Prints messages of the server; a line may arrive in pieces. */
	add(text: string): void {
		const lines = (this.#partial + text).split(/(?<=[\r\n])/);
		this.#partial = /[\r\n]$/.test(lines.at(-1) ?? '') ? '' : (lines.pop() ?? '');
		for (const line of lines) this.#say(`remote: ${line}`, line.endsWith('\n'));
	}

	received({ loaded, total }: { loaded: number; total: number }): void {
		if (this.#isDone || total === 0) return;
		this.#isDone = loaded === total;
		const line = `Receiving objects: ${Math.floor((loaded * 100) / total)}% (${loaded}/${total})`;
		this.#say(this.#isDone ? `${line}, done.\n` : `${line}\r`, this.#isDone);
	}

	#say(line: string, isLast: boolean): void {
		const now = performance.now();
		if (!isLast && now - this.#lastMs < PROGRESS_MS) return;
		this.#lastMs = now;
		this.git.err(line);
	}
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
