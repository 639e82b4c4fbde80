import type { SyncSyscalls } from '#computer/abi/client.ts';
import { basename, dirname, isWithin, normalize, WRITABLE_ROOTS } from '#computer/abi/paths.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';

/** Largest file whose bytes are cached, and limit for all cached bytes. */
const FILE_BYTES = 1024 * 1024;
const TOTAL_BYTES = 32 * 1024 * 1024;
/** Maximum number of paths noted as requested; then the notes are cleared. */
const NOTED = 20_000;

/**
 * Number of missing files of a directory that are requested individually. For more, the directory's entries are read.
 */
const PROBES = 3;

/** Cached answers for one path. The path is real: it contains no symbolic links. */
interface Known {
	/** `null` if nothing exists there. */
	stat?: WireStat | null;
	bytes?: Uint8Array;
	/** Name → entry of a directory. */
	entries?: ReadonlyMap<string, WireDirent>;
	real?: string;
}

type Answer<Field extends keyof Known> = Exclude<Known[Field], undefined>;

/**
 * Wraps calls with a cache of what they read. Loaders, test runners and build tools request the same files again and
 * again, and each call costs more than its answer.
 *
 * A path is cached from the second time it is requested, so that reading something once costs nothing extra. Only real
 * paths below the writable roots are cached, since changes are reported by these. Before an answer is reused, the
 * counter of changes is checked, and if it has moved, changed paths are requested and evicted. Errors are not cached.
 *
 * @param generation counter of the volume's changes
 * @param asked number of the asynchronous calls that this process has made: a call sees the changes of earlier calls
 */
export function rememberReads(sync: SyncSyscalls, generation: () => number, asked = () => 0): SyncSyscalls {
	const memory = new Memory(sync, generation, asked);
	// An answer cached under a real path is not a symbolic link, so that both calls have the same answer.
	const statOf = (path: string, read: () => WireStat | null) => {
		const stat = memory.ask(path, 'stat', read);
		return stat && { ...stat };
	};
	return {
		...sync,
		stat: (path) => statOf(path, () => sync.stat(path)) ?? sync.stat(path),
		lstat: (path) => statOf(path, () => sync.lstat(path)) ?? sync.lstat(path),
		statOrNull: (path) => (memory.isMissing(path) ? null : statOf(path, () => memory.look(path))),
		readdir: (path) => [...memory.entries(path).values()],
		realpath: (path) => memory.ask(path, 'real', () => sync.realpath(path)),
		readFile(path, position, length) {
			if ((position ?? 0) !== 0 || length !== undefined) return sync.readFile(path, position, length);
			// The caller may modify the result.
			return memory.ask(path, 'bytes', () => sync.readFile(path)).slice();
		}
	};
}

/**
 * Returns whether answers for this path may be cached: any other spelling is not the real path of something that can
 * change.
 */
const mayBeKept = (path: string): boolean =>
	normalize(path) === path && WRITABLE_ROOTS.some((root) => root !== path && isWithin(path, root));

/** Programs may pass any value. */
const isText = (path: unknown): path is string => typeof path === 'string';

class Memory {
	readonly #sync: SyncSyscalls;
	readonly #generation: () => number;
	readonly #asked: () => number;
	/** Directory → name → cached answers. */
	readonly #directories = new Map<string, Map<string, Known>>();
	/** Directory → number of requested files that were missing. */
	readonly #probes = new Map<string, number>();
	/** Maps requested paths to whether they may be cached the next time. */
	readonly #noted = new Map<string, boolean>();
	#bytes = 0;
	/** Change up to which all cached answers are valid, and number of asynchronous calls included in these. */
	#at: number;
	#answered: number;

	constructor(sync: SyncSyscalls, generation: () => number, asked: () => number) {
		this.#sync = sync;
		this.#generation = generation;
		this.#asked = asked;
		this.#at = generation();
		this.#answered = asked();
	}

