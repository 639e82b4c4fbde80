import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { onePack } from '../baseline/one-pack.ts';
import { concat } from '../bytes.ts';
import { NULL_ID, type GitObject } from '../objects/object.ts';
import { hiddenRefs } from '../refs/hidden-refs.ts';
import type { Repository } from '../repository.ts';
import { FLUSH, inBand, packet, readPackets } from './packet.ts';
import { boundary, reach } from './reachable.ts';
import { receivePack, type ServerHooks } from './receive-pack.ts';

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
			const service = url.includes('git-receive-pack') ? 'git-receive-pack' : 'git-upload-pack';
			const answer =
				method === 'GET'
					? advertise(repository, service)
					: service === 'git-upload-pack'
						? upload(repository, concat(parts))
						: receivePack(repository, concat(parts), hooks);
			return {
				url,
				method,
				statusCode: 200,
				statusMessage: 'OK',
				headers: { 'content-type': `application/x-${service}-${method === 'GET' ? 'advertisement' : 'result'}` },
				body: once(answer)
			};
		}
	};
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

function advertise(repository: Repository, service: string): Uint8Array {
	const { refs } = repository;
	const head = repository.head();
	const target = refs.symbolic('HEAD');
	const capabilities =
		service === 'git-upload-pack'
			? `side-band-64k ofs-delta shallow include-tag no-progress ${target === null ? '' : `symref=HEAD:${target} `}${AGENT}`
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

/** Responds with the objects that the client wants and does not have. */
function upload(repository: Repository, request: Uint8Array): Uint8Array {
	const { lines } = readPackets(request);
	const ids = (word: string) =>
		lines.flatMap((line) => (line?.startsWith(`${word} `) ? [line.slice(word.length + 1, word.length + 41)] : []));
	const depth = Number(lines.find((line) => line?.startsWith('deepen '))?.slice('deepen '.length) ?? Infinity);
	const wants = ids('want');
	const cut = Number.isFinite(depth) ? boundary(repository, wants, depth) : new Set<string>();
	const ends = new Set(ids('shallow'));
	const known = reach(repository, ids('have'), new Map(), ends);
	// If a shallow history is deepened, known commits would hide the history beyond them.
	const isDeeper = Number.isFinite(depth) && ends.size > 0;
	const wanted = reach(repository, wants, isDeeper ? new Map() : new Map(known), cut);
	const gone = isDeeper ? [...ends].filter((id) => wanted.has(id) && !cut.has(id)) : [];
	const shallow = Number.isFinite(depth)
		? [...[...cut].map((id) => packet(`shallow ${id}`)), ...gone.map((id) => packet(`unshallow ${id}`)), FLUSH]
		: [];
	const missing = [...wanted.keys()].filter((id) => !known.has(id));
	return concat([...shallow, packet('NAK\n'), inBand(1, packOf(repository, missing)), FLUSH]);
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
