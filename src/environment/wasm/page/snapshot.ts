import type { Snapshot } from '../../contract.ts';
import type { Operations } from '../protocol.ts';

type WireSnapshot = Operations['snapshot']['result'];
type Entries = Snapshot['entries'];

/** The last snapshot a machine gave, so that the next one only has to say what changed. */
export class LastSnapshot {
	/** `''` before there is one. */
	id = '';
	#entries: Entries = new Map();

	/** @throws Error when `difference` is not from this snapshot */
	apply({ id, since, entries, removed }: WireSnapshot): Snapshot {
		if (since !== '' && since !== this.id) throw new Error(`a snapshot from ${since} came after ${this.id}`);
		if (since === '') this.#entries = new Map(entries.map(([path, mode, blob]) => [path, { mode, blob }]));
		else {
			for (const path of removed) this.#entries.delete(path);
			if (entries.some(([path]) => !this.#entries.has(path))) this.#entries = merged(this.#entries, entries);
			else for (const [path, mode, blob] of entries) this.#entries.set(path, { mode, blob });
		}
		this.id = id;
		return { id, entries: new Map(this.#entries) };
	}
}

/** Both sorted by path, and so is the result. */
function merged(present: Entries, added: WireSnapshot['entries']): Entries {
	const all: Entries = new Map();
	let next = 0;
	const addUntil = (path: string | null): void => {
		for (let entry = added[next]; entry && (path === null || entry[0] <= path); entry = added[++next]) {
			all.set(entry[0], { mode: entry[1], blob: entry[2] });
		}
	};
	for (const [path, entry] of present) {
		addUntil(path);
		if (!all.has(path)) all.set(path, entry);
	}
	addUntil(null);
	return all;
}

export function toWireEntries({ entries }: Snapshot): WireSnapshot['entries'] {
	return [...entries].map(([path, { mode, blob }]) => [path, mode, blob]);
}
