import type { HttpClient } from 'isomorphic-git';
import { absolute } from '#computer/abi/paths.ts';
import { concat } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { parseAdvertisement, type Advertisement } from './advertisement.ts';
import { pageHttp, tapped } from './http-client.ts';
import { localServer, LOCAL_URL, servedRepository } from './local-server.ts';
import type { Takers } from './pack-response.ts';
import { PacketTrace, type TracedProgram } from './packet-trace.ts';
import { localPath, noRepository, RemoteAddress, type Service, type SmartRequest } from './remote-address.ts';
import { serverHooks } from './server-hooks.ts';

/** A remote repository accessed over smart HTTP. */
export class Connection {
	private constructor(
		private readonly client: HttpClient,
		private readonly address: RemoteAddress,
		private readonly trace: PacketTrace
	) {}

	/** @throws GitError if the address cannot be reached from here, or has no repository */
	static to(git: Invocation, url: string, program: TracedProgram, takers?: Takers): Connection {
		const trace = new PacketTrace(git.surroundings, program);
		if (/^https?:\/\//.test(url))
			return new Connection(pageHttp(git.context.async, takers), new RemoteAddress(url), trace);
		const path = localPath(url);
		if (path === null)
			throw fatal(
				`'${url}' cannot be reached from the sandbox: only http:// and https:// addresses and paths work here`
			);
		const repository = servedRepository(git.surroundings, absolute(path, git.cwd));
		if (!repository) throw noRepository(url);
		const server = localServer(repository, serverHooks(git, repository));
		return new Connection(takers ? tapped(server, takers) : server, new RemoteAddress(url, LOCAL_URL), trace);
	}

	/** Address as given. */
	get url(): string {
		return this.address.url;
	}

	/** @throws GitError with git's message */
	async advertisement(service: Service): Promise<Advertisement> {
		const bytes = await this.#send(this.address.refs(service));
		return this.address.read(() => parseAdvertisement(bytes));
	}

	/** Sends a request to a service and returns the response. @throws GitError with git's message */
	async post(service: Service, body: Uint8Array): Promise<Uint8Array> {
		return this.#send(this.address.call(service, body));
	}

	async #send({ body, ...request }: SmartRequest): Promise<Uint8Array> {
		const { address, trace } = this;
		if (body) trace.sent(body);
		try {
			const response = await this.client.request({ ...request, ...(body ? { body: once(body) } : {}) });
			const parts: Uint8Array[] = [];
			if (response.body) for await (const part of response.body) parts.push(part);
			address.requireSuccess(response.statusCode);
			const answer = concat(parts);
			trace.received(answer);
			return answer;
		} catch (error) {
			throw address.faultOf(error) ?? error;
		}
	}
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
