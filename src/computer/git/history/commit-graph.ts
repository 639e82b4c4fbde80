import { sha1 } from '#environment/sha1.ts';
import { concat, encode, fromHex, toHex } from '../bytes.ts';
import { promisedIds } from './promised-objects.ts';
import { fatal } from '../errors.ts';
import type { Commit } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';

const HEAD_BYTES = 8;
const ROW_BYTES = 12;
const ID_BYTES = 20;
const DATA_BYTES = ID_BYTES + 16;
const FANOUT_BYTES = 1024;
const NO_PARENT = 0x70000000;
const MORE_PARENTS = 0x80000000;
const LAST_EDGE = 0x80000000;
const MOST_GENERATIONS = 0x3fffffff;
const MOST_OFFSET = 0x7fffffff;

interface GraphedCommit {
	id: string;
	commit: Commit;
	/** Length of the longest path to a root commit. */
	level: number;
	/** Corrected date, later than those of all parents. */
	date: number;
}

/** Writes a commit-graph file (https://git-scm.com/docs/gitformat-commit-graph) for commits and all their ancestors. */
export function writeCommitGraph(repository: Repository, starts: readonly string[]): Uint8Array {
	const commits = graphed(repository, starts);
	const places = new Map(commits.map(({ id }, place) => [id, place]));
	const place = (id: string): number => places.get(id) ?? NO_PARENT;
	const edges: number[] = [];
	const rows = commits.map(({ commit, level }) => {
		const [first, second, ...more] = commit.parents;
		const isOctopus = more.length > 0;
		const edge = isOctopus ? MORE_PARENTS + edges.length : second === undefined ? NO_PARENT : place(second);
		if (isOctopus) {
			const others = commit.parents.slice(1).map(place);
			edges.push(...others.slice(0, -1), LAST_EDGE + others.at(-1)!);
		}
		const { seconds } = commit.committer;
		const generation = Math.min(level, MOST_GENERATIONS);
		return concat([
			fromHex(commit.tree),
			numbers([
				first === undefined ? NO_PARENT : place(first),
				edge,
				((generation << 2) >>> 0) + (Math.floor(seconds / 2 ** 32) & 3),
				seconds % 2 ** 32
			])
		]);
	});
	const offsets = commits.map(({ commit, date }) => date - commit.committer.seconds);
	const chunks: [string, Uint8Array][] = [
		['OIDF', fanout(commits)],
		['OIDL', concat(commits.map(({ id }) => fromHex(id)))],
		['CDAT', concat(rows)],
		// If an offset is too large, the chunk is omitted; the levels are sufficient.
		...(offsets.every((offset) => offset <= MOST_OFFSET) ? [['GDA2', numbers(offsets)] as [string, Uint8Array]] : []),
		...(edges.length > 0 ? [['EDGE', numbers(edges)] as [string, Uint8Array]] : [])
	];
	return framed(chunks);
}

function framed(chunks: readonly [string, Uint8Array][]): Uint8Array {
	const head = concat([encode('CGPH'), Uint8Array.of(1, 1, chunks.length, 0)]);
	let at = HEAD_BYTES + (chunks.length + 1) * ROW_BYTES;
	const table = chunks.map(([name, bytes]) => {
		const row = concat([encode(name), numbers([0, at])]);
		at += bytes.length;
		return row;
	});
	const body = concat([head, ...table, numbers([0, 0, at]), ...chunks.map(([, bytes]) => bytes)]);
	return concat([body, sha1(body)]);
}

