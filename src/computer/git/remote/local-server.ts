import { onePack } from '../baseline/one-pack.ts';
import { concat } from '../bytes.ts';
import { GitError } from '../errors.ts';
import type { ObjectFilter } from '../history/object-filter.ts';
import { NULL_ID, type GitObject } from '../objects/object.ts';
import { ancestors } from '../history/walk.ts';
import { emptyPack } from '../objects/pack-format.ts';
import { expandRef } from '../refs/named-ref.ts';
import { hiddenRefs } from '../refs/hidden-refs.ts';
import type { Repository } from '../repository.ts';
import type { Carrier, Service } from './carrier.ts';
import { FLUSH, inBand, packet, readPackets } from './packet.ts';
import { boundary, boundaryOf, reach, reachFiltered, type Reached } from './reachable.ts';
import { receivePack, type ServerHooks } from './receive-pack.ts';
import { allowedFilter, offersFilters } from './served-filter.ts';

const AGENT = 'agent=git/sandglass';

/**
 * Serves fetches and pushes from a repository on the same volume, in version 0 of the protocol
 * (https://git-scm.com/docs/gitprotocol-pack), so that they use the same code as over the network.
 */
export function localServer(repository: Repository, hooks: ServerHooks): Carrier {
	return {
		advertisement: (service) => Promise.resolve(advertise(repository, service)),
		async *request(service, body) {
			yield service === 'git-upload-pack' ? upload(repository, body) : receivePack(repository, body, hooks);
		},
		close: () => Promise.resolve()
	};
}

/** References and capabilities that a service of a repository advertises. */
export function advertise(repository: Repository, service: Service): Uint8Array {
	const { refs } = repository;
	const head = repository.head();
	const target = refs.symbolic('HEAD');
	const capabilities =
		service === 'git-upload-pack'
			? `side-band-64k ofs-delta shallow deepen-since deepen-not deepen-relative include-tag no-progress ${offersFilters(repository) ? 'filter ' : ''}${target === null ? '' : `symref=HEAD:${target} `}${AGENT}`
			: `report-status delete-refs side-band-64k quiet ${repository.config.flag('receive.advertiseatomic', true) ? 'atomic ' : ''}ofs-delta ${repository.config.flag('receive.advertisepushoptions', false) ? 'push-options ' : ''}${AGENT}`;
	const isHidden = hiddenRefs(repository.config, service === 'git-upload-pack' ? 'uploadpack' : 'receive');
	const rows: string[] = head !== null && service === 'git-upload-pack' ? [`${head} HEAD`] : [];
	for (const { name, id } of refs.list('refs/')) {
		if (isHidden(name)) continue;
		rows.push(`${id} ${name}`);
		const peeled = service === 'git-upload-pack' ? repository.peeled(id) : id;
		if (peeled !== id) rows.push(`${peeled} ${name}^{}`);
	}
	const [first = `${NULL_ID} capabilities^{}`, ...others] = rows;
	const lines = [`${first}\0${capabilities}\n`, ...others.map((row) => `${row}\n`)].map(packet);
	const shallow = [...repository.shallowCommits()].map((id) => packet(`shallow ${id}\n`));
	return concat([...lines, ...shallow, FLUSH]);
}

/** Responds to a whole request. */
export function upload(repository: Repository, request: Uint8Array): Uint8Array {
	const { lines } = readPackets(request);
	const wish = new Upload(repository, lines);
	if (wish.fault !== null) return packet(`ERR ${wish.fault}`);
	// A request without an end asks which commits both sides have, which is not answered here.
	const pack = lines.includes('done') ? [inItsBand(lines, wish.pack(idsAfter(lines, 'have')))] : [];
	return concat([wish.shallow, packet('NAK\n'), ...pack]);
}

/** Wraps a pack as the client asked for in the first section of its request. */
export const inItsBand = (lines: readonly (string | null)[], pack: Uint8Array): Uint8Array =>
	/ side-band-64k(?: |$)/.test(lines[0] ?? '') ? concat([inBand(1, pack), FLUSH]) : pack;

/** Ids in lines of a request that begin with a word. */
const idsAfter = (lines: readonly (string | null)[], word: string): string[] =>
	lines.flatMap((line) => (line?.startsWith(`${word} `) ? [line.slice(word.length + 1, word.length + 41)] : []));

/**
 * Objects that a client wants, by the first section of its request. Any object can be wanted, as in version 2 of the
 * protocol: the client can read the files of the repository anyway.
 */
export class Upload {
	readonly wants: readonly string[];
	/** Reason why the request cannot be met; null if it can. */
	readonly fault: string | null;
	/** Section about where the history is cut off; empty unless the client asked for that. */
	readonly shallow: Uint8Array;
	readonly #ends: ReadonlySet<string>;
	readonly #cut: ReadonlySet<string>;
	readonly #filter: ObjectFilter | null;
	readonly #includesTags: boolean;
	/** Everything wanted, if a shallow history is deepened: known commits would hide the history beyond them. */
	readonly #deepened: Reached | null;
	/** Wanted objects that a partial clone lacks. */
	readonly #lacking = new Set<string>();

