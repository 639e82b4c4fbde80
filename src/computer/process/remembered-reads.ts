import type { SyncSyscalls } from '#computer/abi/client.ts';
import { basename, dirname, isWithin, normalize, WRITABLE_ROOTS } from '#computer/abi/paths.ts';
import type { WireDirent, WireStat } from '#computer/abi/syscalls.ts';

/** Largest file whose bytes are kept, and all kept bytes together. */
const FILE_BYTES = 1024 * 1024;
const TOTAL_BYTES = 32 * 1024 * 1024;
/** Paths that are noted as asked for; beyond it the notes begin again. */
const NOTED = 20_000;

/** Number of missing files of a directory that are asked for one by one. For more, the names of all that it has are. */
const PROBES = 3;

/** Answers about one path. Its text is the real path: no symbolic link is on the way or at its end. */
interface Known {
	/** `null` where nothing is. */
	stat?: WireStat | null;
	bytes?: Uint8Array;
	/** Name → entry of a directory. */
	entries?: ReadonlyMap<string, WireDirent>;
	real?: string;
}

type Answer<Field extends keyof Known> = Exclude<Known[Field], undefined>;

/**
 * Calls that remember what they have read. Loaders, test runners and build tools ask for the same files again and
 * again, and each call costs more than its answer.
 *
 * A path is remembered from the second time it is asked for, so that what is read once costs nothing more. Only real
 * paths below the writable roots are, since changes are named by these. Before an answer is used again, the counter of
 * changes is looked at, and if it has moved on, what has changed is asked for and forgotten. Errors are not remembered.
 *
 * @param generation counter of the volume's changes
 * @param asked number of the asynchronous calls that this process has made: a call sees the changes of those before it
 */
export function rememberReads(sync: SyncSyscalls, generation: () => number, asked = () => 0): SyncSyscalls {
	const memory = new Memory(sync, generation, asked);
	// What is remembered under a real path is no symbolic link, so that both calls have the same answer.
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
			// The caller may change what it gets.
			return memory.ask(path, 'bytes', () => sync.readFile(path)).slice();
		}
	};
}

/** Returns whether answers under this path may be kept: no other text is the real path of anything that can change. */
const mayBeKept = (path: string): boolean =>
	normalize(path) === path && WRITABLE_ROOTS.some((root) => root !== path && isWithin(path, root));

/** Programs pass whatever they have. */
const isText = (path: unknown): path is string => typeof path === 'string';

class Memory {
	readonly #sync: SyncSyscalls;
	readonly #generation: () => number;
	readonly #asked: () => number;
	/** Directory → name → what is known of it. */
	readonly #directories = new Map<string, Map<string, Known>>();
	/** Directory → files asked for that were not there. */
	readonly #probes = new Map<string, number>();
	/** Maps what has been asked for to whether it may be remembered the next time. */
	readonly #noted = new Map<string, boolean>();
	#bytes = 0;
	/** The change up to which everything that is remembered holds, and the asynchronous calls that are among these. */
	#at: number;
	#answered: number;

	constructor(sync: SyncSyscalls, generation: () => number, asked: () => number) {
		this.#sync = sync;
		this.#generation = generation;
		this.#asked = asked;
		this.#at = generation();
		this.#answered = asked();
	}

	/** @throws what `read` throws */
	ask<Field extends keyof Known>(path: string, field: Field, read: () => Answer<Field>): Answer<Field> {
		// The kernel says what is wrong with anything else.
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

	/** Asks what is at a path. Loaders try one ending after the other, most of which are missing. */
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

	/** Returns whether the names of a directory that are known say that nothing is there. */
	isMissing(path: string): boolean {
		if (!isText(path)) return false;
		const directory = dirname(path);
		const name = basename(path);
		if (directory === path || name === '' || name === '.' || name === '..') return false;
		const entries = this.#current(directory)?.entries;
		return entries ? !entries.has(name) : this.isMissing(directory);
	}

	/** Finds what is known and still holds. */
	#current(path: string): Known | undefined {
		const known = this.#find(path);
		const [now, asked] = [this.#generation(), this.#asked()];
		if (!known || (now === this.#at && asked === this.#answered)) return known;
		// Answered behind the calls that are on their way.
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

	/** Returns whether an answer may be kept under its path: changes are named by real paths. */
	#holds(path: string, answer: Known[keyof Known]): boolean {
		if (answer instanceof Uint8Array && answer.length > FILE_BYTES) return false;
		if (typeof answer === 'string') return answer === path;
		return answer === null ? this.#isFree(path) : this.#isReal(path);
	}

	#isReal(path: string): boolean {
		try {
			return this.ask(path, 'real', () => this.#sync.realpath(path)) === path;
		} catch {
			// It has gone meanwhile.
			return false;
		}
	}

	/** Returns whether nothing is there or, where its directory is missing, there: a symbolic link that leads nowhere is something. */
	#isFree(path: string): boolean {
		const directory = dirname(path);
		if (directory === '/') return false;
		if (!this.#isReal(directory)) return this.#isFree(directory);
		try {
			return !this.entries(directory).has(basename(path));
		} catch {
			// No directory, or one that may not be listed.
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

	/** @param changed real paths, directories for all below them; `null` for too many */
	#forget(changed: readonly string[] | null): void {
		if (changed === null) return this.#clear();
		for (const path of changed) {
			this.#forgetOne(path);
			// The entries and the times of the directory are others.
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
