import { absolute } from '#computer/abi/paths.ts';
import { isBundleAt } from '../bundle/bundle-file.ts';
import { bundleServer } from '../bundle/bundle-server.ts';
import { concat } from '../bytes.ts';
import type { Config } from '../config/config.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import type { Ref } from '../refs/refs.ts';
import { isRefName } from '../refs/ref-format.ts';
import { repositoryAt, type Repository } from '../repository.ts';
import { requireAllowed } from './allowed-transport.ts';
import { withoutBlobs } from './blob-filter.ts';
import type { Carrier, Service } from './carrier.ts';
import { CommandCarrier, NOTHING_SAID } from './command-carrier.ts';
import { connectAddress } from './connect-address.ts';
import { extCommand } from './ext-command.ts';
import { HttpCarrier, unescaped } from './http-carrier.ts';
import { localServer } from './local-server.ts';
import { withoutPack, type Takers } from './pack-response.ts';
import { readPackets } from './packet.ts';
import { serverHooks } from './server-hooks.ts';
import { sshCommand, type AddressFamily } from './ssh-command.ts';

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

/** Handlers for the responses of a fetch. */
export interface FetchTraffic extends Takers {
	/** Omits file contents if the server supports it (`filter blob:none`). */
	withoutContents: boolean;
}

/** Options for reaching a repository. */
export interface Reaching {
	/** Program to run on the other side, instead of the service by its name. */
	program?: string | undefined;
	family?: AddressFamily | undefined;
}

/** A remote repository, with the settings that decide about the transport. */
export interface Destination extends Reaching {
	url: string;
	config: Config;
	/** Repository that gets the fetched objects. */
	into?: Repository;
}

/** A remote repository, however it is reached. */
export class Connection {
	#filters = false;

	/** @param url for messages */
	private constructor(
		private readonly carrier: Carrier,
		readonly url: string,
		private readonly traffic: FetchTraffic | undefined
	) {}

	/** @throws GitError if the address cannot be reached from here or is not allowed, or has no repository */
	static to(git: Invocation, destination: Destination, traffic?: FetchTraffic): Connection {
		const { url, config } = destination;
		requireAllowed(config, git.env, transportOf(url));
		return new Connection(carrierTo(git, destination), url, traffic);
	}

	/** What a repository advertises to those who fetch. @throws GitError with git's message */
	static async advertisedAt(git: Invocation, destination: Destination): Promise<Advertisement> {
		const connection = Connection.to(git, destination);
		const advertisement = await connection.advertisement('git-upload-pack');
		await connection.close();
		return advertisement;
	}

	/** @throws GitError with git's message */
	async advertisement(service: Service): Promise<Advertisement> {
		const bytes = await this.carrier.advertisement(service);
		const advertisement = this.#read(() => parseAdvertisement(bytes));
		this.#filters = this.traffic?.withoutContents === true && advertisement.capabilities.has('filter');
		return advertisement;
	}

	/** Sends a request to a service and returns the response, without the pack. @throws GitError with git's message */
	async post(service: Service, body: Uint8Array): Promise<Uint8Array> {
		const response = this.carrier.request(service, this.#filters ? withoutBlobs(body) : body);
		const parts: Uint8Array[] = [];
		try {
			for await (const part of this.traffic ? withoutPack(response, this.traffic) : response) parts.push(part);
		} catch (error) {
			if (error instanceof RangeError) throw fatal(`${this.url}: ${error.message}`);
			throw error;
		}
		return concat(parts);
	}

	close(): Promise<void> {
		return this.carrier.close();
	}

	#read<T>(parse: () => T): T {
		try {
			return parse();
		} catch (error) {
			if (error instanceof RangeError) throw fatal(`${this.url}: ${error.message}`);
			throw error;
		}
	}
}

function carrierTo(git: Invocation, { url, config, program, family, into }: Destination): Carrier {
	const transport = transportOf(url);
	if (/^https?$/.test(transport)) return new HttpCarrier(git.context.async, url);
	if (transport === 'ext') return new CommandCarrier(git, (service) => extCommand(url.slice('ext::'.length), service));
	const line = (service: Service, path: string) => `${program ?? service} ${quoted(path)}`;
	if (transport === 'ssh') {
		const { host, port, path } = connectAddress(url);
		requirePath(path);
		const command = (service: Service) => sshCommand(git, config, { host, port, line: line(service, path), family });
		return new CommandCarrier(git, (service) => command(service) ?? unreachable(url));
	}
	const path = localPath(url) ?? unreachable(url);
	requirePath(path);
	if (program !== undefined && !/^git-(?:upload|receive)-pack$/.test(program))
		return new CommandCarrier(git, (service) => ({ argv: ['sh', '-c', line(service, path)] }));
	const full = absolute(path, git.cwd);
	if (isBundleAt(git.surroundings, full))
		return bundleServer(git.surroundings.files.readFile(full), path, into ?? null);
	const repository = repositoryAt(git.surroundings, full);
	if (!repository) throw fatal(`'${url}' does not appear to be a git repository\nfatal: ${NOTHING_SAID}`);
	// The other side serves its objects as they are stored.
	repository.objects.ignoreReplacements();
	return localServer(repository, serverHooks(git, repository));
}

/** @throws GitError if a program would take the path as an option */
function requirePath(path: string): void {
	if (path.startsWith('-')) throw fatal(`strange pathname '${path}' blocked`);
}

function unreachable(url: string): never {
	throw fatal(`'${url}' cannot be reached from the sandbox: only http:// and https:// addresses and paths work here`);
}

/** Quotes a path for the shell, also for one that expands `!`. */
const quoted = (path: string): string => `'${path.replace(/['!]/g, "'\\$&'")}'`;

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

/**
 * Reference that the remote's HEAD points to: the advertised one, or a branch at the same commit.
 *
 * @param usual name of the first branch of a new repository, which is preferred
 */
export function headOf({ refs, head }: Advertisement, usual = 'main'): string | null {
	if (head !== null) return head;
	const id = refs.find(({ name }) => name === 'HEAD')?.id;
	const same = refs.filter((ref) => ref.id === id && ref.name.startsWith('refs/heads/')).map(({ name }) => name);
	return [`refs/heads/${usual}`, 'refs/heads/master'].find((name) => same.includes(name)) ?? same[0] ?? null;
}

/** Path in an address of a repository on this volume; null if the address names a host. */
export function localPath(url: string): string | null {
	if (url.startsWith('file://')) return unescaped(url.slice('file://'.length));
	return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^[^/]+:/.test(url) ? null : url;
}

/** Name of the transport for an address, as in `protocol.<name>.allow`. */
function transportOf(url: string): string {
	const [, helper] = /^([a-z0-9]+)::/i.exec(url) ?? [];
	if (helper !== undefined) return helper;
	const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url) ?? [];
	if (scheme === undefined) return localPath(url) === null ? 'ssh' : 'file';
	return /^(?:git\+ssh|ssh\+git)$/.test(scheme) ? 'ssh' : scheme;
}
