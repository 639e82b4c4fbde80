import type { ProcessContext } from '#computer/process/program.ts';
import type { WireResponse } from '#computer/abi/syscalls.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { NpmError } from '../errors.ts';
import { type Packument, packumentShape, type PublishedManifest } from './packument.ts';
import { Turnstile } from './turnstile.ts';

export const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';
const SHORT_FORM = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*';
const AT_ONCE = 16;
/** Maximum number of packages fetched in advance: they are buffered in memory. */
const AHEAD = 64;
/** Delays before a request is retried, as often as npm retries one by default. */
const RETRY_MS = [250, 1000];
/** Responses for which a retry may help: timeouts, too many requests, and server errors. */
const isTransient = (status: number) => status === 408 || status === 420 || status === 429 || status >= 500;

/** Package registry, accessed through the page: each request is one line of its ledger. */
export class Registry {
	readonly #known = new Map<string, Promise<Packument>>();
	readonly #turnstile = new Turnstile(AT_ONCE);
	/** Packages have their own queue: manifests, which block more work, do not wait behind them. */
	readonly #tarballs = new Turnstile(AT_ONCE);
	readonly #ahead = new Map<string, Promise<WireResponse>>();

	/** @param url with a trailing slash */
	constructor(
		private readonly context: Pick<ProcessContext, 'async'>,
		readonly url: string = DEFAULT_REGISTRY
	) {}

	/** Fetches all versions of a package, once. @throws NpmError E404, ENETWORK */
	packument(name: string, full = false): Promise<Packument> {
		const key = full ? `${name} full` : name;
		const known = this.#known.get(key);
		if (known) return known;
		const packument = this.#packument(name, full);
		this.#known.set(key, packument);
		packument.catch(() => this.#known.delete(key));
		return packument;
	}

	/** Fetches the packed bytes of a package. @throws NpmError E404, ENETWORK */
	async tarball(name: string, version: string, url: string): Promise<Uint8Array> {
		const { status, body } = await (this.#ahead.get(url) ?? this.#getTarball(url));
		this.#ahead.delete(url);
		if (status !== 200) {
			throw new NpmError(
				`E${status}`,
				`${status} ${url}`,
				`The registry has no file for ${name}@${version}. Check the version, or delete package-lock.json and install again.`
			);
		}
		return body;
	}

	/** The same in advance: {@link tarball} does not fetch it again. @throws NpmError E404, ENETWORK */
	async tarballAhead(name: string, version: string, url: string): Promise<Uint8Array> {
		const asked = this.#ahead.get(url) ?? this.#getTarball(url);
		this.#ahead.set(url, asked);
		const bytes = await this.tarball(name, version, url);
		this.#ahead.set(url, asked);
		return bytes;
	}

	/** Starts fetching a package for {@link tarball}, which also reports a failure. */
	askAhead(url: string): void {
		if (this.#ahead.has(url) || this.#ahead.size >= AHEAD || !/^https?:/.test(url)) return;
		const asked = this.#getTarball(url);
		asked.catch(() => {});
		this.#ahead.set(url, asked);
	}

	/**
	 * URL of a version's tarball in this registry: mirrors often return the public registry's URL instead.
	 */
	tarballUrl({ name, dist }: Pick<PublishedManifest, 'name' | 'dist'>): string {
		return this.ownAddress(name, dist.tarball);
	}

	/** Returns the URL of the same file in this registry, for a URL in a lockfile that may name another one. */
	ownAddress(name: string, url: string): string {
		const file = url.split('/').pop() ?? '';
		return url.includes(`/${name}/-/`) ? `${this.url}${name}/-/${file}` : url;
	}

	async #packument(name: string, full: boolean): Promise<Packument> {
		const url = this.url + name.replace('/', '%2f');
		const { status, body } = await this.#get(url, full ? 'application/json' : SHORT_FORM, this.#turnstile);
		if (status === 404) {
			throw new NpmError(
				'E404',
				`404 Not Found - GET ${url} - Not found`,
				'',
				` '${name}@*' is not in this registry.`,
				'',
				'Check the spelling of its name.'
			);
		}
		if (status !== 200) throw new NpmError(`E${status}`, `${status} GET ${url}`, 'Try again in a moment.');
		const parsed = packumentShape.safeParse(JSON.parse(new TextDecoder().decode(body)));
		if (!parsed.success) throw new NpmError('EINVALIDPACKUMENT', `What ${url} answered describes no package.`);
		return parsed.data;
	}

	#getTarball(url: string): Promise<WireResponse> {
		return this.#get(url, '*/*', this.#tarballs);
	}

	#get(url: string, accept: string, turnstile: Turnstile): Promise<WireResponse> {
		return turnstile.pass(async () => {
			try {
				return await this.#request(url, accept);
			} catch (error) {
				if (!(error instanceof SyscallError)) throw error;
				throw new NpmError(
					error.code === 'ECONNREFUSED' ? 'ECONNREFUSED' : 'ENETWORK',
					`request to ${url} failed, reason: ${error.message}`,
					error.code === 'ECONNREFUSED'
						? 'Allow the registry when the page asks, and run the command again.'
						: 'Packages installed before can be had without a network by `npm ci`. Otherwise go online and try again.'
				);
			}
		});
	}

	/** Retries a request after an error of the network or the registry; a refusal by the page is not retried. */
	async #request(url: string, accept: string): Promise<WireResponse> {
		for (let attempt = 0; ; attempt++) {
			const pause = RETRY_MS[attempt];
			try {
				const headers: [string, string][] = [['accept', accept]];
				const answer = await this.context.async.fetch({ method: 'GET', url, headers, body: null, purpose: 'npm' });
				if (pause === undefined || !isTransient(answer.status)) return answer;
			} catch (error) {
				if (pause === undefined || !(error instanceof SyscallError) || error.code === 'ECONNREFUSED') throw error;
			}
			await new Promise((resolve) => setTimeout(resolve, pause));
		}
	}
}
