import type { Snapshot } from '../../contract.ts';
import { Stretches } from '../../stretches.ts';
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
	/** Never changed, since whoever took the snapshot has them too. */
	#entries: Entries = new Map();

	/**
	 * One after the other.
	 *
	 * @param arrived the entries of the answer, in its order
	 * @param removed the paths it takes away; a set, which of very many takes long to make
	 * @throws Error when the answer does not go on from this snapshot
	 */
	async apply(
		{ id, since }: Pick<WireSnapshot, 'id' | 'since'>,
		arrived: SnapshotEntries,
		removed: ReadonlySet<string>
	): Promise<Snapshot> {
		if (since !== '' && since !== this.id) throw new Error(`a snapshot from ${since} came after ${this.id}`);
		const present: Entries = since === '' ? new Map() : this.#entries;
		if (present.size === 0 || arrived.length > 0 || removed.size > 0) {
			const entries: Entries = new Map();
			const stretches = new Stretches();
			for (const each of merged(present, removed, arrived)) {
				if (stretches.areOver()) await stretches.pause();
				if (each) entries.set(...each);
			}
			this.#entries = entries;
		}
		this.id = id;
		return { id, entries: this.#entries };
	}
}

/** Both sorted by path, and so is the result; `null` in the place of what was removed. */
function* merged(
	present: Entries,
	removed: ReadonlySet<string>,
	arrived: SnapshotEntries
): Generator<SnapshotEntries[number] | null> {
	let next = 0;
	for (const [path, entry] of present) {
		for (let added = arrived[next]; added && added[0] < path; added = arrived[++next]) yield added;
		const changed = arrived[next];
		if (changed?.[0] === path) {
			yield changed;
			next++;
		} else yield removed.has(path) ? null : [path, entry];
	}
	for (; next < arrived.length; next++) yield arrived[next]!;
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
