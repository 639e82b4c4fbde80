import type { Snapshot } from '#environment/contract.ts';
import { mergedEntries, type SnapshotEntries } from '#environment/merged-entries.ts';
import { PART_ITEMS } from '#environment/parts.ts';
import type { Operations } from '#computer/abi/protocol.ts';

type WireSnapshot = Operations['snapshot']['result'];
type Entries = Snapshot['entries'];
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
			this.#entries = await mergedEntries(present, removed, arrived);
		}
		this.id = id;
		return { id, entries: this.#entries };
	}
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
