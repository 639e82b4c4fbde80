/** SHA-1 (FIPS 180-4), since workers of an opaque origin have no `crypto.subtle` in Chromium, and none is synchronous. */
export function sha1(bytes: Uint8Array): string {
	const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
	const words = new Int32Array(80);
	const whole = bytes.length - (bytes.length % 64);
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	for (let at = 0; at < whole; at += 64) {
		for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + i * 4);
		round(state, words);
	}
	const rest = bytes.length - whole;
	const tail = new Uint8Array(rest < 56 ? 64 : 128);
	tail.set(bytes.subarray(whole));
	tail[rest] = 0x80;
	const tailView = new DataView(tail.buffer);
	tailView.setUint32(tail.length - 8, Math.floor(bytes.length / 0x20000000));
	tailView.setUint32(tail.length - 4, (bytes.length << 3) >>> 0);
	for (let at = 0; at < tail.length; at += 64) {
		for (let i = 0; i < 16; i++) words[i] = tailView.getInt32(at + i * 4);
		round(state, words);
	}
	return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function round(state: Int32Array, words: Int32Array): void {
	for (let i = 16; i < 80; i++) {
		const mixed = words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!;
		words[i] = (mixed << 1) | (mixed >>> 31);
	}
	let a = state[0]!;
	let b = state[1]!;
	let c = state[2]!;
	let d = state[3]!;
	let e = state[4]!;
	for (let i = 0; i < 80; i++) {
		const [f, k] =
			i < 20
				? [(b & c) | (~b & d), 0x5a827999]
				: i < 40
					? [b ^ c ^ d, 0x6ed9eba1]
					: i < 60
						? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
						: [b ^ c ^ d, 0xca62c1d6];
		const next = (((a << 5) | (a >>> 27)) + f + e + k + words[i]!) | 0;
		e = d;
		d = c;
		c = (b << 30) | (b >>> 2);
		b = a;
		a = next;
	}
	state[0] = (state[0]! + a) | 0;
	state[1] = (state[1]! + b) | 0;
	state[2] = (state[2]! + c) | 0;
	state[3] = (state[3]! + d) | 0;
	state[4] = (state[4]! + e) | 0;
}
