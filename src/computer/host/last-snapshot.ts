import type { Snapshot } from '#environment/contract.ts';
import { mergedEntries, type SnapshotEntries } from '#environment/merged-entries.ts';
import { PART_ITEMS } from '#environment/parts.ts';
import type { Operations } from '#computer/abi/protocol.ts';

type WireSnapshot = Operations['snapshot']['result'];
type Entries = Snapshot['entries'];
export type WireEntry = WireSnapshot['entries'][number];

/** Last snapshot taken of a machine, so that the next answer only has to contain the changes. */
export class LastSnapshot {
	/** `''` before there is one. */
	id = '';
	/** Immutable: receivers of the snapshot share them. */
	#entries: Entries = new Map();

	/**
	 * Applies an answer; calls are queued.
	 *
	 * @param arrived entries of the answer, in its order
	 * @param removed paths to remove, already as a set: building one from very many takes long
	 * @throws Error if the answer does not continue from this snapshot
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

/** Sends snapshots to be restored one after the other, each in pieces so that the page can do other work in between. */
export class Restores {
	#last: Promise<void> = Promise.resolve();

	/** Resolves when the last piece was answered. @param restore receives each piece and whether more follow */
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
		// The caller of this one receives the failure; the next one is sent regardless.
		this.#last = sent.catch(() => {});
		return sent;
	}
}
