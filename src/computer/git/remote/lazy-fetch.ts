import { absolute } from '#computer/abi/paths.ts';
import { concat, decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { promisedIds } from '../history/promised-objects.ts';
import type { LackingStore } from '../objects/lacking-store.ts';
import { PackReceiver } from '../objects/pack-receiver.ts';
import { repositoryAt, type Repository } from '../repository.ts';
import type { Surroundings } from '../surroundings.ts';
import { parseAdvertisement } from './advertisement.ts';
import { FetchProgress } from './fetch-progress.ts';
import { fetchRequest, objectRequest } from './fetch-request.ts';
import { HttpRoute } from './http-route.ts';
import { advertise, upload } from './local-server.ts';
import { isLazyFetchOff, LAZY_FETCH_OFF } from './no-lazy-fetch.ts';
import { PacketTrace } from './packet-trace.ts';
import { PackResponse } from './pack-response.ts';
import { faultIn, readPackets } from './packet.ts';
import { promisorRemotes } from './promisor-remotes.ts';
import { localPath, noRepository, RemoteAddress, type SmartRequest } from './remote-address.ts';
import { remoteNamed } from './remote-settings.ts';
import { servedRepository } from './served-repository.ts';

/** Maximum depth of fetches within fetches: a pack may have deltas of objects that are missing, too. */
const MOST_NESTED = 2;

/**
 * Fetches missing objects of partial clones at the moment at which they are read.
 *
 * All readers of objects are synchronous, so the requests are, too: the kernel answers each system call either way, and
 * a process that waits for a synchronous one sleeps, without blocking the page or other processes. The alternative, to
 * find out in advance what a command will read, is impossible in general: it depends on what has been read before.
 * Commands that know a set of objects fetch it at once (`ObjectStore.prefetch`).
 */
export class LazyFetch {
	/** Objects that no remote sent: they are not requested again and again. */
	readonly #unavailable = new Set<string>();
	/** Exchanges by URL: what a server offers is read once. */
	readonly #exchanges = new Map<string, ObjectExchange>();
	#depth = 0;

	constructor(private readonly surroundings: Surroundings) {}

	/** @throws GitError if an object was promised, but no remote sends it */
	fetch(gitDir: string, store: LackingStore, ids: readonly string[]): void {
		const left = () => ids.filter((id) => !this.#unavailable.has(id) && !store.has(id));
		let wanted = left();
		if (wanted.length === 0 || this.#depth >= MOST_NESTED) return;
		const repository = repositoryAt(this.surroundings, gitDir);
		if (!repository) return;
		repository.objects.fetchNothing();
		for (const name of promisorRemotes(repository.config)) {
			this.#fetchFrom(repository, name, store, wanted);
			wanted = left();
			if (wanted.length === 0) return;
		}
		for (const id of wanted) this.#unavailable.add(id);
		const promised = promisedIds(repository);
		const lost = wanted.find((id) => promised.has(id));
		if (lost !== undefined) throw fatal(`could not fetch ${lost} from promisor remote`);
	}

	/** Asks one remote. Its refusal is reported, and another remote may have the objects. */
	#fetchFrom(repository: Repository, name: string, store: LackingStore, ids: readonly string[]): void {
		if (isLazyFetchOff(this.surroundings.env)) {
			this.surroundings.warn(LAZY_FETCH_OFF);
			return;
		}
		this.#depth++;
		try {
			const url = remoteNamed(repository, name).urls[0]!;
			let exchange = this.#exchanges.get(url);
			if (!exchange) this.#exchanges.set(url, (exchange = new ObjectExchange(this.surroundings, url)));
			exchange.fetch(store, ids);
		} catch (error) {
			if (!(error instanceof GitError)) throw error;
			this.surroundings.err(`${error.message}\n`);
		} finally {
			this.#depth--;
		}
	}
}

/** Requests for objects at one remote, each of which the process waits for. */
class ObjectExchange {
	readonly #address: RemoteAddress;
	readonly #route = new HttpRoute();
	readonly #served: Repository | null;
	readonly #showsProgress: boolean;
	readonly #trace: PacketTrace;
	#offer: Offer | undefined;

	constructor(
		private readonly surroundings: Surroundings,
		url: string
	) {
		const path = localPath(url);
		this.#served = path === null ? null : servedRepository(surroundings, absolute(path, surroundings.cwd));
		if (path !== null && !this.#served) throw noRepository(url);
		this.#address = new RemoteAddress(url);
		this.#trace = new PacketTrace(surroundings, 'fetch');
		this.#showsProgress = surroundings.files.isTerminal(2);
	}

	/** @throws GitError if the remote does not answer, or sends an error or something else than a pack */
	fetch(store: LackingStore, ids: readonly string[]): void {
		const request = this.#request(ids);
		const receiver = new PackReceiver((id) => store.findStored(id));
		const progress = this.#showsProgress ? new FetchProgress(this.surroundings) : null;
		const response = new PackResponse({
			takePack: (bytes) => receiver.push(bytes),
			takeProgress: (bytes) => progress?.add(decode(bytes))
		});
		const received = this.#address.read(() => {
			const rest = concat([response.push(this.#send(request)), response.end()]);
			const fault = faultIn(readPackets(rest).lines);
			if (fault !== null) throw fatal(`remote error: ${fault}`);
			return receiver.finish();
		});
		progress?.received(receiver.progress);
		if (received) store.keepPack(received, ids.map((id) => `${id} ${id}\n`).join(''));
	}

	#request(ids: readonly string[]): SmartRequest {
		const address = this.#address;
		// A server that does not know the header answers in version 0.
		this.#offer ??= address.read(() => offerOf(this.#send(address.refs('git-upload-pack', VERSION_2))));
		const { version, features } = this.#offer;
		if (version === 2)
			return address.call('git-upload-pack', objectRequest(ids, features, this.#showsProgress), VERSION_2);
		const wish = { wants: ids, cut: {}, filter: 'blob:none', shallow: [], haves: [] };
		return address.call('git-upload-pack', fetchRequest({ ...wish, showsProgress: this.#showsProgress }, features));
	}

	#send(request: SmartRequest): Uint8Array {
		if (request.body) this.#trace.sent(request.body);
		const answer = this.#served ? answerOf(this.#served, request) : this.#overHttp(request);
		// The answer to a request for objects is a pack in all but a few packets.
		if (!request.body) this.#trace.received(answer);
		return answer;
	}

	#overHttp(request: SmartRequest): Uint8Array {
		const address = this.#address;
		return address.read(() => {
			const response = this.surroundings.files.fetch(this.#route.request(request));
			this.#route.answered(request.url, response.url);
			address.requireSuccess(response.status);
			return response.body;
		});
	}
}

/** Answer of a repository on this volume. */
const answerOf = (served: Repository, { body }: SmartRequest): Uint8Array =>
	body ? upload(served, body) : advertise(served, 'git-upload-pack');

const VERSION_2 = { 'git-protocol': 'version=2' };

/** Version of the protocol that a server speaks, with the capabilities of that version or of its command `fetch`. */
interface Offer {
	version: 0 | 2;
	features: ReadonlySet<string>;
}

/** @throws RangeError if the bytes are not a valid advertisement */
function offerOf(advertisement: Uint8Array): Offer {
	const { lines } = readPackets(advertisement);
	if (!lines.includes('version 2')) return { version: 0, features: parseAdvertisement(advertisement).capabilities };
	const found = lines.find((line) => line?.startsWith('fetch='))?.slice('fetch='.length);
	return { version: 2, features: new Set(found?.split(' ')) };
}
