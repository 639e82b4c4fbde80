import { FILE_BYTES } from '#computer/abi/limits.ts';
import { absolute, basename } from '#computer/abi/paths.ts';
import { fatal, GitError } from '../errors.ts';
import {
	examinePresent,
	hideEdges,
	listedObjects,
	OBJECT_OPTIONS,
	splitNames,
	walkHow
} from '../history/listed-objects.ts';
import { namedStarts } from '../history/named-starts.ts';
import { ObjectWalk } from '../history/object-walk.ts';
import { indexedIds, reachedFrom, reflogIds } from '../history/reachable-objects.ts';
import { parseRange, walkHistory } from '../history/walk.ts';
import { inputLines } from '../input-lines.ts';
import type { Command, Invocation } from '../invocation.ts';
import { buildPacks, type BuiltPack } from '../objects/build-pack.ts';
import { keepBuiltPack } from '../objects/keep-pack.ts';
import type { PackFile } from '../objects/pack-file.ts';
import type { PackItem } from '../objects/plan-deltas.ts';
import { parseOptions, type Options } from '../options.ts';
import { expiryMs } from '../history/filter.ts';
import { findRevision } from '../refs/revision.ts';
import { packHow, PACK_OPTIONS } from './pack-settings.ts';

const USAGE =
	'pack-objects --stdout [<options>] [< <ref-list> | < <object-list>]\n' +
	'   or: git pack-objects [<options>] <base-name> [< <ref-list> | < <object-list>]';

const OPTIONS = {
	...PACK_OPTIONS,
	...OBJECT_OPTIONS,
	stdout: '--stdout',
	revs: '--revs',
	all: '--all',
	reflog: '--reflog',
	indexed: '--indexed-objects',
	unpacked: '--unpacked',
	incremental: '--incremental',
	local: '--local',
	honorsKeep: '--honor-pack-keep',
	keepPack: '--keep-pack =',
	thin: '--thin !',
	usesOffsets: '--delta-base-offset !',
	nonEmpty: '--non-empty',
	includeTag: '--include-tag',
	keepsUnreachable: '--keep-unreachable',
	packsLoose: '--pack-loose-unreachable',
	unpacksUnreachable: '--unpack-unreachable ?',
	stdinPacks: '--stdin-packs',
	shallow: '--shallow'
};

type PackOptions = Options<keyof typeof OPTIONS>;

/** `git pack-objects`: creates packs of the objects listed on stdin, or reachable from revisions listed there. */
export const packObjects: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const [base, ...more] = options.operands;
	const toStdout = options.has('stdout');
	if (toStdout === (base !== undefined) || more.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	if (options.has('thin') && !toStdout) throw fatal('--thin cannot be used to build an indexable pack');
	if (options.has('keepsUnreachable') && options.has('unpacksUnreachable'))
		throw fatal("options '--keep-unreachable' and '--unpack-unreachable' cannot be used together");
	if (toStdout && options.has('mostBytes')) throw fatal('--max-pack-size cannot be used to build a pack for transfer');
	if (base !== undefined) {
		for (const digest of packInto(git, options, base)) git.out(`${digest}\n`);
		return 0;
	}
	git.out(onlyPack(git, options, new Packing(git, options)));
	return 0;
};

function onlyPack(git: Invocation, options: PackOptions, packing: Packing): Uint8Array {
	const [only, second] = packsOf(git, options, packing.items(), FILE_BYTES);
	if (second) throw fatal('the objects are too many for one pack here');
	return only?.pack ?? new Uint8Array(0);
}

/**
 * Builds one pack of objects reachable from revisions, with options of `pack-objects`.
 *
 * @throws GitError if one pack cannot hold them
 */
export function packOf(git: Invocation, args: readonly string[], revisions: readonly string[]): Uint8Array {
	const options = parseOptions(USAGE, [...args, '--stdout', '--revs'], OPTIONS);
	return onlyPack(git, options, new Packing(git, options, revisions));
}

/** Writes packs with options of `pack-objects` to files whose names begin with `base`. Returns their hashes. */
export function makePacks(git: Invocation, args: readonly string[], base: string): string[] {
	return packInto(git, parseOptions(USAGE, args, OPTIONS), base);
}

/** Packs some objects in the same way. */
export function packIds(git: Invocation, args: readonly string[], ids: Iterable<string>, base: string): string[] {
	const { objects } = git.repository;
	const items = [...ids].map((id): PackItem => ({ id, type: objects.find(id)?.type ?? 'blob', path: '' }));
	const packs = items.length === 0 ? [] : packsOf(git, parseOptions(USAGE, args, OPTIONS), items);
	for (const pack of packs) keepBuiltPack(git.repository.files, absolute(base, git.cwd), pack);
	return packs.map(({ digest }) => digest);
}

