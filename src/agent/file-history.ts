import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { EventOf } from './events.ts';

/** One write of one file: what was there before and after it. */
export interface FileVersion {
	/** Relative to the working directory. */
	path: string;
	/** Milliseconds since the epoch. */
	timestamp: number;
	by: EventOf<'file_change'>['by'];
	/** Blob ids; `null` where there was no file. */
	before: string | null;
	after: string | null;
}

const MOST_VERSIONS_OF_A_FILE = 200;
/** Those written last: an install may write a hundred times as many, and each costs time at every collection of garbage. */
const MOST_FILES = 20_000;
/** Bytes kept here for versions the environment may have let go of. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** What a version costs here besides its content, in bytes: it bounds how many small ones are kept. */
const COST = 2_048;

/** Each version of the files that a session wrote, whoever of it did: its tools, its shell, its subagents, the person. */
export class FileHistory {
	/** By path, the one written last at the end. */
	readonly #versions = new Map<string, FileVersion[]>();
	/** By blob id, the oldest first. */
	readonly #kept = new Map<string, Uint8Array>();
	#keptBytes = 0;

	constructor(private readonly environment: ExecutionEnvironment) {}

	add(version: FileVersion): void {
		const versions = this.#versions.get(version.path) ?? [];
		versions.push(version);
		if (versions.length > MOST_VERSIONS_OF_A_FILE) versions.shift();
		this.#versions.delete(version.path);
		this.#versions.set(version.path, versions);
		const [oldest] = this.#versions.keys();
		if (this.#versions.size > MOST_FILES && oldest !== undefined) this.#versions.delete(oldest);
	}

	/** The writes of one file, the oldest first. */
	of(path: string): readonly FileVersion[] {
		return this.#versions.get(path) ?? [];
	}

	paths(): string[] {
		return [...this.#versions.keys()];
	}

	/** The bytes of a version, from here or from the environment. Rejects with a sentence when neither has them any more. */
	async read(blob: string): Promise<Uint8Array> {
		const kept = this.#kept.get(blob);
		if (kept) return kept;
		const bytes = await this.environment.readBlob(blob);
		this.#keep(blob, bytes);
		return bytes;
	}

	/**
	 * Writes a version back, or removes the file where that version had none.
	 *
	 * @throws RangeError for a blob that is no version of this file
	 */
	async restore(path: string, blob: string | null): Promise<void> {
		const isVersion = this.of(path).some(({ before, after }) => before === blob || after === blob);
		if (!isVersion) throw new RangeError(`${path} has no such version. Take one of those its history lists.`);
		const absolute = `${this.environment.workingDirectory().replace(/\/$/, '')}/${path}`;
		if (blob !== null) await this.environment.writeFile(absolute, await this.read(blob));
		else if (await this.environment.fileExists(absolute)) await this.environment.remove(absolute);
	}

	#keep(blob: string, bytes: Uint8Array): void {
		if (bytes.length > KEPT_BYTES / 4) return;
		this.#kept.set(blob, bytes);
		this.#keptBytes += bytes.length + COST;
		for (const [oldest, { length }] of this.#kept) {
			if (this.#keptBytes <= KEPT_BYTES) return;
			this.#kept.delete(oldest);
			this.#keptBytes -= length + COST;
		}
	}
}
