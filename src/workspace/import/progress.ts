import type { LoadEntry } from '../../environment/contract.ts';
import type { ImportProgress } from '../contract.ts';
import { ImportError } from './errors.ts';

/** What fits: the volume's limit with room to work. Bytes. */
export const MAX_IMPORT_BYTES = 400 * 1024 * 1024;
const REPORT_EVERY_MS = 50;

/** Counts what arrives, reports it a few times a second, and refuses what does not fit. */
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

	constructor(report?: (progress: ImportProgress) => void, signal?: AbortSignal) {
		this.#report = report;
		this.signal = signal;
	}

	/** Throws `ImportError` `cancelled` once the person cancelled. */
	check(): void {
		if (this.signal?.aborted) throw new ImportError('cancelled');
	}

	phase(phase: ImportProgress['phase'], totalBytes?: number): void {
		this.check();
		this.#phase = phase;
		this.#totalBytes = totalBytes ?? this.#totalBytes;
		this.#tell(true);
	}

	received(bytes: number): void {
		this.check();
		this.#receivedBytes += bytes;
		this.#tell(false);
	}

	/** Passes entries on and counts them. */
	async *count(entries: AsyncIterable<LoadEntry>): AsyncGenerator<LoadEntry> {
		for await (const entry of entries) {
			this.check();
			this.files++;
			this.bytes += entry.bytes.length;
			if (this.bytes > MAX_IMPORT_BYTES) throw new ImportError('too_large', `${this.bytes} bytes`);
			this.#tell(false);
			yield entry;
		}
	}

	#tell(now: boolean): void {
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
