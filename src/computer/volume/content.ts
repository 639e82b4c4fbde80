/**
 * Bytes of a file. Views returned by {@link Content.view} never change: later writes go past their end or into a copy.
 * So it costs nothing for the journal, snapshots and overlays to hold contents.
 */
export class Content {
	#buffer: Uint8Array;
	#size: number;
	/** A view exists: bytes below `#size` must not be overwritten. */
	#viewed = false;
	/** Git blob id of the current bytes, computed on demand. */
	blob: string | null = null;

	constructor(bytes: Uint8Array = new Uint8Array(0)) {
		this.#buffer = bytes;
		this.#size = bytes.length;
	}

	get size(): number {
		return this.#size;
	}

	/** Returns a permanent view of the current bytes. It must not be written to. */
	view(): Uint8Array {
		this.#viewed = true;
		return this.#buffer.subarray(0, this.#size);
	}

	/** Returns the current bytes until the next write: for replies that are copied immediately. */
	peek(start = 0, end = this.#size): Uint8Array {
		return this.#buffer.subarray(Math.min(start, this.#size), Math.min(end, this.#size));
	}

	/** Creates a separate content with the same bytes, sharing memory until one of the two is written. */
	clone(): Content {
		const copy = new Content(this.view());
		copy.#viewed = true;
		copy.blob = this.blob;
		return copy;
	}

	/** Takes ownership of `bytes`; the caller must not write to them afterwards. */
	replace(bytes: Uint8Array): void {
		this.#buffer = bytes;
		this.#size = bytes.length;
		this.#viewed = false;
		this.blob = null;
	}

	writeAt(bytes: Uint8Array, position: number): void {
		const end = position + bytes.length;
		const overwrites = position < this.#size;
		this.#reserve(Math.max(end, this.#size), overwrites && this.#viewed);
		if (position > this.#size) this.#buffer.fill(0, this.#size, position);
		this.#buffer.set(bytes, position);
		this.#size = Math.max(this.#size, end);
		this.blob = null;
	}

	truncate(size: number): void {
		if (size > this.#size) {
			this.#reserve(size, false);
			this.#buffer.fill(0, this.#size, size);
		} else if (this.#viewed) {
			// A later append would overwrite what a view still shows.
			this.#buffer = this.#buffer.slice(0, size);
			this.#viewed = false;
		}
		this.#size = size;
		this.blob = null;
	}

	#reserve(size: number, copy: boolean): void {
		if (size <= this.#buffer.length && !copy) return;
		const grown = new Uint8Array(size <= this.#buffer.length ? this.#buffer.length : Math.max(size, this.#size * 2));
		grown.set(this.peek());
		this.#buffer = grown;
		this.#viewed = false;
	}
}
