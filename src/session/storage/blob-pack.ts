import { fromHex, toHex } from '../../environment/blob-id.ts';
import type { AppendFile } from './append-file.ts';

/** A record: `SGB1`, the content's length (big-endian), the id's 20 bytes, the content, `\n`. */
const MAGIC = 0x53474231;
const HEADER_BYTES = 28;
/** Neighbouring records are copied together, up to so many bytes and one record. */
const COPY_BYTES = 4_000_000;

/**
 * All contents of one session in one file, each once, under its git blob id. The index is rebuilt
 * by walking the headers when the file is opened; a torn last record is cut off.
 */
export class BlobPack {
	readonly #file: AppendFile;
	readonly #index: Map<string, { offset: number; length: number }>;

	private constructor(file: AppendFile, index: Map<string, { offset: number; length: number }>) {
		this.#file = file;
		this.#index = index;
	}

	static async open(file: AppendFile): Promise<BlobPack> {
		const index = new Map<string, { offset: number; length: number }>();
		let position = 0;
		while (position < file.size()) {
			const record = await readHeader(file, position);
			if (!record) {
				await file.truncate(position);
				break;
			}
			index.set(record.id, { offset: position + HEADER_BYTES, length: record.length });
			position += HEADER_BYTES + record.length + 1;
		}
		return new BlobPack(file, index);
	}

	has(id: string): boolean {
		return this.#index.has(id);
	}

	/** Adds contents not there yet, in one write. */
	async add(blobs: { id: string; bytes: Uint8Array }[]): Promise<void> {
		const fresh = new Map(blobs.filter((blob) => !this.#index.has(blob.id)).map((blob) => [blob.id, blob.bytes]));
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
		for (const [id, place] of places) this.#index.set(id, place);
	}

	/** `null` when it is not there. */
	async read(id: string): Promise<Uint8Array | null> {
		const place = this.#index.get(id);
		return place ? this.#file.read(place.offset, place.length) : null;
	}

	/**
	 * Adds contents of this pack to another one, as they stand here: nothing is hashed again.
	 *
	 * @param ids those that are not here are left out
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
