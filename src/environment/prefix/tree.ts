import { readTar, type ReadMember } from '../archive/tar-format.ts';
import type { TreeEntry } from '../tree/entry.ts';
import type { JournalTree } from '../tree/journal.ts';
import { invalidAnswer, toEntries, toEntry } from './answers.ts';
import { CONTENT_BYTES, tooLarge, type Remote } from './remote.ts';

/** Limit for the names of one archive: they must fit into a command line. */
export const MAX_NAME_BYTES = 96_000;
/** Characters added when a name is quoted. */
export const QUOTES = 8;
const MAX_BYTES = 8 * 1024 * 1024;

/** Files to transfer in one archive. */
interface Batch {
	paths: string[];
	bytes: number;
	next?: Batch;
}

interface Fetched {
	batch: Batch;
	contents: Promise<Map<string, Uint8Array>>;
}

/** Adapts the files behind a prefix for journal and snapshots. */
export class RemoteTree implements JournalTree {
	constructor(private readonly remote: Remote) {}

	async walk(directory: string): Promise<Map<string, TreeEntry>> {
		return toEntries((await this.remote.ask('walk', [directory])).toString(), directory);
	}

	async stat(path: string): Promise<TreeEntry | undefined> {
		return toEntry((await this.remote.ask('stat', [path])).toString().trimEnd())?.entry;
	}

	async read(path: string): Promise<Uint8Array | undefined> {
		return (await this.#pack([path])).get(path);
	}

	/** Reads many files in few steps: each batch is one archive, and the next one is fetched in advance. */
	ahead(sizes: ReadonlyMap<string, number>): (path: string) => Promise<Uint8Array | undefined> {
		const batchOf = toBatches(sizes);
		let current: Fetched | undefined;
		let next: Fetched | undefined;
		const fetch = (batch: Batch | undefined): Fetched | undefined => {
			if (!batch) return undefined;
			const contents = this.#pack(batch.paths);
			// Errors are reported where the content is awaited; some batches may never be requested.
			contents.catch(() => undefined);
			return { batch, contents };
		};
		return async (path) => {
			const wanted = batchOf.get(path);
			if (!wanted) return this.read(path);
			if ((sizes.get(path) ?? 0) > CONTENT_BYTES) throw tooLarge(path);
			if (current?.batch !== wanted) {
				current = next?.batch === wanted ? next : fetch(wanted);
				next = fetch(wanted.next && wanted.next.bytes <= MAX_BYTES ? wanted.next : undefined);
			}
			return (await current?.contents)?.get(path);
		};
	}

	/** Returns contents by absolute path; omits unreadable files. */
	async #pack(paths: readonly string[]): Promise<Map<string, Uint8Array>> {
		const found = new Map<string, Uint8Array>();
		const archive = await this.remote.ask(
			'pack',
			paths.map((path) => `.${path}`)
		);
		for (const { name, kind, target, bytes } of membersOf(archive)) {
			const path = absolute(name);
			if (kind === 'file') found.set(path, new Uint8Array(bytes));
			else if (kind === 'symlink') found.set(path, new TextEncoder().encode(target));
			else if (kind === 'hardlink') {
				const first = found.get(absolute(target));
				if (first) found.set(path, first);
			}
		}
		return found;
	}
}

/** @param sizes bytes, by absolute path */
function toBatches(sizes: ReadonlyMap<string, number>): Map<string, Batch> {
	const batchOf = new Map<string, Batch>();
	let batch: Batch = { paths: [], bytes: 0 };
	let nameBytes = 0;
	for (const [path, size] of sizes) {
		nameBytes += Buffer.byteLength(path) + QUOTES;
		if (batch.paths.length > 0 && (batch.bytes + size > MAX_BYTES || nameBytes > MAX_NAME_BYTES)) {
			batch.next = { paths: [], bytes: 0 };
			batch = batch.next;
			nameBytes = 0;
		}
		batch.bytes += size;
		batch.paths.push(path);
		batchOf.set(path, batch);
	}
	return batchOf;
}

function membersOf(archive: Uint8Array): ReadMember[] {
	if (archive.length === 0) return [];
	try {
		return readTar(archive);
	} catch (error) {
		throw invalidAnswer(error instanceof Error ? error.message : String(error));
	}
}

const absolute = (name: string): string => name.replace(/^(?:\.?\/)?/, '/');
