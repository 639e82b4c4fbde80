/**
 * The bytes of one file. Views handed out with {@link Content.view} never change: later writes
 * go past their end or into a copy. So journal, snapshots and overlays hold contents for nothing.
 */
export class Content {
	#buffer: Uint8Array;
	#size: number;
	/** Someone holds a view: bytes below `#size` must not be written any more. */
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

	/** The present bytes, for good. Not to be written to. */
	view(): Uint8Array {
		this.#viewed = true;
		return this.#buffer.subarray(0, this.#size);
	}

	/** The present bytes until the next write: for replies that are copied at once. */
	peek(start = 0, end = this.#size): Uint8Array {
		return this.#buffer.subarray(Math.min(start, this.#size), Math.min(end, this.#size));
	}

	/** A content of its own with the same bytes, sharing memory until one of the two is written. */
	clone(): Content {
		const copy = new Content(this.view());
		copy.#viewed = true;
		copy.blob = this.blob;
		return copy;
	}

	/** Takes `bytes` over; the caller must not write to them afterwards. */
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
			// A later append would write over what a view still shows.
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
