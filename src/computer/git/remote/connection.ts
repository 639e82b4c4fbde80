import type { HttpClient } from 'isomorphic-git';
import { absolute } from '#computer/abi/paths.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { concat, encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import type { Ref } from '../refs/refs.ts';
import { isRefName } from '../refs/ref-format.ts';
import { repositoryAt } from '../repository.ts';
import { pageHttp, tapped, type FetchTraffic } from './http-client.ts';
import { localServer, LOCAL_URL } from './local-server.ts';
import { readPackets } from './packet.ts';
import { serverHooks } from './server-hooks.ts';

type Service = 'git-upload-pack' | 'git-receive-pack';

/** References and capabilities of the remote side. */
export interface Advertisement {
	/** Includes HEAD if it points to a commit. */
	refs: Ref[];
	/** Targets of annotated tags, by the names of the tags. */
	peeled: ReadonlyMap<string, string>;
	/** Reference that the remote's HEAD points to; null if the remote does not say. */
	head: string | null;
	capabilities: ReadonlySet<string>;
	/** Commits at which the remote's history is cut off (shallow). */
	shallow: string[];
}

/** A remote repository accessed over smart HTTP (https://git-scm.com/docs/gitprotocol-http). */
export class Connection {
	readonly #headers: Record<string, string> = {};
	readonly #address: string;

	/** @param url for messages */
	private constructor(
		private readonly client: HttpClient,
		readonly url: string,
		address: string
	) {
		const [, start = '', user, end = ''] = /^(https?:\/\/)(?:([^@/]*)@)?(.*)$/s.exec(address) ?? [];
		this.#address = `${start}${end}`.replace(/\/$/, '');
		if (user === undefined) return;
		const [name = '', secret = ''] = user.split(/:(.*)/s).map(unescaped);
		this.#headers['Authorization'] = `Basic ${btoa(String.fromCharCode(...encode(`${name}:${secret}`)))}`;
	}

	/** @throws GitError if the address cannot be reached from here, or has no repository */
	static to(git: Invocation, url: string, traffic?: FetchTraffic): Connection {
		if (/^https?:\/\//.test(url)) return new Connection(pageHttp(git.context.async, traffic), url, url);
		const path = localPath(url);
		if (path === null)
			throw fatal(
				`'${url}' cannot be reached from the sandbox: only http:// and https:// addresses and paths work here`
			);
		const repository = repositoryAt(git.surroundings, absolute(path, git.cwd));
		if (!repository)
			throw fatal(
				`'${url}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\n` +
					'Please make sure you have the correct access rights\nand the repository exists.'
			);
		// The other side serves its objects as they are stored.
		repository.objects.ignoreReplacements();
		const server = localServer(repository, serverHooks(git, repository));
		return new Connection(traffic ? tapped(server, traffic) : server, url, LOCAL_URL);
	}

	/** @throws GitError with git's message */
	async advertisement(service: Service): Promise<Advertisement> {
		const bytes = await this.#request(`/info/refs?service=${service}`, 'GET', {});
		return this.#read(() => parseAdvertisement(bytes));
	}

	/** Sends a request to a service and returns the response. @throws GitError with git's message */
	async post(service: Service, body: Uint8Array): Promise<Uint8Array> {
		return this.#request(
			`/${service}`,
			'POST',
			{ 'content-type': `application/x-${service}-request`, accept: `application/x-${service}-result` },
			body
		);
	}

	#read<T>(parse: () => T): T {
		try {
			return parse();
		} catch (error) {
			if (error instanceof RangeError) throw fatal(`${this.url}: ${error.message}`);
			throw error;
		}
	}

	async #request(
		path: string,
		method: 'GET' | 'POST',
		headers: Record<string, string>,
		body?: Uint8Array
	): Promise<Uint8Array> {
		const { url } = this;
		try {
			const response = await this.client.request({
				url: `${this.#address}${path}`,
				method,
				headers: { ...this.#headers, ...headers },
				...(body ? { body: once(body) } : {})
			});
			const parts: Uint8Array[] = [];
			if (response.body) for await (const part of response.body) parts.push(part);
			const { statusCode } = response;
			if (statusCode === 401 || statusCode === 403) throw fatal(`Authentication failed for '${url}'`);
			if (statusCode === 404) throw fatal(`repository '${url}' not found`);
			if (statusCode !== 200) throw fatal(`unable to access '${url}': The requested URL returned error: ${statusCode}`);
			return concat(parts);
		} catch (error) {
			if (error instanceof SyscallError) throw fatal(`unable to access '${url}': ${error.message}`);
			if (error instanceof RangeError) throw fatal(`${url}: ${error.message}`);
			throw error;
		}
	}
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

/** @throws RangeError if the bytes are not a valid advertisement */
function parseAdvertisement(bytes: Uint8Array): Advertisement {
	const lines = readPackets(bytes).lines.filter((line) => line !== null && !line.startsWith('# service='));
	if (lines.length === 0) throw new RangeError('the server does not say what it has');
	const refs: Ref[] = [];
	const shallow: string[] = [];
	const peeled = new Map<string, string>();
	const [, offered = ''] = (lines[0] ?? '').split('\0');
	for (const line of lines) {
		const [, id = '', name = ''] = /^([0-9a-f]{40}) ([^\0]+)/.exec(line ?? '') ?? [];
		const end = /^shallow ([0-9a-f]{40})$/.exec(line ?? '')?.[1];
		if (end !== undefined) shallow.push(end);
		if (line?.startsWith('ERR ')) throw new RangeError(`remote error: ${line.slice(4)}`);
		if (id === '' || id === NULL_ID) continue;
		if (name.endsWith('^{}')) peeled.set(name.slice(0, -3), id);
		// The name becomes a path here, so it must be valid.
		else if (name === 'HEAD' || (name.startsWith('refs/') && isRefName(name))) refs.push({ name, id });
	}
	const capabilities = new Set(offered.trim().split(' '));
	const head = [...capabilities].find((one) => one.startsWith('symref=HEAD:'))?.slice('symref=HEAD:'.length) ?? null;
	return { refs, peeled, head: head !== null && isRefName(head) ? head : null, capabilities, shallow };
}

/** Reference that the remote's HEAD points to: the advertised one, or a branch at the same commit. */
export function headOf({ refs, head }: Advertisement): string | null {
	if (head !== null) return head;
	const id = refs.find(({ name }) => name === 'HEAD')?.id;
	const same = refs.filter((ref) => ref.id === id && ref.name.startsWith('refs/heads/')).map(({ name }) => name);
	return ['refs/heads/main', 'refs/heads/master'].find((name) => same.includes(name)) ?? same[0] ?? null;
}

/** Decodes percent-escapes in a part of an address. Invalid escapes are left as they are. */
const unescaped = (text: string): string =>
	text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
		try {
			return decodeURIComponent(escaped);
		} catch {
			return escaped;
		}
	});

/** Path in an address of a repository on this volume; null if the address names a host. */
export function localPath(url: string): string | null {
	if (url.startsWith('file://')) return unescaped(url.slice('file://'.length));
	return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^[^/]+:/.test(url) ? null : url;
}
