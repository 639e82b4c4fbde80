import { branchPath } from './branch-path.ts';
import type { EntryBody, SessionEntry, SessionLog } from './session-log.ts';

/** Version of newly written entries; older logs are migrated when they are read. */
export const SESSION_LOG_VERSION = 3;

/** Session log in memory: the library's default. */
export class MemoryLog implements SessionLog {
	readonly #entries = new Map<string, SessionEntry>();
	#leaf: string | null = null;

	/** @param entries of an existing log, oldest first; the last one becomes the leaf */
	constructor(entries: readonly SessionEntry[] = []) {
		for (const entry of entries) {
			this.#entries.set(entry.id, entry);
			this.#leaf = entry.id;
		}
	}

	append(body: EntryBody): string {
		const id = crypto.randomUUID();
		this.#entries.set(id, { id, parentId: this.#leaf, timestamp: Date.now(), ...body });
		this.#leaf = id;
		return id;
	}

	flush(): Promise<void> {
		return Promise.resolve();
	}

	branch(): SessionEntry[] {
		return branchPath(this.#entries, this.#leaf);
	}

	entries(): SessionEntry[] {
		return [...this.#entries.values()];
	}

	leafId(): string | null {
		return this.#leaf;
	}

	/** @throws RangeError if there is no such entry */
	moveTo(entryId: string): void {
		if (!this.#entries.has(entryId)) throw new RangeError(`There is no entry ${entryId} in this session.`);
		this.#leaf = entryId;
	}
}
