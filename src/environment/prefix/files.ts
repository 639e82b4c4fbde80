import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import type { DirEntry, FileStat, LoadEntry, LoadOptions } from '../contract.ts';
import { checkedEntries, refuseLinkOnTheWay } from '../entry-path.ts';
import { EnvironmentError, isEnvironmentError } from '../errors.ts';
import { toFileStat } from '../local/files.ts';
import { toAbsolute } from '../local/paths.ts';
import { gitMode, type TreeEntry } from '../tree/entry.ts';
import type { Journal } from '../tree/journal.ts';
import { inBatches } from '../tree/batches.ts';
import { writeTar } from '../archive/tar-format.ts';
import { invalidAnswer, requirePlace, splitParts, toAfter, toEntries, toEntry } from './answers.ts';
import type { Remote } from './remote.ts';
import type { Operation } from './scripts.ts';
import { MAX_NAME_BYTES, QUOTES } from './tree.ts';
import { fileMode, Mode } from '../mode.ts';

const isLink = ({ mode }: { mode: number }): boolean => (mode & 0o170000) === Mode.symlink;

interface Changed {
	real: string;
	after: [string, TreeEntry][];
}

interface Unpacked {
	/** Real paths, in the order of the entries. */
	places: string[];
	/** Keyed by real path without the leading slash. */
	found: Map<string, TreeEntry>;
}

