import type { LoadEntry } from '#environment/contract.ts';
import type { ImportProgress } from '../contract.ts';
import { ImportError } from './errors.ts';
import { FolderListing, isChosen } from './folder-choice.ts';

/** Maximum import: the volume's limit minus room to work. Bytes. */
export const MAX_IMPORT_BYTES = 400 * 1024 * 1024;
const REPORT_EVERY_MS = 50;

/** Counts arriving data, reports progress a few times a second, and refuses more than fits. */
export class ImportTracker {
	files = 0;
	bytes = 0;
	readonly signal: AbortSignal | undefined;
	readonly #report: ((progress: ImportProgress) => void) | undefined;
	readonly #startMs = performance.now();
	#phase: ImportProgress['phase'] = 'connecting';
	#receivedBytes = 0;
	#totalBytes: number | undefined;
	#lastMs = 0;

	/**
	 * Starts counting.
	 * @param maxBytes maximum size of the import
	 */
	constructor(
		report?: (progress: ImportProgress) => void,
		signal?: AbortSignal,
		readonly maxBytes = MAX_IMPORT_BYTES
	) {
		this.#report = report;
		this.signal = signal;
	}

	/** Throws `ImportError` `cancelled` once the user has canceled. */
	check(): void {
		if (this.signal?.aborted) throw new ImportError('cancelled');
	}

	phase(phase: ImportProgress['phase'], totalBytes?: number): void {
		this.check();
		this.#phase = phase;
		this.#totalBytes = totalBytes ?? this.#totalBytes;
		this.#notify(true);
	}

	received(bytes: number): void {
		this.check();
		this.#receivedBytes += bytes;
		this.#notify(false);
	}

	/**
	 * Forwards the selected entries and counts them. Once the limit is exceeded, it only lists the remaining entries,
	 * and throws `too_large` with the folders to choose from.
	 */
	async *count(entries: AsyncIterable<LoadEntry>, folders?: readonly string[]): AsyncGenerator<LoadEntry> {
		const listing = new FolderListing();
		for await (const { path, mode, bytes } of entries) {
			this.check();
			listing.add(path, bytes.length);
			if (!isChosen(path, folders)) continue;
			this.files++;
			this.bytes += bytes.length;
			this.#notify(false);
			if (this.bytes <= this.maxBytes) yield { path, mode, bytes };
		}
		if (this.bytes > this.maxBytes)
			throw new ImportError('too_large', `${this.bytes} bytes`, listing.list(this.maxBytes));
	}

	#notify(now: boolean): void {
		const time = performance.now();
		if (!now && time - this.#lastMs < REPORT_EVERY_MS) return;
		this.#lastMs = time;
		this.#report?.({
			phase: this.#phase,
			receivedBytes: this.#receivedBytes,
			...(this.#totalBytes === undefined ? {} : { totalBytes: this.#totalBytes }),
			files: this.files,
			elapsedMs: time - this.#startMs
		});
	}
}
