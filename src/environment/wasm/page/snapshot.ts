import type { Snapshot } from '../../contract.ts';
import { PART_ITEMS } from '../parts.ts';
import type { Operations } from '../protocol.ts';

type WireSnapshot = Operations['snapshot']['result'];
type Entries = Snapshot['entries'];
export type SnapshotEntries = [path: string, entry: { mode: number; blob: string }][];
export type WireEntry = WireSnapshot['entries'][number];

/** The last snapshot a machine gave, so that the next one only has to say what changed. */
export class LastSnapshot {
	/** `''` before there is one. */
	id = '';
	#entries: Entries = new Map();

	/**
	 * @param arrived the entries of the answer, in its order
	 * @throws Error when the answer does not go on from this snapshot
	 */
	apply({ id, since, removed }: Omit<WireSnapshot, 'entries'>, arrived: SnapshotEntries): Snapshot {
		if (since !== '' && since !== this.id) throw new Error(`a snapshot from ${since} came after ${this.id}`);
		if (since === '') this.#entries = new Map(arrived);
		else {
			for (const path of removed) this.#entries.delete(path);
			if (arrived.some(([path]) => !this.#entries.has(path))) this.#entries = merged(this.#entries, arrived);
			else for (const [path, entry] of arrived) this.#entries.set(path, entry);
		}
		this.id = id;
		return { id, entries: new Map(this.#entries) };
	}
}

/** Both sorted by path, and so is the result. */
function merged(present: Entries, added: SnapshotEntries): Entries {
	const all: Entries = new Map();
	let next = 0;
	const addUntil = (path: string | null): void => {
		for (let entry = added[next]; entry && (path === null || entry[0] <= path); entry = added[++next]) {
			all.set(entry[0], entry[1]);
		}
	};
	for (const [path, entry] of present) {
		addUntil(path);
		if (!all.has(path)) all.set(path, entry);
	}
	addUntil(null);
	return all;
}

/** Sends snapshots to be restored, one after the other, each in pieces between which the page does its other work. */
export class Restores {
	#last: Promise<void> = Promise.resolve();

	/** Resolves when the last piece was answered. @param restore told whether more pieces follow */
	send(snapshot: Snapshot, restore: (piece: WireEntry[], more: boolean) => Promise<unknown>): Promise<void> {
		const sent = this.#last.then(async () => {
			let piece: WireEntry[] = [];
			for (const [path, { mode, blob }] of snapshot.entries) {
				piece.push([path, mode, blob]);
				if (piece.length < PART_ITEMS) continue;
				await restore(piece, true);
				piece = [];
			}
			await restore(piece, false);
		});
		// Whoever asked for this one is told; the next one is sent all the same.
		this.#last = sent.catch(() => {});
		return sent;
	}
}
