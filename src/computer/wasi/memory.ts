const decoder = new TextDecoder();

/** The memory of a module, known once it is instantiated. */
export class ModuleMemory {
	#memory: WebAssembly.Memory | null = null;
	#view = new DataView(new ArrayBuffer(0));

	use(memory: WebAssembly.Memory): void {
		this.#memory = memory;
	}

	/** View of all of it; made again after the memory has grown. */
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
		return decoder.decode(this.bytes(at, length).slice());
	}

	/** The places a scatter or gather list names. */
	vectors(at: number, count: number): Uint8Array[] {
		return Array.from({ length: count }, (_vector, index) =>
			this.bytes(this.view.getUint32(at + index * 8, true), this.view.getUint32(at + index * 8 + 4, true))
		);
	}

	/** Writes as much of `bytes` as fits. Returns the number of bytes. */
	put(bytes: Uint8Array, at: number, room: number): number {
		const piece = bytes.subarray(0, room);
		this.bytes(at, piece.length).set(piece);
		return piece.length;
	}
}
