const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Sizes that the module is compiled for, in pages of 64 KiB. */
const PAGES = { initial: 128, maximum: 32_768 };

/** Memory of the module, whose views are renewed when it grows. */
export class SqliteMemory {
	readonly shared = new WebAssembly.Memory(PAGES);
	#bytes = new Uint8Array(0);
	#view = new DataView(new ArrayBuffer(0));

	get bytes(): Uint8Array {
		this.#renew();
		return this.#bytes;
	}

	get #data(): DataView {
		this.#renew();
		return this.#view;
	}

	#renew(): void {
		if (this.#bytes.buffer === this.shared.buffer) return;
		this.#bytes = new Uint8Array(this.shared.buffer);
		this.#view = new DataView(this.shared.buffer);
	}

	int32(at: number): number {
		return this.#data.getInt32(at, true);
	}

	setInt32(at: number, value: number): void {
		this.#data.setInt32(at, value, true);
	}

	setInt64(at: number, value: bigint): void {
		this.#data.setBigInt64(at, value, true);
	}

	setDouble(at: number, value: number): void {
		this.#data.setFloat64(at, value, true);
	}

	/** Copies bytes out of the memory. */
	copy(at: number, length: number): Uint8Array<ArrayBuffer> {
		return this.bytes.slice(at, at + length) as Uint8Array<ArrayBuffer>;
	}

	/** Text up to its NUL; `null` for a null pointer. */
	text(at: number): string | null {
		if (at === 0) return null;
		const { bytes } = this;
		return decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)));
	}
}

/** UTF-8 of a text. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);
