import { StorageFullError, type AppendFile, type AppendFolder } from '#session/storage/append-file.ts';
import { LockedError } from '#session/storage/client.ts';
import type { Media } from '#session/storage/media.ts';

/** Thrown if a tab dies in the middle of a write. */
export class TabDied extends Error {
	override readonly name = 'TabDied';
}

interface Stored {
	bytes: Uint8Array;
	/** Number of bytes guaranteed by a flush. */
	durable: number;
	/** The tab that has it open. */
	holder: object | null;
}

/**
 * A disk shared by several tabs that fails on demand, in every way its contract allows: data appended but not flushed
 * may be lost in a power cut, independently for each file; a write may be torn; the disk may be full.
 */
export class FaultyDisk {
	readonly #files = new Map<string, Stored>();
	readonly #dead = new WeakSet();
	/** Number of bytes that still fit. */
	room = Infinity;
	/** The next append writes this fraction of its bytes, then the tab dies. */
	tear: number | null = null;

	/** The disk as seen by one tab. */
	media(tab: object): Media {
		const folderOf = (id: string): AppendFolder => ({
			open: async (name) => this.#open(`${id}/${name}`, tab),
			readWhole: async (name) => this.#files.get(`${id}/${name}`)?.bytes ?? null
		});
		return {
			folderOf: async (id) => ({ folder: folderOf(id), medium: 'opfs' }),
			remove: async (id) => {
				if (this.#dead.has(tab)) throw new TabDied();
				for (const path of this.#files.keys()) if (path.startsWith(`${id}/`)) this.#files.delete(path);
			}
		};
	}

	/** Pending operations of a dead tab do not happen. */
	isDead(tab: object): boolean {
		return this.#dead.has(tab);
	}

	/** The tab is gone: its files are released. Written bytes stay. */
	kill(tab: object): void {
		this.#dead.add(tab);
		for (const file of this.#files.values()) if (file.holder === tab) file.holder = null;
		this.tear = null;
	}

	/** @param share fraction of a file's unflushed bytes that survives, 0 to 1, called for each file */
	powerCut(share: () => number): void {
		for (const file of this.#files.values()) {
			file.bytes = file.bytes.slice(0, file.durable + Math.floor((file.bytes.length - file.durable) * share()));
			file.durable = file.bytes.length;
			if (file.holder) this.#dead.add(file.holder);
			file.holder = null;
		}
		this.tear = null;
	}

	/** The browser deletes the origin's files. */
	evict(): void {
		this.#files.clear();
	}

	#open(name: string, tab: object): AppendFile {
		if (this.#dead.has(tab)) throw new TabDied();
		const file = this.#files.get(name) ?? { bytes: new Uint8Array(), durable: 0, holder: null };
		this.#files.set(name, file);
		if (file.holder) throw new LockedError();
		file.holder = tab;
		const alive = () => {
			if (file.holder !== tab) throw new TabDied();
		};
		return {
			size: () => file.bytes.length,
			read: async (offset, length) => file.bytes.slice(offset, offset + length),
			append: async (bytes) => {
				alive();
				if (bytes.length > this.room) throw new StorageFullError();
				this.room -= bytes.length;
				const whole = this.tear === null;
				file.bytes = join(file.bytes, whole ? bytes : bytes.subarray(0, Math.floor(bytes.length * (this.tear ?? 1))));
				if (whole) return;
				this.kill(tab);
				throw new TabDied();
			},
			truncate: async (size) => {
				alive();
				file.bytes = file.bytes.slice(0, size);
				file.durable = Math.min(file.durable, size);
			},
			flush: async () => {
				alive();
				file.durable = file.bytes.length;
			},
			close: async () => {
				alive();
				file.holder = null;
			}
		};
	}
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
	const joined = new Uint8Array(first.length + second.length);
	joined.set(first);
	joined.set(second, first.length);
	return joined;
}
