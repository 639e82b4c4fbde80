import { PREPARED_BYTES } from '#computer/abi/limits.ts';
import type { Rights } from '#environment/contract.ts';

/** Maximum number of sets of rights whose memories are kept; the oldest is evicted first. */
const MOST = 8;
/** Fill level above which the next command gets a new memory: what is added to a full one is lost. */
const NEARLY_FULL = 0.75;

/**
 * Memories with prepared ES modules, one for each set of rights: a command finds modules that an earlier one with the
 * same rights has prepared. A program with other rights never reads what another one has written.
 */
export class PreparedMemories {
	readonly #byRights = new Map<string, SharedArrayBuffer>();

	/**
	 * Returns the memory of these rights.
	 *
	 * @param rights `null`: all rights
	 * @returns `null` in browsers whose shared memory cannot grow
	 */
	of(rights: Rights | null): SharedArrayBuffer | null {
		if (!('grow' in SharedArrayBuffer.prototype)) return null;
		const key = JSON.stringify(rights);
		const known = this.#byRights.get(key);
		if (known && !isNearlyFull(known)) return known;
		const made = new SharedArrayBuffer(PREPARED_BYTES.first, { maxByteLength: PREPARED_BYTES.most });
		this.#byRights.delete(key);
		this.#byRights.set(key, made);
		for (const oldest of this.#byRights.keys()) {
			if (this.#byRights.size <= MOST) break;
			this.#byRights.delete(oldest);
		}
		return made;
	}

	/** Drops all of them: nothing that a program prepared outlives the files that it left. */
	forget(): void {
		this.#byRights.clear();
	}
}

/** A program may have written any number into the memory. */
function isNearlyFull(memory: SharedArrayBuffer): boolean {
	const used = Atomics.load(new Int32Array(memory, 0, 1), 0);
	return used < 0 || used > memory.maxByteLength * NEARLY_FULL;
}
