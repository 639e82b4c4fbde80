import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { PackWriter } from '../baseline/pack-writer.ts';
import { concat } from '../bytes.ts';
import { isAncestor } from '../history/walk.ts';
import { NULL_ID } from '../objects/object.ts';
import { PackReceiver } from '../objects/pack-receiver.ts';
import { hiddenRefs } from '../refs/hidden-refs.ts';
import type { Repository } from '../repository.ts';
import { FLUSH, inBand, packet, readPackets } from './packet.ts';
import { boundary, reach } from './reachable.ts';

/** Stands in for the address of a repository of this volume. */
export const LOCAL_URL = 'http://repository.invalid/local';

const AGENT = 'agent=git/sandglass';

/** Steps of a server before and after it moves references. Each may refuse by returning false. */
export interface ServerHooks {
	before(commands: readonly RefCommand[]): boolean;
	update(command: RefCommand): boolean;
	after(commands: readonly RefCommand[]): void;
}

/** One reference that a push moves. */
export interface RefCommand {
	from: string;
	to: string;
	name: string;
}

/**
 * Answers the requests of a fetch or a push from a repository of the same volume, in the protocol of version 0
 * (https://git-scm.com/docs/gitprotocol-pack), so that both go the way that they go over the network.
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
						: receive(repository, concat(parts), hooks);
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
			: `report-status delete-refs side-band-64k ofs-delta ${AGENT}`;
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

/** Answers with the objects that the other side wants and lacks. */
function upload(repository: Repository, request: Uint8Array): Uint8Array {
	const { lines } = readPackets(request);
	const ids = (word: string) =>
		lines.flatMap((line) => (line?.startsWith(`${word} `) ? [line.slice(word.length + 1, word.length + 41)] : []));
	const depth = Number(lines.find((line) => line?.startsWith('deepen '))?.slice('deepen '.length) ?? Infinity);
	const wants = ids('want');
	const cut = Number.isFinite(depth) ? boundary(repository, wants, depth) : new Set<string>();
	const ends = new Set(ids('shallow'));
	const known = reach(repository, ids('have'), new Map(), ends);
	// What is known to its end hides what lies behind it.
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
	let made: Uint8Array | null = null;
	const writer = new PackWriter(({ pack }) => {
		if (made) throw new RangeError('the repository is too large to be copied in one pack here');
		made = pack;
	});
	for (const id of ids) {
		const object = repository.objects.find(id);
		if (object) writer.add(object.type, object.content);
	}
	writer.finish();
	return made ?? new Uint8Array(0);
}

/** Takes objects and moves references. The answer says of each whether it moved. */
function receive(repository: Repository, request: Uint8Array, hooks: ServerHooks): Uint8Array {
	const { lines, rest } = readPackets(request, true);
	const commands = lines.flatMap((line): RefCommand[] => {
		const [, from, to, name] = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0]+)/.exec(line ?? '') ?? [];
		return from === undefined || to === undefined || name === undefined ? [] : [{ from, to, name }];
	});
	if (rest.length > 0) {
		const pack = new PackReceiver((id) => repository.objects.find(id));
		pack.push(rest);
		const received = pack.finish();
		if (received) repository.objects.keepPack(received);
	}
	const isAllowed = hooks.before(commands);
	const moved: RefCommand[] = [];
	const report = commands.map((command) => {
		const fault = isAllowed ? faultOf(repository, command, hooks) : 'pre-receive hook declined';
		if (fault !== null) return packet(`ng ${command.name} ${fault}\n`);
		if (command.to === NULL_ID) repository.refs.delete(command.name);
		else repository.refs.update(command.name, command.to, 'push');
		moved.push(command);
		return packet(`ok ${command.name}\n`);
	});
	if (moved.length > 0) hooks.after(moved);
	return concat([inBand(1, concat([packet('unpack ok\n'), ...report, FLUSH])), FLUSH]);
}

/** Why a reference may not move, in git's words; null if it may. */
function faultOf(repository: Repository, command: RefCommand, hooks: ServerHooks): string | null {
	const { refs, config } = repository;
	const { from, to, name } = command;
	const now = refs.resolve(name) ?? NULL_ID;
	if (!name.startsWith('refs/')) return 'funny refname';
	if (now !== from) return 'failed to update ref';
	const isCurrent = !repository.isBare && refs.symbolic('HEAD') === name;
	const denied = config.get('receive.denycurrentbranch') ?? 'refuse';
	if (isCurrent && to !== NULL_ID && !['ignore', 'warn', 'false', 'updateInstead'].includes(denied))
		return 'branch is currently checked out';
	const isHead = refs.symbolic('HEAD') === name;
	if (
		isHead &&
		to === NULL_ID &&
		!['ignore', 'warn', 'false'].includes(config.get('receive.denydeletecurrent') ?? 'refuse')
	)
		return 'deletion of the current branch prohibited';
	if (to === NULL_ID && config.flag('receive.denydeletes', false)) return 'deletion prohibited';
	const isRewind =
		from !== NULL_ID && to !== NULL_ID && name.startsWith('refs/heads/') && !isAncestor(repository, from, to);
	if (isRewind && config.flag('receive.denynonfastforwards', false)) return 'non-fast-forward';
	return hooks.update(command) ? null : 'hook declined';
}