/** Commits and all their ancestors, sorted by id. */
function graphed(repository: Repository, starts: readonly string[]): GraphedCommit[] {
	const known = new Map<string, GraphedCommit>();
	let found: ReadonlySet<string> | undefined;
	const promised = () => (found ??= promisedIds(repository));
	const left = [...starts];
	while (left.length > 0) {
		const id = left.at(-1)!;
		if (known.has(id)) {
			left.pop();
			continue;
		}
		if (repository.objects.find(id)?.type !== 'commit') throw fatal(`unable to parse commit ${id}`);
		const commit = repository.commit(id);
		const unknown = commit.parents.filter((parent) => !known.has(parent));
		if (unknown.length > 0) {
			left.push(...unknown);
			continue;
		}
		if (!repository.objects.has(commit.tree) && !promised().has(commit.tree))
			throw fatal(`unable to get tree for ${id}`);
		const parents = commit.parents.map((parent) => known.get(parent)!);
		const level = 1 + Math.max(0, ...parents.map((parent) => parent.level));
		const date = Math.max(commit.committer.seconds, ...parents.map((parent) => parent.date + 1));
		known.set(id, { id, commit, level, date });
		left.pop();
	}
	return [...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function fanout(commits: readonly GraphedCommit[]): Uint8Array {
	let next = 0;
	return numbers(
		Array.from({ length: 256 }, (_, byte) => {
			while (next < commits.length && Number.parseInt(commits[next]!.id.slice(0, 2), 16) <= byte) next++;
			return next;
		})
	);
}

function numbers(values: readonly number[]): Uint8Array {
	const view = new DataView(new ArrayBuffer(values.length * 4));
	values.forEach((value, i) => view.setUint32(i * 4, value));
	return new Uint8Array(view.buffer);
}

/** Chunks of a file by name, or a fault of the file as a whole. */
type ReadGraph =
	{ view: DataView; bytes: Uint8Array; chunks: ReadonlyMap<string, { at: number; end: number }> } | { fault: string };

function readGraph(bytes: Uint8Array): ReadGraph {
	if (bytes.length < HEAD_BYTES + 4 * ROW_BYTES + FANOUT_BYTES + ID_BYTES)
		return { fault: 'commit-graph file is too small' };
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const hex = (value: number) => value.toString(16).toUpperCase();
	const signature = view.getUint32(0);
	if (signature !== 0x43475048)
		return { fault: `commit-graph signature ${hex(signature)} does not match signature 43475048` };
	if (bytes[4] !== 1) return { fault: `commit-graph version ${hex(bytes[4]!)} does not match version 1` };
	if (bytes[5] !== 1) return { fault: `commit-graph hash version ${hex(bytes[5]!)} does not match version 1` };
	const count = bytes[6]!;
	if (bytes.length < HEAD_BYTES + (count + 1) * ROW_BYTES + FANOUT_BYTES + ID_BYTES)
		return { fault: `commit-graph file is too small to hold ${count} chunks` };
	const chunks = new Map<string, { at: number; end: number }>();
	for (let row = 0; row < count; row++) {
		const start = HEAD_BYTES + row * ROW_BYTES;
		const name = String.fromCharCode(...bytes.subarray(start, start + 4));
		if (view.getUint32(start) === 0) return { fault: 'terminating chunk id appears earlier than expected' };
		const at = view.getUint32(start + 8);
		const end = view.getUint32(start + ROW_BYTES + 8);
		if (at > end || end > bytes.length - ID_BYTES)
			return { fault: `improper chunk offset(s) ${hex(at)} and ${hex(end)}` };
		chunks.set(name, { at, end });
	}
	const last = view.getUint32(HEAD_BYTES + count * ROW_BYTES);
	if (last !== 0) return { fault: `final chunk has non-zero id ${last.toString(16)}` };
	return { view, bytes, chunks };
}

/** Ids of the commits in a commit-graph file. */
export function graphedIds(file: Uint8Array): string[] {
	const graph = readGraph(file);
	const ids = 'fault' in graph ? undefined : graph.chunks.get('OIDL');
	if (!ids) return [];
	return Array.from({ length: Math.floor((ids.end - ids.at) / ID_BYTES) }, (_, i) =>
		toHex(file.subarray(ids.at + i * ID_BYTES, ids.at + (i + 1) * ID_BYTES))
	);
}

/** Checks a commit-graph file; returns one line per fault. */
export function commitGraphFaults(repository: Repository, file: Uint8Array): string[] {
	const graph = readGraph(file);
	if ('fault' in graph) return [graph.fault];
	const missing = [
		['OIDF', 'OID Fanout'],
		['OIDL', 'OID Lookup'],
		['CDAT', 'Commit Data']
	].flatMap(([name = '', title]) => (graph.chunks.has(name) ? [] : [`commit-graph is missing the ${title} chunk`]));
	if (missing.length > 0) return missing;
	const checksum =
		toHex(sha1(file.subarray(0, -ID_BYTES))) === toHex(file.subarray(-ID_BYTES))
			? []
			: ['the commit-graph file has incorrect checksum and is likely corrupt'];
	const checking = new GraphCheck(repository, graph);
	const order = checking.orderFaults();
	return [...checksum, ...order, ...(order.length > 0 ? [] : checking.commitFaults())];
}

class GraphCheck {
	readonly #count: number;
	readonly #ids: string[] = [];

	constructor(
		private readonly repository: Repository,
		private readonly graph: Exclude<ReadGraph, { fault: string }>
	) {
		const ids = this.#chunk('OIDL');
		this.#count = Math.floor((ids.end - ids.at) / ID_BYTES);
		for (let i = 0; i < this.#count; i++)
			this.#ids.push(toHex(graph.bytes.subarray(ids.at + i * ID_BYTES, ids.at + (i + 1) * ID_BYTES)));
	}

	#chunk(name: string): { at: number; end: number } {
		return this.graph.chunks.get(name) ?? { at: 0, end: 0 };
	}

	/** Checks the order of the ids and the fan-out table. */
	orderFaults(): string[] {
		const { at } = this.#chunk('OIDF');
		const faults = this.#ids.flatMap((id, i) =>
			i > 0 && this.#ids[i - 1]! >= id ? [`commit-graph has incorrect OID order: ${this.#ids[i - 1]!} then ${id}`] : []
		);
		let next = 0;
		for (let byte = 0; byte < 256; byte++) {
			while (next < this.#count && Number.parseInt(this.#ids[next]!.slice(0, 2), 16) <= byte) next++;
			const value = this.graph.view.getUint32(at + byte * 4);
			if (value !== next) faults.push(`commit-graph has incorrect fanout value: fanout[${byte}] = ${value} != ${next}`);
		}
		if (faults.length > 0) return faults;
		for (let i = 0; i < this.#count; i++) if (this.#parents(i) === null) return ['invalid parent position'];
		return [];
	}

	#number(place: number, offset: number): number {
		return this.graph.view.getUint32(this.#chunk('CDAT').at + place * DATA_BYTES + ID_BYTES + offset);
	}

	/** Positions of a commit's parents; null if one is invalid. */
	#parents(place: number): number[] | null {
		const [first, second] = [this.#number(place, 0), this.#number(place, 4)];
		const found: number[] = first === NO_PARENT ? [] : [first];
		if (second >= MORE_PARENTS) {
			const { at, end } = this.#chunk('EDGE');
			for (let edge = at + (second - MORE_PARENTS) * 4; ; edge += 4) {
				if (edge + 4 > end) return null;
				const value = this.graph.view.getUint32(edge);
				found.push(value >= LAST_EDGE ? value - LAST_EDGE : value);
				if (value >= LAST_EDGE) break;
			}
		} else if (second !== NO_PARENT) found.push(second);
		return found.every((parent) => parent < this.#count) ? found : null;
	}

	commitFaults(): string[] {
		return this.#ids.flatMap((_, place) => this.#faultsOf(place));
	}

	#faultsOf(place: number): string[] {
		const { repository, graph } = this;
		const id = this.#ids[place]!;
		if (repository.objects.find(id)?.type !== 'commit')
			return [`failed to parse commit ${id} from object database for commit-graph`];
		const { tree, committer, parents } = { ...repository.objects.commit(id), parents: repository.parents(id) };
		const faults: string[] = [];
		const start = this.#chunk('CDAT').at + place * DATA_BYTES;
		const stored = toHex(graph.bytes.subarray(start, start + ID_BYTES));
		if (stored !== tree) faults.push(`root tree OID for commit ${id} in commit-graph is ${stored} != ${tree}`);
		const places = this.#parents(place) ?? [];
		places.forEach((parent, i) => {
			const own = parents[i];
			if (own === undefined) {
				if (i === parents.length) faults.push(`commit-graph parent list for commit ${id} is too long`);
			} else if (own !== this.#ids[parent])
				faults.push(`commit-graph parent for ${id} is ${this.#ids[parent]!} != ${own}`);
		});
		if (places.length < parents.length) faults.push(`commit-graph parent list for commit ${id} terminates early`);
		const least = 1 + Math.max(0, ...places.map((parent) => this.#generation(parent)));
		const generation = this.#generation(place);
		if (generation < least) faults.push(`commit-graph generation for commit ${id} is ${generation} < ${least}`);
		const date = (this.#number(place, 8) & 3) * 2 ** 32 + this.#number(place, 12);
		if (date !== committer.seconds)
			faults.push(`commit date for commit ${id} in commit-graph is ${date} != ${committer.seconds}`);
		return faults;
	}

	/** Corrected date of a commit, or its level if the file has no dates. */
	#generation(place: number): number {
		const dates = this.graph.chunks.get('GDA2');
		if (!dates) return this.#number(place, 8) >>> 2;
		const date = (this.#number(place, 8) & 3) * 2 ** 32 + this.#number(place, 12);
		return date + this.graph.view.getUint32(dates.at + place * 4);
	}
}
