import { readTar, type ReadMember } from '../archive/tar-format.ts';
import type { TreeEntry } from '../tree/entry.ts';
import type { JournalTree } from '../tree/journal.ts';
import { invalidAnswer, toEntries, toEntry } from './answers.ts';
import { CONTENT_BYTES, tooLarge, type Remote } from './remote.ts';

/** Limit for one archive: a line of a shell must hold the names, and this process the bytes. */
const MAX_NAME_BYTES = 60_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Files behind a prefix, as the journal and the snapshots read them. */
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

	/** Reads many in few steps: an answer holds as much as one archive may, from the asked file on. */
	ahead(sizes: ReadonlyMap<string, number>): (path: string) => Promise<Uint8Array | undefined> {
		const paths = [...sizes.keys()];
		const batchOf = new Map<string, string[]>();
		let batch: string[] = [];
		let bytes = 0;
		let names = 0;
		for (const path of paths) {
			bytes += sizes.get(path) ?? 0;
			names += Buffer.byteLength(path) + 8;
			if (batch.length > 0 && (bytes > MAX_BYTES || names > MAX_NAME_BYTES)) {
				batch = [];
				bytes = sizes.get(path) ?? 0;
				names = 0;
			}
			batch.push(path);
			batchOf.set(path, batch);
		}
		let last: { batch: string[]; read: Promise<Map<string, Uint8Array>> } | undefined;
		return async (path) => {
			const wanted = batchOf.get(path);
			if (!wanted) return this.read(path);
			if ((sizes.get(path) ?? 0) > CONTENT_BYTES) throw tooLarge(path);
			if (last?.batch !== wanted) last = { batch: wanted, read: this.#pack(wanted) };
			return (await last.read).get(path);
		};
	}

	/** Returns contents by absolute path; unreadable files are left out. */
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

function membersOf(archive: Uint8Array): ReadMember[] {
	if (archive.length === 0) return [];
	try {
		return readTar(archive);
	} catch (error) {
		throw invalidAnswer(error instanceof Error ? error.message : String(error));
	}
}

const absolute = (name: string): string => name.replace(/^(?:\.?\/)?/, '/');
