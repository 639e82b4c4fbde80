import type { Snapshot } from '#environment/contract.ts';
import { BlobMap } from './blob-map.ts';

type Entries = Snapshot['entries'];

const LOOKED_AT_ONCE = 4_000;

/** Size of new contents after which unreferenced old ones are collected. */
const SWEEP_BYTES = 64 * 1024 * 1024;
/** Size of unreferenced snapshot contents that are retained, newest first: their ids may still be known. */
const SPARE_BYTES = 32 * 1024 * 1024;

/**
 * Contents of the snapshots of a machine, so that they survive its kernel. Contents of a snapshot are retained while
 * its entries are referenced; of the others only the newest are.
 */
export class RetainedBlobs {
	readonly #blobs = new BlobMap<Uint8Array>();
	#held = new Set<WeakRef<Entries>>();
	#lastHeld: WeakRef<Entries> | null = null;
	#newBytes = 0;
	/** During a collection: contents without a reference so far. */
	#unheld: BlobMap<Uint8Array> | null = null;

	constructor(
		private readonly sweepBytes = SWEEP_BYTES,
		private readonly spareBytes = SPARE_BYTES
	) {}

	get(blob: string): Uint8Array | undefined {
		return this.#blobs.get(blob);
	}

	add(blob: string, bytes: Uint8Array): void {
		if (!this.#blobs.get(blob)) this.#newBytes += bytes.length;
		this.#blobs.set(blob, bytes);
		this.#unheld?.delete(blob);
	}

	/** Retains the contents that these entries refer to while the entries are referenced. */
	hold(entries: Entries): void {
		if (entries === this.#lastHeld?.deref()) return;
		this.#lastHeld = new WeakRef(entries);
		this.#held.add(this.#lastHeld);
	}

	/**
	 * Drops unreferenced contents if many were added since the last time.
	 *
	 * @param pause called between two snapshots, and within one that refers to very many files
	 * @returns ids of dropped contents
	 */
	async sweep(pause: () => Promise<void>): Promise<string[]> {
		if (this.#newBytes < this.sweepBytes || this.#unheld) return [];
		this.#newBytes = 0;
		const unheld = (this.#unheld = new BlobMap(this.#blobs));
		let looked = 0;
		// The set may grow during the iteration: snapshots taken meanwhile are visited too.
		for (const reference of this.#held) {
			const entries = reference.deref();
			if (!entries) this.#held.delete(reference);
			else
				for (const { blob } of entries.values()) {
					if (++looked % LOOKED_AT_ONCE === 0) await pause();
					unheld.delete(blob);
				}
			await pause();
		}
		this.#unheld = null;
		return this.#dropOldest(unheld);
	}

	#dropOldest(unheld: BlobMap<Uint8Array>): string[] {
		let bytes = 0;
		for (const [, { length }] of unheld) bytes += length;
		const gone: string[] = [];
		for (const [blob, { length }] of unheld) {
			if (bytes <= this.spareBytes) break;
			bytes -= length;
			this.#blobs.delete(blob);
			gone.push(blob);
		}
		return gone;
	}
}