	constructor(
		private readonly repository: Repository,
		lines: readonly (string | null)[]
	) {
		this.wants = idsAfter(lines, 'want');
		this.#ends = new Set(idsAfter(lines, 'shallow'));
		this.#includesTags = lines.some((line) => line?.startsWith('want ') && line.includes(' include-tag'));
		const missing = this.wants.find((id) => !repository.objects.find(id));
		const asked =
			missing === undefined ? cutOf(repository, lines, this.wants, this.#ends) : `upload-pack: not our ref ${missing}`;
		const text = lines.find((line) => line?.startsWith('filter '))?.slice('filter '.length);
		const filter = text === undefined ? null : allowedFilter(repository, text);
		this.#filter = typeof filter === 'string' ? null : filter;
		this.fault = [asked, filter].find((one) => typeof one === 'string') ?? null;
		const cut = asked === null || typeof asked === 'string' ? new Set<string>() : asked;
		const isCut = this.fault === null && asked !== null;
		const isDeeper = isCut && this.#ends.size > 0;
		const ownEnds = isCut ? repository.shallowCommits() : new Set<string>();
		const reached = isDeeper || ownEnds.size > 0 ? reach(repository, this.wants, new Map(), cut, this.#lacking) : null;
		// Where the history ends here, it ends for the client, too.
		for (const id of ownEnds) if (reached?.has(id)) cut.add(id);
		this.#cut = cut;
		this.#deepened = isDeeper ? reached : null;
		this.shallow = isCut ? this.#shallowSection() : new Uint8Array(0);
	}

	#shallowSection(): Uint8Array {
		const cut = this.#cut;
		const gone = [...this.#ends].filter((id) => this.#deepened?.has(id) && !cut.has(id));
		const ends = [...cut].map((id) => packet(`shallow ${id}`));
		return concat([...ends, ...gone.map((id) => packet(`unshallow ${id}`)), FLUSH]);
	}

	/** The wanted objects that the client does not have. @throws GitError if they are missing here, too */
	pack(haves: readonly string[]): Uint8Array {
		const { repository, wants } = this;
		const known = reach(repository, haves, new Map(), this.#ends);
		// A client may lack contents of the history that it has.
		for (const id of wants) if (known.get(id) === 'blob' || known.get(id) === 'tree') known.delete(id);
		const sent = this.#filter
			? reachFiltered(repository, wants, known, this.#cut, this.#filter)
			: this.#whole(known).filter((id) => !known.has(id));
		if (this.#includesTags) sent.push(...tagsOf(repository, sent).filter((id) => !known.has(id)));
		return packOf(repository, sent);
	}

	#whole(known: Reached): string[] {
		const { repository } = this;
		const lacking = this.#lacking;
		const wanted = this.#deepened ?? reach(repository, this.wants, new Map(known), this.#cut, lacking);
		requireAll(repository, lacking);
		return [...wanted.keys(), ...lacking];
	}
}

/** Annotated tags of objects that are sent, which the client would have to ask for otherwise. */
function tagsOf(repository: Repository, sent: readonly string[]): string[] {
	const [isSent, isHidden] = [new Set(sent), hiddenRefs(repository.config, 'uploadpack')];
	const tags = repository.refs.list('refs/tags/').filter(({ name }) => !isHidden(name));
	const found = tags.filter(({ id }) => !isSent.has(id) && isSent.has(repository.peeled(id)));
	// A tag of a tag comes with that one.
	const chains = reach(
		repository,
		found.map(({ id }) => id),
		new Map(sent.map((id) => [id, 'blob']))
	);
	return [...chains].flatMap(([id, type]) => (type === 'tag' && !isSent.has(id) ? [id] : []));
}

/** Fetches objects that a partial clone lacks and has to serve. @throws GitError if they are missing afterwards */
function requireAll({ objects }: Repository, missing: ReadonlySet<string>): void {
	objects.prefetch(missing);
	for (const id of missing) if (!objects.find(id)) throw CORRUPT;
}

/** Message that a client prints when the other side cannot read its objects. */
const CORRUPT = new GitError(
	'remote: aborting due to possible repository corruption on the remote side.\nfatal: early EOF\n' +
		'fatal: fetch-pack: invalid index-pack output',
	128
);

/**
 * Commits at which the client wants the history to be cut off: null for a whole one, a text if that is impossible.
 *
 * @param ends commits at which the client's history is cut off so far
 */
function cutOf(
	repository: Repository,
	lines: readonly (string | null)[],
	wants: readonly string[],
	ends: ReadonlySet<string>
): Set<string> | string | null {
	const all = (word: string) =>
		lines.flatMap((line) => (line?.startsWith(`${word} `) ? [line.slice(word.length + 1).trim()] : []));
	const [depth] = all('deepen').map(Number);
	if (depth !== undefined) {
		const isRelative = lines.some((line) => line?.startsWith('want ') && line.includes(' deepen-relative'));
		// The ends count as the first step.
		return isRelative && ends.size > 0
			? boundary(repository, [...ends], depth + 1)
			: boundary(repository, wants, depth);
	}
	const [since] = all('deepen-since').map(Number);
	const names = all('deepen-not');
	if (since === undefined && names.length === 0) return null;
	const refs = names.map((name) => expandRef(repository, name));
	const unknown = names.find((_, at) => refs[at] === null);
	if (unknown !== undefined) return `upload-pack: ambiguous deepen-not: ${unknown}`;
	const tips = refs.map((name) => repository.peeled(repository.refs.resolve(name!)!));
	const before = ancestors(repository, tips);
	const isLeftOut = (id: string) =>
		before.has(id) || (since !== undefined && repository.objects.commit(id).committer.seconds < since);
	return boundaryOf(repository, wants, isLeftOut) ?? 'no commits selected for shallow requests';
}

function packOf(repository: Repository, ids: readonly string[]): Uint8Array {
	const pack = onePack(foundOf(repository, ids), 'the repository is too large to be copied in one pack here');
	return pack ?? emptyPack();
}

function* foundOf({ objects }: Repository, ids: readonly string[]): Generator<GitObject> {
	for (const id of ids) {
		const object = objects.find(id);
		if (object) yield object;
	}
}
