import type { Snapshot } from '#environment/contract.ts';
import type { SnapshotEntries } from '#environment/merged-entries.ts';
import { nextTask } from '#environment/time-slice.ts';
import { slices } from '#environment/parts.ts';
import { WORKSPACE } from '#computer/abi/paths.ts';
import { RetainedBlobs } from './retained-blobs.ts';
import type { KernelPort } from './kernel-port.ts';
import { LastSnapshot, Restores, type WireEntry } from './last-snapshot.ts';

/** Snapshots of one machine, with their contents, as the page uses them. */
export class PageSnapshots {
	#last = new LastSnapshot();
	readonly #blobs = new RetainedBlobs();
	readonly #restores = new Restores();
	#kernelIsNew = false;
	/** One at a time: each continues from the previous one. */
	#taking: Promise<void> = Promise.resolve();

	/** @param bytesAt returns the bytes at an absolute path, according to the journal */
	constructor(private readonly bytesAt: (path: string) => Uint8Array | undefined) {}

	/** The kernel is gone. The next one does not know any of the earlier snapshots. */
	lost(): void {
		this.#last = new LastSnapshot();
		this.#kernelIsNew = true;
	}

	/** Rejects as `request` of `kernel` does. */
	take(kernel: KernelPort): Promise<Snapshot> {
		const taken = this.#taking.then(() => this.#take(kernel));
		this.#taking = taken.then(
			() => {},
			() => {
				// The caller of this one receives the failure; the next one is taken regardless.
			}
		);
		return taken;
	}

	async #take(kernel: KernelPort): Promise<Snapshot> {
		const last = this.#last;
		const entries: SnapshotEntries = [];
		const removed = new Set<string>();
		const arrived = (part: { entries: WireEntry[]; removed: string[] }): void => {
			for (const path of part.removed) removed.add(path);
			for (const [path, mode, blob] of part.entries) {
				entries.push([path, { mode, blob }]);
				// The journal is ahead of every answer, so these are the bytes of the snapshot.
				const bytes = this.bytesAt(`${WORKSPACE}/${path}`);
				if (bytes && blob !== '') this.#blobs.add(blob, bytes);
			}
		};
		const { id, since } = await kernel.requestInParts('snapshot', arrived, last.id);
		const snapshot = await last.apply({ id, since }, entries, removed);
		this.#blobs.hold(snapshot.entries);
		void this.#forget(kernel);
		return snapshot;
	}

	/** Rejects with `ENOENT`, before anything is changed, if a content is no longer available. */
	async restore(kernel: KernelPort, snapshot: Snapshot): Promise<void> {
		if (this.#kernelIsNew) await this.#giveBlobs(kernel, snapshot);
		await this.#restores.send(snapshot, (piece, more) => kernel.request('restore', piece, more));
	}

	async read(kernel: KernelPort, blob: string): Promise<Uint8Array> {
		return this.#blobs.get(blob)?.slice() ?? kernel.request('readBlob', blob);
	}

	async #giveBlobs(kernel: KernelPort, snapshot: Snapshot): Promise<void> {
		const ids = new Set([...snapshot.entries.values()].map(({ blob }) => blob));
		for (const id of ids) {
			const bytes = this.#blobs.get(id);
			// May be part of a larger buffer, which would be sent along.
			if (bytes) await kernel.request('putBlobs', [bytes.slice()]);
		}
	}

	async #forget(kernel: KernelPort): Promise<void> {
		const gone = await this.#blobs.sweep(nextTask);
		for (const piece of slices(gone)) {
			await kernel.request('forgetBlobs', piece).catch(() => {
				// The kernel is gone, and its blobs with it.
			});
		}
	}
}
