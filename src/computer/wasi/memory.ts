const decoder = new TextDecoder();

/** Memory of a module, set once it is instantiated. */
export class ModuleMemory {
	#memory: WebAssembly.Memory | null = null;
	#view = new DataView(new ArrayBuffer(0));

	use(memory: WebAssembly.Memory): void {
		this.#memory = memory;
	}

	/** View of the whole memory; created again after the memory has grown. */
	get view(): DataView {
		const buffer = this.#buffer;
		if (this.#view.buffer !== buffer) this.#view = new DataView(buffer);
		return this.#view;
	}

	get #buffer(): ArrayBuffer {
		if (!this.#memory) throw new Error('The module called out before it was ready.');
		return this.#memory.buffer;
	}

	bytes(at: number, length: number): Uint8Array {
		return new Uint8Array(this.#buffer, at, length);
	}

	text(at: number, length: number): string {
		// Copied, since browsers cannot decode shared memory.
		return decoder.decode(this.bytes(at, length).slice());
	}

	/** Memory regions of a scatter or gather list. */
	vectors(at: number, count: number): Uint8Array[] {
		const { view } = this;
		const places: Uint8Array[] = [];
		for (let end = at + count * 8; at < end; at += 8)
			places.push(new Uint8Array(view.buffer as ArrayBuffer, view.getUint32(at, true), view.getUint32(at + 4, true)));
		return places;
	}

	/** Writes as many of `bytes` as fit. Returns the number of bytes. */
	put(bytes: Uint8Array, at: number, room: number): number {
		const piece = bytes.subarray(0, room);
		this.bytes(at, piece.length).set(piece);
		return piece.length;
	}
}
