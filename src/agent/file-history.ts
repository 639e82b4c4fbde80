import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { EventOf } from './events.ts';

/** One write of one file: its content before and after. */
export interface FileVersion {
	/** Relative to the working directory. */
	path: string;
	/** Milliseconds since the epoch. */
	timestamp: number;
	by: EventOf<'file_change'>['by'];
	/** Blob ids; `null` if the file did not exist. */
	before: string | null;
	after: string | null;
}

const MAX_VERSIONS_PER_FILE = 200;
/**
 * Limit for remembered files, newest first: an install may write a hundred times as many files, and each slows down
 * garbage collection.
 */
const MAX_FILES = 20_000;
/** Maximum bytes stored here for versions that the environment may have discarded. */
const STORED_BYTES = 32 * 1024 * 1024;
/** Overhead of a version besides its content, in bytes: it limits the number of small versions. */
const COST = 2_048;

/** History of the files that a session wrote, whether by its tools, its shell, its subagents or the user. */
export class FileHistory {
	/** Versions by path, most recently written file last. */
	readonly #versions = new Map<string, FileVersion[]>();
	/** Contents by blob id, oldest first. */
	readonly #kept = new Map<string, Uint8Array>();
	#storedBytes = 0;

	constructor(private readonly environment: ExecutionEnvironment) {}

	add(version: FileVersion): void {
		const versions = this.#versions.get(version.path) ?? [];
		versions.push(version);
		if (versions.length > MAX_VERSIONS_PER_FILE) versions.shift();
		this.#versions.delete(version.path);
		this.#versions.set(version.path, versions);
		const [oldest] = this.#versions.keys();
		if (this.#versions.size > MAX_FILES && oldest !== undefined) this.#versions.delete(oldest);
	}

	/** Versions of one file, oldest first. */
	of(path: string): readonly FileVersion[] {
		return this.#versions.get(path) ?? [];
	}

	paths(): string[] {
		return [...this.#versions.keys()];
	}

	/**
	 * Returns the bytes of a version, from memory or the environment. Rejects with a readable message if neither has
	 * them any more.
	 */
	async read(blob: string): Promise<Uint8Array> {
		const kept = this.#kept.get(blob);
		if (kept) return kept;
		const bytes = await this.environment.readBlob(blob);
		this.#keep(blob, bytes);
		return bytes;
	}

	/**
	 * Restores a version, or removes the file if it did not exist in that version.
	 *
	 * @throws RangeError for a blob that is not a version of this file
	 */
	async restore(path: string, blob: string | null): Promise<void> {
		const isVersion = this.of(path).some(({ before, after }) => before === blob || after === blob);
		if (!isVersion) throw new RangeError(`${path} has no such version. Take one of those its history lists.`);
		const absolute = `${this.environment.workingDirectory().replace(/\/$/, '')}/${path}`;
		if (blob !== null) await this.environment.writeFile(absolute, await this.read(blob));
		else if (await this.environment.fileExists(absolute)) await this.environment.remove(absolute);
	}

	#keep(blob: string, bytes: Uint8Array): void {
		if (bytes.length > STORED_BYTES / 4) return;
		this.#kept.set(blob, bytes);
		this.#storedBytes += bytes.length + COST;
		for (const [oldest, { length }] of this.#kept) {
			if (this.#storedBytes <= STORED_BYTES) return;
			this.#kept.delete(oldest);
			this.#storedBytes -= length + COST;
		}
	}
}