function packInto(git: Invocation, options: PackOptions, base: string): string[] {
	const packing = new Packing(git, options);
	const items = packing.items();
	const packs = items.length === 0 ? [] : packsOf(git, options, items);
	for (const pack of packs) keepBuiltPack(git.repository.files, absolute(base, git.cwd), pack);
	packing.loosen();
	return packs.map(({ digest }) => digest);
}

function packsOf(git: Invocation, options: PackOptions, items: readonly PackItem[], mostBytes?: number): BuiltPack[] {
	const { repository } = git;
	if (items.every(({ isElsewhere }) => isElsewhere) && options.has('nonEmpty')) return [];
	const settings = packHow(repository.config, options, (text) => repository.warn(text));
	const how = { ...settings, usesOffsets: options.has('usesOffsets'), mostBytes: mostBytes ?? settings.mostBytes };
	return buildPacks(items, how, (id) => repository.objects.find(id));
}

class Packing {
	readonly #items = new Map<string, PackItem>();
	readonly #kept: readonly PackFile[];
	/** All requested objects, even those left out of the packs. */
	readonly #reached = new Set<string>();

	/** @param revisions revisions to start at; null: reads them from stdin */
	constructor(
		private readonly git: Invocation,
		private readonly options: PackOptions,
		private readonly revisions: readonly string[] | null = null
	) {
		const names = options.all('keepPack');
		const { packs } = git.repository.objects;
		this.#kept = packs.filter(
			(pack) => (options.has('honorsKeep') && pack.isKept) || names.includes(basename(pack.path))
		);
	}

	items(): PackItem[] {
		const { options } = this;
		const isExcluded = examinePresent(this.git.repository, options);
		const isWalk = (['revs', 'all', 'reflog', 'indexed', 'unpacked'] as const).some((name) => options.has(name));
		if (options.has('stdinPacks') && options.has('filter')) throw fatal('cannot use --filter with --stdin-packs');
		if (options.has('stdinPacks') && (['revs', 'all', 'reflog', 'indexed'] as const).some((name) => options.has(name)))
			throw fatal('cannot use internal rev list with --stdin-packs');
		if (options.has('filter') && !isWalk) throw fatal('cannot use --filter without --revs');
		if (options.has('stdinPacks')) this.#ofPacks();
		else if (isWalk) this.#ofHistory(isExcluded);
		else this.#named();
		if (options.has('includeTag')) this.#tags();
		if (options.has('keepsUnreachable') || options.has('packsLoose')) this.#unreachable();
		return [...this.#items.values()];
	}

	/** Writes unreachable objects of packs that are not kept as loose objects, unless the packs are too old. */
	loosen(): void {
		const { options } = this;
		if (!options.has('unpacksUnreachable')) return;
		const { objects, files } = this.git.repository;
		const text = options.get('unpacksUnreachable') ?? '';
		const least = text === '' ? -Infinity : expiryMs(text, files.now());
		for (const pack of objects.packs) {
			// What a promisor remote sent it can send again.
			if (pack.isKept || pack.isPromisor || this.#kept.includes(pack)) continue;
			const time = files.stat(pack.path).modifiedMs;
			if (time < least) continue;
			for (const id of pack.index.idsWithPrefix('')) {
				const object = this.#reached.has(id) ? null : objects.find(id);
				if (object) objects.writeLoose(object, time);
			}
		}
	}

	/** Adds an object unless options exclude it because of where it is stored. */
	#add(item: PackItem): void {
		const { objects } = this.git.repository;
		const { options } = this;
		const has = (pack: PackFile) => pack.index.offsetOf(item.id) !== null;
		this.#reached.add(item.id);
		if (this.#items.has(item.id)) return;
		if (!item.isElsewhere) {
			if (this.#kept.some(has) || (options.has('local') && objects.isBorrowed(item.id))) return;
			const isNew = options.has('unpacked') || options.has('incremental');
			if (isNew && !options.has('stdinPacks') && objects.packs.some(has)) return;
		}
		this.#items.set(item.id, item);
	}

	/** Adds the objects listed on stdin, one id per line; `-` marks objects that the other side has. */
	#named(): void {
		const { objects } = this.git.repository;
		for (const line of inputLines(this.git)) {
			const [, edge, id, path = ''] = /^(-?)([0-9a-f]{40})(?:\s(.*))?$/s.exec(line) ?? [];
			if (id === undefined) throw fatal(`expected object ID, got garbage:\n ${line}\n`);
			if (edge === '-') {
				if (this.options.has('thin')) this.#edge(id);
				continue;
			}
			const found = objects.find(id);
			if (!found) throw fatal(`unable to get type of object ${id}`);
			this.#add({ id, type: found.type, path });
		}
	}

	/** @param isExcluded tells commits that are not packed, and not followed */
	#ofHistory(isExcluded: (id: string) => boolean): void {
		const { git, options } = this;
		const { repository } = git;
		const starts = namedStarts(git, [
			...(options.has('revs') ? (this.revisions ?? ['--stdin']) : []),
			...(options.has('all') ? ['--all'] : [])
		]);
		const given = starts.args.filter((arg) => !arg.startsWith('--'));
		for (const arg of given)
			if (
				!arg.includes('..') &&
				findRevision(repository, arg.replace(/^\^/, '').replace(/\^(?:[!@]|-\d*)$/, '')) === null
			)
				throw fatal(`bad revision '${arg}'`);
		const names = splitNames(repository, given);
		names.others.push(...starts.others);
		const range = parseRange(repository, names.commits);
		const more = options.has('reflog') ? reflogIds(repository) : [];
		range.include.push(...more.filter((id) => repository.objects.find(id)?.type === 'commit'));
		range.include = range.include.filter((id) => !isExcluded(id));
		const walk = new ObjectWalk(repository, walkHow(repository, options));
		const revisions = [...walkHistory(repository, range)];
		const edges = hideEdges(walk, revisions, range.exclude, names.others);
		for (const { id } of revisions)
			if (walk.showsCommit(id, range.include.includes(id))) this.#add({ id, type: 'commit', path: '' });
		for (const object of listedObjects(walk, revisions, names.others)) this.#add(object);
		const indexed = options.has('indexed') ? indexedIds(repository) : [];
		for (const { id, path } of indexed) for (const object of walk.named({ id, name: path })) this.#add(object);
		if (options.has('thin')) for (const id of edges) this.#edge(id);
	}

	/** Adds the objects of packs listed on stdin, except those in packs marked with `^`. */
	#ofPacks(): void {
		const { objects } = this.git.repository;
		const lines = [...inputLines(this.git)].filter((line) => line !== '');
		const named = (name: string): PackFile => {
			const pack = objects.packs.find(({ path }) => basename(path) === name);
			if (!pack) throw fatal(`could not find pack '${name}'`);
			return pack;
		};
		const left = lines.filter((line) => line.startsWith('^')).map((line) => named(line.slice(1)));
		for (const line of lines) {
			if (line.startsWith('^')) continue;
			for (const id of named(line).index.idsWithPrefix(''))
				if (!left.some((pack) => pack.index.offsetOf(id) !== null))
					this.#add({ id, type: objects.find(id)?.type ?? 'blob', path: '' });
		}
		if (this.options.has('unpacked')) this.#unreachable();
	}

	/** Adds the trees and files of a commit that the other side has, as delta bases. */
	#edge(id: string): void {
		const { objects } = this.git.repository;
		if (objects.find(id)?.type !== 'commit') return;
		const walk = new ObjectWalk(this.git.repository, { missing: 'allow' });
		for (const object of walk.ofCommit(id)) this.#add({ ...object, isElsewhere: true });
	}

	/** Adds annotated tags whose targets are in the pack. */
	#tags(): void {
		const { refs, objects } = this.git.repository;
		for (const { id } of refs.list('refs/tags/')) {
			if (objects.find(id)?.type !== 'tag' || !this.#items.has(this.git.repository.peeled(id))) continue;
			for (const [one, type] of reachedFrom(this.git.repository, [id], true))
				if (type === 'tag') this.#add({ id: one, type, path: '' });
		}
	}

	/** Adds unreachable objects, packed or loose, if options request them. */
	#unreachable(): void {
		const { objects } = this.git.repository;
		const packed = objects.packs.filter((pack) => !pack.isKept).flatMap(({ index }) => index.idsWithPrefix(''));
		const ids = this.options.has('keepsUnreachable') ? packed : [];
		const loose = this.options.has('packsLoose') || this.options.has('stdinPacks') ? objects.looseIds() : [];
		const isPacked = (id: string) => objects.packs.some(({ index }) => index.offsetOf(id) !== null);
		for (const id of [...ids, ...loose.filter((one) => !isPacked(one))])
			this.#add({ id, type: objects.find(id)?.type ?? 'blob', path: '' });
	}
}