/** File methods of the contract behind a prefix. Paths are as callers give them. */
export class RemoteFiles {
	/** Runs mutations and scans one after another, so that a scan never sees half of a write. */
	#queue: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly remote: Remote,
		private readonly journal: Journal
	) {}

	inTurn<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.#queue.then(work, work);
		this.#queue = turn.catch(() => undefined);
		return turn;
	}

	async readBytes(path: string): Promise<Uint8Array> {
		return new Uint8Array(await this.#ask('read', path));
	}

	async exists(path: string): Promise<boolean> {
		try {
			return (await this.#ask('exists', path)).length > 0;
		} catch (error) {
			if (isEnvironmentError(error) && error.code === 'ENOTDIR') return false;
			throw error;
		}
	}

	/** Resolves a path to its real path and the entry there. */
	async find(path: string, follow: boolean): Promise<{ real: string; entry: TreeEntry }> {
		const { real, after } = this.#changed(await this.#ask('find', path, follow ? '1' : '0'));
		const entry = after[0]?.[1];
		if (!entry) throw new EnvironmentError('EINVAL', `This is neither a file, a directory nor a link: ${path}`, path);
		return { real, entry };
	}

	async stat(path: string): Promise<FileStat> {
		return toFileStat((await this.find(path, false)).entry);
	}

	async list(path: string, depth: number): Promise<DirEntry[]> {
		const { parts, rest } = splitParts(await this.#ask('list', path, String(depth)));
		return [...toEntries(rest, this.#place(parts[0]))].map(([below, entry]) => ({ path: below, ...toFileStat(entry) }));
	}

	write(path: string, bytes: Uint8Array): Promise<void> {
		return this.inTurn(async () => {
			const args = [toAbsolute(this.remote.rules, path), randomUUID(), String(bytes.length)];
			const { real, after } = this.#changed(await this.remote.ask('write', args, { path, stdin: bytes }));
			await this.journal.record({ path: real, kind: 'write', mode: modeOf(after), bytes }, after);
		});
	}

	remove(path: string, recursive: boolean): Promise<void> {
		return this.inTurn(async () => {
			const answer = (await this.#ask('remove', path, recursive ? '1' : '0')).toString();
			const end = answer.indexOf('\n');
			const entry = toEntry(answer.slice(0, end))?.entry;
			const mode = entry ? gitMode(entry) : Mode.file;
			await this.journal.record({ path: this.#place(answer.slice(end + 1, -1)), kind: 'remove', mode });
		});
	}

	rename(path: string, target: string): Promise<void> {
		return this.inTurn(async () => {
			const answer = await this.#ask('rename', path, toAbsolute(this.remote.rules, target));
			const { parts, rest } = splitParts(answer);
			const [real, to] = [this.#place(parts[0]), this.#place(parts[1])];
			const after = toAfter(to, rest);
			await this.journal.record({ path: real, kind: 'rename', mode: modeOf(after), to }, after);
		});
	}

	makeDirectory(path: string): Promise<void> {
		return this.inTurn(async () => {
			const { real, after } = this.#changed(await this.#ask('mkdir', path));
			if (after.length > 0) await this.journal.record({ path: real, kind: 'mkdir', mode: Mode.directory }, after);
		});
	}

	async readLink(path: string): Promise<string> {
		return (await this.#ask('readlink', path)).toString().replace(/\n$/, '');
	}

	symlink(target: string, path: string): Promise<void> {
		return this.inTurn(async () => {
			const { real, after } = this.#changed(await this.#ask('symlink', path, target));
			const bytes = new TextEncoder().encode(target);
			await this.journal.record({ path: real, kind: 'symlink', mode: Mode.symlink, bytes }, after);
		});
	}

	setMode(path: string, mode: number): Promise<void> {
		return this.inTurn(async () => {
			const { real, after } = this.#changed(await this.#ask('chmod', path, (mode & 0o777).toString(8)));
			await this.journal.record({ path: real, kind: 'mode', mode: modeOf(after) }, after);
		});
	}

	async load(entries: AsyncIterable<LoadEntry>, options: LoadOptions = {}): Promise<void> {
		const root = options.root === undefined ? undefined : (await this.find(options.root, true)).real;
		for await (const batch of inBatches(checkedEntries(entries, options)))
			for (const part of partsByNames(batch, root ?? this.remote.rules.workingDirectory))
				await this.inTurn(async () => {
					const { places, found } = await this.#unpack(part, { root, describes: true });
					for (const [index, entry] of part.entries()) {
						const kind = isLink(entry) ? 'symlink' : 'write';
						const mode = isLink(entry) ? Mode.symlink : fileMode(entry.mode);
						const path = places[index] ?? entry.path;
						await this.journal.record({ path, kind, mode, bytes: entry.bytes }, this.#known(found, path));
					}
				});
	}

	/** Writes without queueing or journaling, for callers that do both themselves. */
	async place(entries: readonly LoadEntry[]): Promise<void> {
		if (entries.length > 0) await this.#unpack(entries, { describes: false });
	}

	async #unpack(
		entries: readonly LoadEntry[],
		{ root = this.remote.rules.workingDirectory, describes }: { root?: string | undefined; describes: boolean }
	): Promise<Unpacked> {
		const asked = entries.map((entry) => oneLine(posix.join(root, entry.path)));
		const first = entries[0]?.path;
		const { parts } = splitParts(await this.remote.ask('places', [], { path: first, stdin: `${asked.join('\n')}\n` }));
		if (parts.length !== entries.length) throw invalidAnswer(`${parts.length} places of ${entries.length}`);
		for (const [index, { path }] of entries.entries()) refuseLinkOnTheWay(path, asked[index] ?? '', parts[index] ?? '');
		const members = entries.map((entry, index) => ({
			name: (parts[index] ?? '').slice(1),
			kind: isLink(entry) ? ('symlink' as const) : ('file' as const),
			mode: entry.mode & 0o100 ? 0o755 : 0o644,
			modifiedMs: 0,
			target: isLink(entry) ? new TextDecoder().decode(entry.bytes) : '',
			bytes: isLink(entry) ? new Uint8Array() : entry.bytes
		}));
		const described = describes ? withFolders(parts, this.remote.rules.workingDirectory) : [];
		const answer = await this.remote.ask('unpack', described, { path: first, stdin: writeTar(members) });
		return { places: parts, found: toEntries(answer.toString(), '/') };
	}

	/** Entries found for a path and the directories above it. */
	*#known(found: Unpacked['found'], real: string): Generator<[string, TreeEntry]> {
		for (const path of withFolders([real], this.remote.rules.workingDirectory)) {
			const entry = found.get(path.slice(1));
			if (entry) yield [path, entry];
		}
	}

	#changed(answer: Buffer): Changed {
		const { parts, rest } = splitParts(answer);
		const real = this.#place(parts[0]);
		return { real, after: toAfter(real, rest) };
	}

	#place(real = ''): string {
		return requirePlace(real, this.remote.rules.roots);
	}

	#ask(operation: Operation, path: string, ...args: string[]): Promise<Buffer> {
		return this.remote.ask(operation, [toAbsolute(this.remote.rules, path), ...args], { path });
	}
}

function modeOf([first]: [string, TreeEntry][]): number {
	return first ? gitMode(first[1]) : Mode.file;
}

/** Paths and the directories above them that are below `root`, each once. */
function withFolders(paths: readonly string[], root: string): string[] {
	const found = new Set<string>();
	for (const path of paths)
		for (
			let place = path;
			place.startsWith(`${root}/`) && !found.has(place);
			place = place.slice(0, place.lastIndexOf('/'))
		)
			found.add(place);
	return [...found];
}

/** Splits a batch so that the names of the files, and of the directories above them, fit into a command line. */
function* partsByNames(batch: readonly LoadEntry[], root: string): Generator<LoadEntry[]> {
	let part: LoadEntry[] = [];
	let bytes = 0;
	let folder = '';
	for (const entry of batch) {
		const above = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf('/')));
		for (const name of above === folder ? [entry.path] : [above, entry.path])
			bytes += root.length + QUOTES + Buffer.byteLength(name);
		folder = above;
		if (part.length > 0 && bytes > MAX_NAME_BYTES) {
			yield part;
			part = [];
			bytes = 0;
		}
		part.push(entry);
	}
	if (part.length > 0) yield part;
}

function oneLine(path: string): string {
	if (path.includes('\n')) throw new EnvironmentError('EINVAL', 'A name of several lines cannot be loaded here', path);
	return path;
}
