import { Errors, fetch, push } from 'isomorphic-git';
import { SyscallError } from '#computer/abi/client.ts';
import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { PackReceiver, type ReceivedPack } from '../objects/pack-receiver.ts';
import type { Repository } from '../repository.ts';
import { promisedFiles } from './fs-adapter.ts';
import { pageHttp, type FetchTraffic } from './http-client.ts';

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
	onlyHttp(options.url);
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
			http: pageHttp(git.context.async, traffic),
			dir: repository.root,
			gitdir: repository.gitDir,
			remote: options.remote,
			url: options.url,
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
	onlyHttp(options.url);
	const result = await asGitError(options.url, () =>
		push({
			fs: promisedFiles(repository.files),
			http: pageHttp(git.context.async),
			dir: repository.root,
			gitdir: repository.gitDir,
			remote: options.remote,
			url: options.url,
			ref: options.from ?? options.to,
			remoteRef: options.to,
			force: options.force,
			delete: options.from === null
		})
	);
	const failed = Object.values(result.refs).find(({ ok }) => !ok);
	return { ok: result.ok && !failed, reason: failed?.error ?? '' };
}

function onlyHttp(url: string): void {
	if (/^https?:\/\//.test(url)) return;
	throw fatal(`'${url}' cannot be reached from the sandbox: only http:// and https:// addresses work here`);
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
