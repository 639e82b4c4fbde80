import { decode, encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import { sentFilter, type FilterSpec } from '../history/filter-spec.ts';
import type { Invocation } from '../invocation.ts';
import { isObjectId } from '../objects/object-id.ts';
import { PackReceiver } from '../objects/pack-receiver.ts';
import { borrowedTips } from '../refs/borrowed-tips.ts';
import type { Repository } from '../repository.ts';
import type { Advertisement } from './advertisement.ts';
import { Connection, type Reaching } from './connection.ts';
import { FetchProgress } from './fetch-progress.ts';
import { fetchRequest, type HistoryCut } from './fetch-request.ts';
import type { TracedProgram } from './packet-trace.ts';
import type { Takers } from './pack-response.ts';
import { faultIn, readPackets } from './packet.ts';

/** Options for fetching objects. */
export interface PackHow extends HistoryCut, Reaching {
	progress: boolean;
	/** Leaves out objects if the server supports filters. */
	filter?: FilterSpec | null;
	/** Fetches everything, even what is here, as with another filter than before. */
	isAnew?: boolean;
	/** Commits to start from when saying what is here; by default those that references point to. */
	tips?: readonly string[] | undefined;
	/** Program that fetches, if it is not `git fetch`. */
	tracedAs?: TracedProgram;
	/** Marks packs as those of a promisor remote. */
	isPromised?: boolean;
}

/** Depth that means all of history in git's protocol. */
export const WHOLE_DEPTH = 0x7fffffff;

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
		const takers: Takers = {
			takePack: (bytes) => {
				this.#pack.push(bytes);
				this.#progress?.received(this.#pack.progress);
			},
			takeProgress: (bytes) => this.#progress?.add(decode(bytes))
		};
		const destination = { ...how, url, config: repository.config, into: repository };
		this.#connection = Connection.to(git, destination, how.tracedAs ?? 'fetch', takers);
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

	/**
	 * Fetches objects with everything they refer to. @throws GitError if the remote does not send them
	 *
	 * @param names of the references that point to them, if any does
	 */
	async fetch(wishes: readonly { id: string; name?: string }[], { capabilities }: Advertisement): Promise<void> {
		const { repository, how } = this;
		const { objects } = repository;
		const unique = [...new Set(wishes.map(({ id }) => id))];
		const wanted = isCut(how) || how.isAnew ? unique : unique.filter((id) => !objects.has(id));
		if (wanted.length === 0) return;
		requireCutting(how, capabilities);
		if (how.filter && !capabilities.has('filter')) repository.warn('filtering not recognized by server, ignoring');
		const request = fetchRequest(
			{
				wants: wanted,
				cut: how,
				filter: how.filter ? sentFilter(how.filter) : null,
				shallow: shallowIds(repository),
				haves: how.isAnew ? [] : tips(repository, how.tips),
				showsProgress: how.progress
			},
			capabilities
		);
		this.#pack = this.#newPack();
		const answer = await this.#connection.post('git-upload-pack', request);
		const { lines } = readPackets(answer);
		const said = (word: string) =>
			lines.flatMap((line) => (line?.startsWith(`${word} `) ? [line.slice(word.length + 1).trim()] : []));
		const fault = faultIn(lines);
		if (fault !== null) throw fatal(`remote error: ${fault}`);
		const received = this.#finish();
		const asked = new Set(wanted);
		const promised = wishes.filter(({ id }) => asked.has(id)).map(({ id, name }) => `${id} ${name ?? id}\n`);
		if (received) objects.keepPack(received, how.isPromised ? promised.join('') : undefined);
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
export const isCut = ({ depth, since, without = [] }: HistoryCut): boolean =>
	depth !== undefined || since !== undefined || without.length > 0;

/** @throws GitError if the server cannot cut off the history as wanted */
function requireCutting({ isDeepened, since, without = [] }: PackHow, capabilities: ReadonlySet<string>): void {
	if (since !== undefined && !capabilities.has('deepen-since')) throw fatal('Server does not support --shallow-since');
	if (without.length > 0 && !capabilities.has('deepen-not')) throw fatal('Server does not support --shallow-exclude');
	if (isDeepened && !capabilities.has('deepen-relative')) throw fatal('Server does not support --deepen');
}

const shallowIds = (repository: Repository): string[] => [...repository.shallowCommits()].filter(isObjectId);

/** Commits that HEAD, the local and the borrowed references point to, at most {@link MOST_HAVES}. */
function tips(repository: Repository, given?: readonly string[]): string[] {
	const head = repository.head();
	const own = () => [
		...(head === null ? [] : [head]),
		...repository.refs.list('refs/').map(({ id }) => id),
		...borrowedTips(repository)
	];
	// What references point to may be missing in a partial clone; then it is not here to start from.
	return repository.objects.withoutFetching(() => {
		const commits = new Set((given ?? own()).map((id) => repository.peeled(id)));
		return [...commits].filter((id) => repository.objects.has(id)).slice(0, MOST_HAVES);
	});
}
