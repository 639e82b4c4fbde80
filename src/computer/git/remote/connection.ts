import { absolute } from '#computer/abi/paths.ts';
import { isBundleAt } from '../bundle/bundle-file.ts';
import { bundleServer } from '../bundle/bundle-server.ts';
import { concat } from '../bytes.ts';
import type { Config } from '../config/config.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import type { Repository } from '../repository.ts';
import { parseAdvertisement, type Advertisement } from './advertisement.ts';
import { requireAllowed } from './allowed-transport.ts';
import type { Carrier, Service } from './carrier.ts';
import { CommandCarrier } from './command-carrier.ts';
import { connectAddress } from './connect-address.ts';
import { extCommand } from './ext-command.ts';
import { HttpCarrier } from './http-carrier.ts';
import { localServer } from './local-server.ts';
import { withoutPack, type Takers } from './pack-response.ts';
import { PacketTrace, type TracedProgram } from './packet-trace.ts';
import { localPath, noRepository } from './remote-address.ts';
import { servedRepository } from './served-repository.ts';
import { serverHooks } from './server-hooks.ts';
import { sshCommand, type AddressFamily } from './ssh-command.ts';

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
	/** @param url for messages */
	private constructor(
		private readonly carrier: Carrier,
		readonly url: string,
		private readonly trace: PacketTrace,
		private readonly takers: Takers | undefined
	) {}

	/**
	 * @param tracedAs program that the packets are shown for
	 * @param takers handlers for the responses of a fetch
	 * @throws GitError if the address cannot be reached from here or is not allowed, or has no repository
	 */
	static to(git: Invocation, destination: Destination, tracedAs: TracedProgram, takers?: Takers): Connection {
		const { url, config } = destination;
		requireAllowed(config, git.env, transportOf(url));
		const trace = new PacketTrace(git.surroundings, tracedAs);
		return new Connection(carrierTo(git, destination), url, trace, takers);
	}

	/** Asks a repository what it advertises to those who fetch. @throws GitError with git's message */
	static async advertisedAt(
		git: Invocation,
		destination: Destination,
		tracedAs: TracedProgram
	): Promise<Advertisement> {
		const connection = Connection.to(git, destination, tracedAs);
		const advertisement = await connection.advertisement('git-upload-pack');
		await connection.close();
		return advertisement;
	}

	/** @throws GitError with git's message */
	async advertisement(service: Service): Promise<Advertisement> {
		const bytes = await this.carrier.advertisement(service);
		this.trace.received(bytes);
		return this.#understood(() => parseAdvertisement(bytes));
	}

	/** Sends a request to a service and returns the response, without the pack. @throws GitError with git's message */
	async post(service: Service, body: Uint8Array): Promise<Uint8Array> {
		const { takers, trace } = this;
		trace.sent(body);
		const response = this.carrier.request(service, body);
		const parts: Uint8Array[] = [];
		await this.#understood(async () => {
			for await (const part of takers ? withoutPack(response, takers) : response) parts.push(part);
		});
		const answer = concat(parts);
		trace.received(answer);
		return answer;
	}

	close(): Promise<void> {
		return this.carrier.close();
	}

	async #understood<T>(read: () => T | Promise<T>): Promise<T> {
		try {
			return await read();
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
	const repository = servedRepository(git.surroundings, full);
	if (!repository) throw noRepository(url);
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

/** Name of the transport for an address, as in `protocol.<name>.allow`. */
function transportOf(url: string): string {
	const [, helper] = /^([a-z0-9]+)::/i.exec(url) ?? [];
	if (helper !== undefined) return helper;
	const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url) ?? [];
	if (scheme === undefined) return localPath(url) === null ? 'ssh' : 'file';
	return /^(?:git\+ssh|ssh\+git)$/.test(scheme) ? 'ssh' : scheme;
}
