/** Byte queue, first in, first out. */
export class ByteQueue {
	#chunks: Uint8Array[] = [];
	size = 0;

	add(bytes: Uint8Array): void {
		if (bytes.length === 0) return;
		this.#chunks.push(bytes);
		this.size += bytes.length;
	}

	/** Puts bytes in front of all others. */
	putBack(bytes: Uint8Array): void {
		if (bytes.length === 0) return;
		this.#chunks.unshift(bytes);
		this.size += bytes.length;
	}

	/** Number of bytes up to and including the first `byte`; all if it is missing. */
	lengthThrough(byte: number): number {
		let length = 0;
		for (const chunk of this.#chunks) {
			const at = chunk.indexOf(byte);
			if (at >= 0) return length + at + 1;
			length += chunk.length;
		}
		return length;
	}

	/** Removes up to `max` of the oldest bytes and returns them in a new array. */
	take(max: number): Uint8Array {
		const taken = new Uint8Array(Math.min(max, this.size));
		let filled = 0;
		while (filled < taken.length) {
			const first = this.#chunks[0]!;
			const part = first.subarray(0, taken.length - filled);
			taken.set(part, filled);
			filled += part.length;
			if (part.length === first.length) this.#chunks.shift();
			else this.#chunks[0] = first.subarray(part.length);
		}
		this.size -= taken.length;
		return taken;
	}
}
