import { concat, decode, encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { PackReceiver } from '../objects/pack-receiver.ts';
import { borrowedTips } from '../refs/borrowed-tips.ts';
import type { Repository } from '../repository.ts';
import { Connection, type Advertisement, type FetchTraffic, type Reaching } from './connection.ts';
import { FLUSH, packet, readPackets } from './packet.ts';
import { FetchProgress } from './fetch-progress.ts';

/** Options for fetching objects. */
export interface PackHow extends Reaching {
	depth?: number | undefined;
	/** The depth counts from the commits at which the local history is cut off. */
	isDeepened?: boolean;
	/** Time in seconds of the oldest commits wanted. */
	since?: number | undefined;
	/** Remote references whose history is left out. */
	without?: readonly string[];
	progress: boolean;
	/** Omits blobs if the server supports filters. */
	withoutContents?: boolean;
}

/** Depth that means all of history in git's protocol. */
export const WHOLE_DEPTH = 0x7fffffff;

const AGENT = 'agent=git/sandglass';
/** Maximum number of local commits listed in a request. */
const MOST_HAVES = 256;

/** The remote side of a fetch, and the destination of the objects that it sends. */
export class FetchSource {
	readonly #connection: Connection;
	readonly #progress: FetchProgress | null;
	#pack: PackReceiver;

	private constructor(
		git: Invocation,
		readonly repository: Repository,
		readonly url: string,
		private readonly how: PackHow
	) {
		this.#progress = how.progress ? new FetchProgress(git) : null;
		this.#pack = this.#newPack();
		const traffic: FetchTraffic = {
			withoutContents: how.withoutContents ?? false,
			takePack: (bytes) => {
				this.#pack.push(bytes);
				this.#progress?.received(this.#pack.progress);
			},
			takeProgress: (bytes) => this.#progress?.add(decode(bytes))
		};
		this.#connection = Connection.to(git, { ...how, url, config: repository.config, into: repository }, traffic);
	}

	/** @throws GitError if there is no repository, or if the remote refuses */
	static async open(
		git: Invocation,
		repository: Repository,
		url: string,
		how: PackHow
	): Promise<{ source: FetchSource; advertisement: Advertisement }> {
		const source = new FetchSource(git, repository, url, how);
		return { source, advertisement: await source.#connection.advertisement('git-upload-pack') };
	}

	close(): Promise<void> {
		return this.#connection.close();
	}

	#newPack(): PackReceiver {
		return new PackReceiver((id) => this.repository.objects.findStored(id));
	}

	/** Fetches objects with everything they refer to. @throws GitError if the remote does not send them */
	async fetch(ids: readonly string[], { capabilities }: Advertisement): Promise<void> {
		const { repository, how } = this;
		const { objects } = repository;
		const unique = [...new Set(ids)];
		const wanted = isCut(how) ? unique : unique.filter((id) => !objects.has(id));
		if (wanted.length === 0) return;
		requireCutting(how, capabilities);
		const request = this.#request(wanted, capabilities);
		this.#pack = this.#newPack();
		const answer = await this.#connection.post('git-upload-pack', request);
		const { lines } = readPackets(answer);
		const said = (word: string) =>
			lines.flatMap((line) => (line?.startsWith(`${word} `) ? [line.slice(word.length + 1).trim()] : []));
		const fault = said('ERR')[0] ?? lines.find((line) => line?.startsWith('\x03'))?.slice(1);
		if (fault !== undefined) throw fatal(`remote error: ${fault.trim()}`);
		const received = this.#finish();
		if (received) objects.keepPack(received);
		const missing = wanted.find((id) => !objects.has(id));
		if (missing !== undefined) throw fatal(`the remote end did not send ${missing}`);
		this.noteShallow(said('shallow'), said('unshallow'));
	}

	#finish(): ReturnType<PackReceiver['finish']> {
		try {
			const received = this.#pack.finish();
			this.#progress?.received(this.#pack.progress);
			return received;
		} catch (error) {
			if (error instanceof RangeError) throw fatal(`${this.#connection.url}: ${error.message}`);
			throw error;
		}
	}

	#request(wanted: readonly string[], capabilities: ReadonlySet<string>): Uint8Array {
		const { repository, how } = this;
		const own = ['side-band-64k', 'ofs-delta', 'include-tag'].filter((one) => capabilities.has(one));
		if (how.isDeepened) own.push('deepen-relative');
		if (!how.progress && capabilities.has('no-progress')) own.push('no-progress');
		const wants = wanted.map((id, at) => packet(`want ${id}${at === 0 ? ` ${[...own, AGENT].join(' ')}` : ''}\n`));
		const shallow = shallowIds(repository).map((id) => packet(`shallow ${id}\n`));
		const depth = [
			...(how.depth === undefined ? [] : [packet(`deepen ${how.depth}\n`)]),
			...(how.since === undefined ? [] : [packet(`deepen-since ${how.since}\n`)]),
			...(how.without ?? []).map((name) => packet(`deepen-not ${name}\n`))
		];
		const haves = tips(repository).map((id) => packet(`have ${id}\n`));
		return concat([...wants, ...shallow, ...depth, FLUSH, ...haves, packet('done\n')]);
	}

	/** Updates the commits at which the local history is cut off. */
	noteShallow(added: readonly string[], gone: readonly string[] = []): void {
		if (added.length === 0 && gone.length === 0) return;
		const { repository } = this;
		const ids = new Set([...shallowIds(repository), ...added]);
		for (const id of gone) ids.delete(id);
		const path = `${repository.commonDir}/shallow`;
		if (ids.size === 0) repository.files.remove(path, { force: true });
		else
			repository.files.writeFile(
				path,
				encode(
					[...ids]
						.sort()
						.map((id) => `${id}\n`)
						.join('')
				)
			);
		repository.forgetShallow();
	}
}

/** Returns whether only a part of the history is wanted, or another part than so far. */
export const isCut = ({ depth, since, without = [] }: Omit<PackHow, 'progress'>): boolean =>
	depth !== undefined || since !== undefined || without.length > 0;

/** @throws GitError if the server cannot cut off the history as wanted */
function requireCutting({ isDeepened, since, without = [] }: PackHow, capabilities: ReadonlySet<string>): void {
	if (since !== undefined && !capabilities.has('deepen-since')) throw fatal('Server does not support --shallow-since');
	if (without.length > 0 && !capabilities.has('deepen-not')) throw fatal('Server does not support --shallow-exclude');
	if (isDeepened && !capabilities.has('deepen-relative')) throw fatal('Server does not support --deepen');
}

const shallowIds = (repository: Repository): string[] =>
	(repository.note('shallow') ?? '').split('\n').filter((id) => /^[0-9a-f]{40}$/.test(id));

/** Commits that HEAD, the local and the borrowed references point to, at most {@link MOST_HAVES}. */
function tips(repository: Repository): string[] {
	const head = repository.head();
	const ids = [...(head === null ? [] : [head]), ...repository.refs.list('refs/').map(({ id }) => id)];
	const commits = new Set([...ids, ...borrowedTips(repository)].map((id) => repository.peeled(id)));
	return [...commits].filter((id) => repository.objects.has(id)).slice(0, MOST_HAVES);
}
