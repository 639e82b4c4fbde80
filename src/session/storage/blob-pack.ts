import { blobId, fromHex, toHex } from '#environment/blob-id.ts';
import type { AppendFile } from './append-file.ts';

/** Start of a record: `SGB1`, the content's length (big-endian), the id's 20 bytes, the content, `\n`. */
const MAGIC = 0x53474231;
const HEADER_BYTES = 28;
/** Maximum bytes of adjacent records that are copied together, not counting the last one. */
const COPY_BYTES = 4_000_000;

/** Bytes searched at once for the next complete record. */
const SEARCH_BYTES = 1_000_000;

interface Place {
	offset: number;
	length: number;
}

/** Called with the end of a file before it is cut off. */
export type KeepEnd = (end: Uint8Array) => Promise<void>;

/**
 * All contents of one session in one file, each once, by git blob id. The index is rebuilt from the headers
 * when the file is opened; a torn last record is cut off, and damage in between is skipped. A content is
 * checked against its id whenever it is read.
 */
export class BlobPack {
	readonly #file: AppendFile;
	readonly #index: Map<string, Place>;
	/** Contents that have been verified against their ids. */
	readonly #checked = new Set<string>();
	/** Index by actual content, built when a content does not match its id. */
	#actual: Map<string, Place> | null = null;

	private constructor(file: AppendFile, index: Map<string, Place>) {
		this.#file = file;
		this.#index = index;
	}

	/**
	 * Opens a pack and rebuilds its index.
	 * @param keepEnd called with the bytes cut off the end; if absent, they are lost
	 */
	static async open(file: AppendFile, keepEnd?: KeepEnd): Promise<BlobPack> {
		const index = new Map<string, Place>();
		let last: { id: string; start: number } | null = null;
		let position = 0;
		while (position < file.size()) {
			const record = await readHeader(file, position);
			if (record) {
				index.set(record.id, { offset: position + HEADER_BYTES, length: record.length });
				last = { id: record.id, start: position };
				position += HEADER_BYTES + record.length + 1;
				continue;
			}
			// A damaged length may have skipped complete records.
			const isLastWhole: boolean = last === null || (await isWhole(file, last.start));
			if (last && !isLastWhole) index.delete(last.id);
			const next = await findWhole(file, last && !isLastWhole ? last.start + 1 : position);
			if (next === null) {
				await keepEnd?.(await file.read(position, file.size() - position));
				await file.truncate(position);
				break;
			}
			last = null;
			position = next;
		}
		return new BlobPack(file, index);
	}

	/** Number of contents. */
	get count(): number {
		return this.#index.size;
	}

	has(id: string): boolean {
		return this.#index.has(id);
	}

