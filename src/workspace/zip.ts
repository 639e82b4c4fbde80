import { deflate, deflateSync, Zip, ZipPassThrough } from 'fflate';
import { TimeSlice } from '#environment/time-slice.ts';
import type { ReadonlyTree } from './checkpoint-store.ts';

/** Minimum size of files that are compressed in a worker. Bytes. */
const LARGE = 300_000;
const METHOD = { level: 6 } as const;

/**
 * Creates a zip of a tree's files. In time slices: a single library call for very many files blocks the thread
 * for seconds.
 *
 * @param read reads the content of an entry; the zip rejects as it does
 */
export async function zipOf(
	files: ReadonlyTree,
	read: (entry: { blob: string }) => Promise<Uint8Array>
): Promise<Uint8Array> {
	const written = new GrowingBytes();
	let [end, fail]: [() => void, (error: Error) => void] = [() => {}, () => {}];
	const ended = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
	// Failures are reported below, including those while files are still being read.
	ended.catch(() => undefined);
	const zip = new Zip((error, piece, isLast) => {
		if (error) return fail(error);
		written.add(piece);
		if (isLast) end();
	});
	const slice = new TimeSlice();
	for (const [path, entry] of files) {
		const file = new ZippedFile(path);
		zip.add(file);
		file.push(await read(entry), true);
		// Compressing is a large step.
		if (slice.isExpired(8)) await slice.yieldThread();
	}
	zip.end();
	await ended;
	return written.all;
}

class ZippedFile extends ZipPassThrough {
	/** Deflate, as numbered by the format. */
	override compression = 8;

	protected override process(bytes: Uint8Array<ArrayBuffer>, isLast: boolean): void {
		if (bytes.length < LARGE) this.ondata(null, deflateSync(bytes, METHOD), isLast);
		else deflate(bytes, METHOD, (error, compressed) => this.ondata(error, compressed, isLast));
	}
}

/** Concatenates very many pieces without a long pause at the end. */
class GrowingBytes {
	#bytes = new Uint8Array(1 << 16);
	#length = 0;

	add(piece: Uint8Array): void {
		const length = this.#length + piece.length;
		if (length > this.#bytes.length) {
			const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
			larger.set(this.#bytes.subarray(0, this.#length));
			this.#bytes = larger;
		}
		this.#bytes.set(piece, this.#length);
		this.#length = length;
	}

	get all(): Uint8Array {
		return this.#bytes.subarray(0, this.#length);
	}
}
