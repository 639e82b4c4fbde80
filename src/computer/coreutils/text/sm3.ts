const BLOCK_BYTES = 64;
const START = [
	...[0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600],
	...[0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e]
];

const rotated = (word: number, bits: number) => (word << bits) | (word >>> ((32 - bits) & 31));

/** SM3, the hash of GB/T 32905. */
export class Sm3 {
	#state = Int32Array.from(START);
	#block = new Uint8Array(BLOCK_BYTES);
	#filled = 0;
	#bytes = 0;

	update(bytes: Uint8Array): this {
		this.#bytes += bytes.length;
		for (let at = 0; at < bytes.length;) {
			const piece = bytes.subarray(at, at + BLOCK_BYTES - this.#filled);
			this.#block.set(piece, this.#filled);
			this.#filled += piece.length;
			at += piece.length;
			if (this.#filled === BLOCK_BYTES) this.#compress();
		}
		return this;
	}

	digest(): Uint8Array {
		const bits = BigInt(this.#bytes) * 8n;
		const padding = new Uint8Array((this.#filled < 56 ? 56 : 120) - this.#filled);
		padding[0] = 0x80;
		this.update(padding);
		const length = new Uint8Array(8);
		new DataView(length.buffer).setBigUint64(0, bits);
		this.update(length);
		const result = new DataView(new ArrayBuffer(32));
		for (const [index, word] of this.#state.entries()) result.setInt32(index * 4, word);
		return new Uint8Array(result.buffer);
	}

	#compress(): void {
		this.#filled = 0;
		const words = this.#expanded();
		let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = this.#state;
		for (let round = 0; round < 64; round++) {
			const isEarly = round < 16;
			const constant = rotated(isEarly ? 0x79cc4519 : 0x7a879d8a, round % 32);
			const first = rotated((rotated(a, 12) + e + constant) | 0, 7);
			const second = first ^ rotated(a, 12);
			const word = words[round] ?? 0;
			const mixed = isEarly ? a ^ b ^ c : (a & b) | (a & c) | (b & c);
			const chosen = isEarly ? e ^ f ^ g : (e & f) | (~e & g);
			const left = (mixed + d + second + (word ^ (words[round + 4] ?? 0))) | 0;
			const right = (chosen + h + first + word) | 0;
			[d, c, b, a] = [c, rotated(b, 9), a, left];
			[h, g, f, e] = [g, rotated(f, 19), e, right ^ rotated(right, 9) ^ rotated(right, 17)];
		}
		for (const [index, word] of [a, b, c, d, e, f, g, h].entries())
			this.#state[index] = (this.#state[index] ?? 0) ^ word;
	}

	/** The 68 words of the message expansion. */
	#expanded(): Int32Array {
		const words = new Int32Array(68);
		const view = new DataView(this.#block.buffer);
		for (let index = 0; index < 16; index++) words[index] = view.getInt32(index * 4);
		const at = (index: number) => words[index] ?? 0;
		for (let index = 16; index < 68; index++) {
			const mixed = at(index - 16) ^ at(index - 9) ^ rotated(at(index - 3), 15);
			words[index] = mixed ^ rotated(mixed, 15) ^ rotated(mixed, 23) ^ rotated(at(index - 13), 7) ^ at(index - 6);
		}
		return words;
	}
}