	/** Adds contents that are missing or damaged, in one write. */
	async add(blobs: { id: string; bytes: Uint8Array }[]): Promise<void> {
		const fresh = new Map<string, Uint8Array>();
		for (const { id, bytes } of blobs)
			if (!this.#index.has(id) || (!this.#checked.has(id) && (await this.read(id)) === null)) fresh.set(id, bytes);
		if (fresh.size === 0) return;
		let total = 0;
		for (const bytes of fresh.values()) total += HEADER_BYTES + bytes.length + 1;
		const written = new Uint8Array(total);
		const view = new DataView(written.buffer);
		const places: [string, { offset: number; length: number }][] = [];
		const start = this.#file.size();
		let at = 0;
		for (const [id, bytes] of fresh) {
			view.setUint32(at, MAGIC);
			view.setUint32(at + 4, bytes.length);
			written.set(fromHex(id), at + 8);
			written.set(bytes, at + HEADER_BYTES);
			places.push([id, { offset: start + at + HEADER_BYTES, length: bytes.length }]);
			at += HEADER_BYTES + bytes.length;
			written[at++] = 10;
		}
		await this.#file.append(written);
		for (const [id, place] of places) {
			this.#index.set(id, place);
			this.#checked.add(id);
		}
	}

	/** `null` if it is missing, or does not match its id and is nowhere else in the pack. */
	async read(id: string): Promise<Uint8Array | null> {
		const place = this.#index.get(id);
		const bytes = place ? await this.#file.read(place.offset, place.length) : null;
		if (bytes && (await blobId(bytes)) === id) {
			this.#checked.add(id);
			return bytes;
		}
		if (!place && this.#actual === null) return null;
		const actual = (await this.#byContent()).get(id);
		if (!actual) return null;
		this.#index.set(id, actual);
		return this.#file.read(actual.offset, actual.length);
	}

	/** The id in a record's header can be damaged, or two can be swapped. */
	async #byContent(): Promise<ReadonlyMap<string, Place>> {
		if (this.#actual) return this.#actual;
		const found = new Map<string, Place>();
		for (const place of new Set(this.#index.values()))
			found.set(await blobId(await this.#file.read(place.offset, place.length)), place);
		return (this.#actual = found);
	}

	/**
	 * Copies records of this pack to another one unchanged: nothing is hashed again.
	 *
	 * @param ids missing ones are skipped
	 */
	async copy(ids: ReadonlySet<string>, to: BlobPack): Promise<void> {
		const places = [...this.#index].filter(([id]) => ids.has(id) && !to.has(id));
		let run: typeof places = [];
		const write = async (): Promise<void> => {
			const first = run[0]?.[1];
			const last = run.at(-1)?.[1];
			if (!first || !last) return;
			const from = first.offset - HEADER_BYTES;
			const start = to.#file.size();
			await to.#file.append(await this.#file.read(from, last.offset + last.length + 1 - from));
			for (const [id, { offset, length }] of run) to.#index.set(id, { offset: start + offset - from, length });
			run = [];
		};
		for (const place of places) {
			const [first, last] = [run[0]?.[1], run.at(-1)?.[1]];
			const follows = last && last.offset + last.length + 1 + HEADER_BYTES === place[1].offset;
			if (first && (!follows || place[1].offset - first.offset > COPY_BYTES)) await write();
			run.push(place);
		}
		await write();
	}

	flush(): Promise<void> {
		return this.#file.flush();
	}

	close(): Promise<void> {
		return this.#file.close();
	}
}

async function readHeader(file: AppendFile, position: number): Promise<{ id: string; length: number } | null> {
	const bytes = await file.read(position, HEADER_BYTES);
	if (bytes.length < HEADER_BYTES) return null;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const length = view.getUint32(4);
	const end = position + HEADER_BYTES + length;
	if (view.getUint32(0) !== MAGIC || end >= file.size()) return null;
	const last = await file.read(end, 1);
	if (last[0] !== 10) return null;
	return { id: toHex(bytes.subarray(8, 28)), length };
}

/** Checks whether the content of the record at this position matches its id. */
async function isWhole(file: AppendFile, position: number): Promise<boolean> {
	const record = await readHeader(file, position);
	if (!record) return false;
	return (await blobId(await file.read(position + HEADER_BYTES, record.length))) === record.id;
}

/**
 * Position of the next complete record; `null` when none follows. Contents may look like headers, so they are
 * verified.
 */
async function findWhole(file: AppendFile, from: number): Promise<number | null> {
	for (let start = from; start + HEADER_BYTES < file.size(); start += SEARCH_BYTES) {
		// A header may span two search windows.
		const bytes = await file.read(start, SEARCH_BYTES + 3);
		for (let at = bytes.indexOf(FIRST_BYTE); at >= 0 && at < SEARCH_BYTES; at = bytes.indexOf(FIRST_BYTE, at + 1))
			if (isMagic(bytes, at) && (await isWhole(file, start + at))) return start + at;
	}
	return null;
}

const FIRST_BYTE = MAGIC >>> 24;
const isMagic = (bytes: Uint8Array, at: number): boolean =>
	bytes[at + 1] === ((MAGIC >>> 16) & 255) &&
	bytes[at + 2] === ((MAGIC >>> 8) & 255) &&
	bytes[at + 3] === (MAGIC & 255);
