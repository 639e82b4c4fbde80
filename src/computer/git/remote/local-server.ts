import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { onePack } from '../baseline/one-pack.ts';
import { concat } from '../bytes.ts';
import { NULL_ID, type GitObject } from '../objects/object.ts';
import { GitError } from '../errors.ts';
import { ancestors } from '../history/walk.ts';
import { expandRef } from '../refs/named-ref.ts';
import { hiddenRefs } from '../refs/hidden-refs.ts';
import { repositoryAt, type Repository } from '../repository.ts';
import type { Surroundings } from '../surroundings.ts';
import { isLazyFetchOff, LAZY_FETCH_OFF, servingEnv } from './no-lazy-fetch.ts';
import { FLUSH, inBand, packet, readPackets } from './packet.ts';
import { boundary, boundaryOf, reach, reachFiltered } from './reachable.ts';
import { receivePack, type ServerHooks } from './receive-pack.ts';
import type { Service, SmartRequest } from './remote-address.ts';
import { allowedFilter, offersFilters } from './served-filter.ts';

/** Placeholder URL of a repository on this volume. */
export const LOCAL_URL = 'http://repository.invalid/local';

const AGENT = 'agent=git/sandglass';

/**
 * Serves fetches and pushes from a repository on the same volume, in version 0 of the protocol
 * (https://git-scm.com/docs/gitprotocol-pack), so that they use the same code as over the network.
 */
export function localServer(repository: Repository, hooks: ServerHooks): HttpClient {
	return {
		async request({ url, method = 'GET', body }: GitHttpRequest): Promise<GitHttpResponse> {
			const parts: Uint8Array[] = [];
			if (body) for await (const part of body) parts.push(part);
			const request = concat(parts);
			const isPush = method === 'POST' && serviceOf(url) === 'git-receive-pack';
			const answer = isPush
				? receivePack(repository, request, hooks)
				: serveLocally(repository, { url, method: method as 'GET' | 'POST', body: request });
			return {
				url,
				method,
				statusCode: 200,
				statusMessage: 'OK',
				headers: {
					'content-type': `application/x-${serviceOf(url)}-${method === 'GET' ? 'advertisement' : 'result'}`
				},
				body: once(answer)
			};
		}
	};
}

/** Answers a request for references or objects. */
export const serveLocally = (
	repository: Repository,
	{ url, method, body }: Pick<SmartRequest, 'url' | 'method' | 'body'>
): Uint8Array =>
	method === 'GET' ? advertise(repository, serviceOf(url)) : upload(repository, body ?? new Uint8Array(0));

/** Opens a repository on this volume to serve it; null if there is none at the path. */
export function servedRepository(surroundings: Surroundings, path: string): Repository | null {
	const isOff = isLazyFetchOff(servingEnv(surroundings.env));
	const repository = repositoryAt(
		isOff ? { ...surroundings, fetchMissing: () => surroundings.warn(LAZY_FETCH_OFF) } : surroundings,
		path
	);
	// The other side serves its objects as they are stored.
	repository?.objects.ignoreReplacements();
	return repository;
}

const serviceOf = (url: string): Service => (url.includes('git-receive-pack') ? 'git-receive-pack' : 'git-upload-pack');

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

function advertise(repository: Repository, service: string): Uint8Array {
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
	const ends = (repository.note('shallow') ?? '').split('\n').filter((id) => id !== '');
	const shallow = ends.map((id) => packet(`shallow ${id}\n`));
	return concat([packet(`# service=${service}\n`), FLUSH, ...lines, ...shallow, FLUSH]);
}

/**
 * Responds with the objects that the client wants and does not have. Any object can be wanted, as in version 2 of the
 * protocol: the client can read the files of the repository anyway.
 */
function upload(repository: Repository, request: Uint8Array): Uint8Array {
	const { lines } = readPackets(request);
	const ids = (word: string) =>
		lines.flatMap((line) => (line?.startsWith(`${word} `) ? [line.slice(word.length + 1, word.length + 41)] : []));
	const wants = ids('want');
	const ends = new Set(ids('shallow'));
	const lost = wants.find((id) => !repository.objects.find(id));
	if (lost !== undefined) return packet(`ERR upload-pack: not our ref ${lost}`);
	const asked = cutOf(repository, lines, wants, ends);
	if (typeof asked === 'string') return packet(`ERR ${asked}`);
	const text = lines.find((line) => line?.startsWith('filter '))?.slice('filter '.length);
	const filter = text === undefined ? null : allowedFilter(repository, text);
	if (typeof filter === 'string') return packet(`ERR ${filter}`);
	const cut = asked ?? new Set<string>();
	const known = reach(repository, ids('have'), new Map(), ends);
	// A client may lack contents of the history that it has.
	for (const id of wants) if (known.get(id) === 'blob' || known.get(id) === 'tree') known.delete(id);
	// If a shallow history is deepened, known commits would hide the history beyond them.
	const isDeeper = asked !== null && ends.size > 0;
	const missing = new Set<string>();
	const wanted = reach(repository, wants, isDeeper ? new Map() : new Map(known), cut, missing);
	// Where the history ends here, it ends for the client, too.
	if (asked !== null) for (const id of repository.shallowCommits()) if (wanted.has(id)) cut.add(id);
	const gone = isDeeper ? [...ends].filter((id) => wanted.has(id) && !cut.has(id)) : [];
	const shallow =
		asked === null
			? []
			: [...[...cut].map((id) => packet(`shallow ${id}`)), ...gone.map((id) => packet(`unshallow ${id}`)), FLUSH];
	if (!filter) requireAll(repository, missing);
	const sent = filter
		? reachFiltered(repository, wants, known, cut, filter)
		: [...wanted.keys(), ...missing].filter((id) => !known.has(id));
	if (lines.some((line) => line?.startsWith('want ') && line.includes(' include-tag')))
		sent.push(...tagsOf(repository, sent).filter((id) => !known.has(id)));
	return concat([...shallow, packet('NAK\n'), inBand(1, packOf(repository, sent)), FLUSH]);
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
	return pack ?? new Uint8Array(0);
}

function* foundOf({ objects }: Repository, ids: readonly string[]): Generator<GitObject> {
	for (const id of ids) {
		const object = objects.find(id);
		if (object) yield object;
	}
}
