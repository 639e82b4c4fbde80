import { joined } from './frames.ts';

/** Received bytes that wait for the rest of their frame. */
export class ByteQueue {
	#parts: Uint8Array[] = [];
	#size = 0;

	get size(): number {
		return this.#size;
	}

	push(bytes: Uint8Array): void {
		if (bytes.length === 0) return;
		this.#parts.push(bytes);
		this.#size += bytes.length;
	}

	/** Takes a number of bytes; null while there are fewer. */
	take(count: number): Uint8Array | null {
		if (this.#size < count) return null;
		if ((this.#parts[0]?.length ?? 0) < count) this.#parts = [joined(this.#parts)];
		return this.takeUpTo(count) ?? new Uint8Array(0);
	}

	/** Takes some bytes, null for none. */
	takeUpTo(count: number): Uint8Array | null {
		const [first] = this.#parts;
		if (!first || count === 0) return null;
		const taken = first.subarray(0, count);
		if (taken.length === first.length) this.#parts.shift();
		else this.#parts[0] = first.subarray(count);
		this.#size -= taken.length;
		return taken;
	}

	clear(): void {
		this.#parts = [];
		this.#size = 0;
	}
}