	/** @throws errors of `read` */
	ask<Field extends keyof Known>(path: string, field: Field, read: () => Answer<Field>): Answer<Field> {
		// The kernel reports the error for anything else.
		if (!isText(path)) return read();
		const known = this.#current(path)?.[field];
		if (known !== undefined) return known as Answer<Field>;
		const before = this.#generation();
		const answer = read();
		const note = `${field} ${path}`;
		const mayKeep = this.#noted.get(note);
		if (mayKeep === undefined) this.#note(note, mayBeKept(path));
		else if (mayKeep) {
			const holds = this.#holds(path, answer);
			if (!holds) this.#note(note, false);
			else if (this.#generation() === before) this.#keep(path, field, answer);
		}
		return answer;
	}

	/** @throws as `readdir` does */
	entries(path: string): ReadonlyMap<string, WireDirent> {
		return this.ask(path, 'entries', () => new Map(this.#sync.readdir(path).map((entry) => [entry.name, entry])));
	}

	/** Returns the stat of a path. Loaders try one extension after the other, and most of these files are missing. */
	look(path: string): WireStat | null {
		const stat = this.#sync.statOrNull(path);
		if (stat) return stat;
		const directory = dirname(path);
		const probes = (this.#probes.get(directory) ?? 0) + 1;
		if (this.#probes.size >= NOTED) this.#probes.clear();
		this.#probes.set(directory, probes);
		if (probes >= PROBES && mayBeKept(path)) this.#isFree(path);
		return null;
	}

	/** Returns whether the cached entries of its directory show that nothing exists at the path. */
	isMissing(path: string): boolean {
		if (!isText(path)) return false;
		const directory = dirname(path);
		const name = basename(path);
		if (directory === path || name === '' || name === '.' || name === '..') return false;
		const entries = this.#current(directory)?.entries;
		return entries ? !entries.has(name) : this.isMissing(directory);
	}

	/** Finds a cached answer that is still valid. */
	#current(path: string): Known | undefined {
		const known = this.#find(path);
		const [now, asked] = [this.#generation(), this.#asked()];
		if (!known || (now === this.#at && asked === this.#answered)) return known;
		// Answered after the calls that are in flight.
		this.#forget(this.#sync.changedSince(this.#at));
		this.#at = now;
		this.#answered = asked;
		return this.#find(path);
	}

	#find(path: string): Known | undefined {
		return this.#directories.get(dirname(path))?.get(basename(path));
	}

	#note(note: string, mayKeep: boolean): void {
		if (this.#noted.size >= NOTED) this.#noted.clear();
		this.#noted.set(note, mayKeep);
	}

	/** Returns whether an answer may be cached under its path: changes are reported by real paths. */
	#holds(path: string, answer: Known[keyof Known]): boolean {
		if (answer instanceof Uint8Array && answer.length > FILE_BYTES) return false;
		if (typeof answer === 'string') return answer === path;
		return answer === null ? this.#isFree(path) : this.#isReal(path);
	}

	#isReal(path: string): boolean {
		try {
			return this.ask(path, 'real', () => this.#sync.realpath(path)) === path;
		} catch {
			// It was removed meanwhile.
			return false;
		}
	}

	/**
	 * Returns whether nothing exists at the path or, if its directory is missing, there: a dangling symbolic link
	 * counts as existing.
	 */
	#isFree(path: string): boolean {
		const directory = dirname(path);
		if (directory === '/') return false;
		if (!this.#isReal(directory)) return this.#isFree(directory);
		try {
			return !this.entries(directory).has(basename(path));
		} catch {
			// Not a directory, or one that may not be listed.
			return false;
		}
	}

	#keep<Field extends keyof Known>(path: string, field: Field, answer: Answer<Field>): void {
		if (answer instanceof Uint8Array) {
			if (this.#bytes + answer.length > TOTAL_BYTES) this.#clear();
			this.#bytes += answer.length;
		}
		const directory = dirname(path);
		const names = this.#directories.get(directory) ?? new Map<string, Known>();
		this.#directories.set(directory, names);
		names.set(basename(path), { ...names.get(basename(path)), [field]: answer });
	}

	/** @param changed real paths, a directory for everything below it; `null` if there are too many */
	#forget(changed: readonly string[] | null): void {
		if (changed === null) return this.#clear();
		for (const path of changed) {
			this.#forgetOne(path);
			// The entries and times of the parent directory have changed.
			this.#forgetOne(dirname(path));
			for (const directory of this.#directories.keys()) if (isWithin(directory, path)) this.#forgetAll(directory);
		}
	}

	#forgetOne(path: string): void {
		const names = this.#directories.get(dirname(path));
		this.#bytes -= names?.get(basename(path))?.bytes?.length ?? 0;
		names?.delete(basename(path));
	}

	#forgetAll(directory: string): void {
		for (const { bytes } of this.#directories.get(directory)?.values() ?? []) this.#bytes -= bytes?.length ?? 0;
		this.#directories.delete(directory);
	}

	#clear(): void {
		this.#directories.clear();
		this.#bytes = 0;
	}
}
