import { toHex } from './blob-id.ts';

const words = new Int32Array(80);

/**
 * SHA-1 (FIPS 180-4) over bytes that come in pieces. Workers of an opaque origin have no
 * `crypto.subtle` in Chromium, and that one takes no pieces anyway.
 */
export class Sha1 {
	#state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
	#rest = new Uint8Array(64);
	#filled = 0;
	#total = 0;

	update(bytes: Uint8Array): this {
		this.#total += bytes.length;
		let at = 0;
		if (this.#filled > 0) {
			at = Math.min(64 - this.#filled, bytes.length);
			this.#rest.set(bytes.subarray(0, at), this.#filled);
			this.#filled += at;
			if (this.#filled < 64) return this;
			mix(this.#state, this.#rest, 0, 64);
			this.#filled = 0;
		}
		const end = bytes.length - ((bytes.length - at) % 64);
		mix(this.#state, bytes, at, end);
		this.#rest.set(bytes.subarray(end));
		this.#filled = bytes.length - end;
		return this;
	}

	/** 20 bytes. Nothing can be added afterwards. */
	digest(): Uint8Array {
		const tail = new Uint8Array(this.#filled < 56 ? 64 : 128);
		tail.set(this.#rest.subarray(0, this.#filled));
		tail[this.#filled] = 0x80;
		const view = new DataView(tail.buffer);
		view.setUint32(tail.length - 8, Math.floor(this.#total / 0x20000000));
		view.setUint32(tail.length - 4, (this.#total << 3) >>> 0);
		mix(this.#state, tail, 0, tail.length);
		const result = new Uint8Array(20);
		const out = new DataView(result.buffer);
		this.#state.forEach((word, i) => out.setInt32(i * 4, word));
		return result;
	}

	hex(): string {
		return toHex(this.digest());
	}
}

/**
 * Mixes blocks of 64 bytes into the state.
 *
 * @inOnePiece the four kinds of rounds work on the same local variables; one loop with a branch is five times slower
 */
function mix(state: Int32Array, bytes: Uint8Array, from: number, to: number): void {
	const w = words;
	let h0 = state[0]!;
	let h1 = state[1]!;
	let h2 = state[2]!;
	let h3 = state[3]!;
	let h4 = state[4]!;
	for (let at = from; at < to; at += 64) {
		for (let i = 0, q = at; i < 16; i++, q += 4) {
			w[i] = (bytes[q]! << 24) | (bytes[q + 1]! << 16) | (bytes[q + 2]! << 8) | bytes[q + 3]!;
		}
		for (let i = 16; i < 80; i++) {
			const x = w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!;
			w[i] = (x << 1) | (x >>> 31);
		}
		let a = h0;
		let b = h1;
		let c = h2;
		let d = h3;
		let e = h4;
		let i = 0;
		let next = 0;
		for (; i < 20; i++) {
			next = (((a << 5) | (a >>> 27)) + (d ^ (b & (c ^ d))) + e + 0x5a827999 + w[i]!) | 0;
			e = d;
			d = c;
			c = (b << 30) | (b >>> 2);
			b = a;
			a = next;
		}
		for (; i < 40; i++) {
			next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + 0x6ed9eba1 + w[i]!) | 0;
			e = d;
			d = c;
			c = (b << 30) | (b >>> 2);
			b = a;
			a = next;
		}
		for (; i < 60; i++) {
			next = (((a << 5) | (a >>> 27)) + ((b & c) | (d & (b | c))) + e + 0x8f1bbcdc + w[i]!) | 0;
			e = d;
			d = c;
			c = (b << 30) | (b >>> 2);
			b = a;
			a = next;
		}
		for (; i < 80; i++) {
			next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + 0xca62c1d6 + w[i]!) | 0;
			e = d;
			d = c;
			c = (b << 30) | (b >>> 2);
			b = a;
			a = next;
		}
		h0 = (h0 + a) | 0;
		h1 = (h1 + b) | 0;
		h2 = (h2 + c) | 0;
		h3 = (h3 + d) | 0;
		h4 = (h4 + e) | 0;
	}
	state[0] = h0;
	state[1] = h1;
	state[2] = h2;
	state[3] = h3;
	state[4] = h4;
}
