/** Bytes that grow as they are written, little-endian. */
export class ByteWriter {
	#bytes = new Uint8Array(64);
	#length = 0;

	byte(value: number): void {
		this.#room(1);
		this.#bytes[this.#length++] = value;
	}

	bytes(values: Uint8Array): void {
		this.#room(values.length);
		this.#bytes.set(values, this.#length);
		this.#length += values.length;
	}

	/** Writes seven bits per byte, lowest first. @param value up to 2 ** 32 - 1 */
	varint(value: number): void {
		let rest = value;
		for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.byte((rest % 0x80) | 0x80);
		this.byte(rest);
	}

	bigVarint(value: bigint): void {
		let rest = value;
		for (; rest >= 0x80n; rest >>= 7n) this.byte(Number(rest & 0x7fn) | 0x80);
		this.byte(Number(rest));
	}

	double(value: number): void {
		const bytes = new Uint8Array(8);
		new DataView(bytes.buffer).setFloat64(0, value, true);
		this.bytes(bytes);
	}

	uint64(value: bigint): void {
		const bytes = new Uint8Array(8);
		new DataView(bytes.buffer).setBigUint64(0, value, true);
		this.bytes(bytes);
	}

	/** Pads so that the characters of a two-byte string, after its tag and length, start at an even offset. */
	alignTwoByteString(byteLength: number): void {
		const lengthBytes = Math.max(1, Math.ceil((32 - Math.clz32(byteLength)) / 7));
		if ((this.#length + 1 + lengthBytes) % 2 === 1) this.byte(0);
	}

	/** Returns everything written so far; the writer is empty afterwards. */
	release(): Uint8Array<ArrayBuffer> {
		const bytes = this.#bytes.slice(0, this.#length);
		this.#length = 0;
		return bytes;
	}

	#room(count: number): void {
		if (this.#length + count <= this.#bytes.length) return;
		const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
		grown.set(this.#bytes.subarray(0, this.#length));
		this.#bytes = grown;
	}
}
