/** Size in bytes of the blocks used to find matches. */
const PIECE = 16;
/** Maximum number of matching blocks to try before using the longest match so far. */
const MOST_TRIES = 16;
/** Maximum length of a copy instruction, and of an insert instruction. */
const MOST_COPIED = 0x10000;
const MOST_BROUGHT = 127;
const FACTOR = 0x01000193;
/** `FACTOR` to the power of the number of bytes that precede the last byte of a block. */
const LEAVING = Array.from({ length: PIECE - 1 }).reduce<number>((power) => Math.imul(power, FACTOR), 1);

/** Index of the blocks of an object that serves as a delta base. */
export class DeltaBase {
	readonly #heads: Int32Array;
	readonly #next: Int32Array;
	readonly #mask: number;

	constructor(readonly content: Uint8Array) {
		const pieces = Math.max(1, Math.floor(content.length / PIECE));
		const size = 2 ** Math.ceil(Math.log2(pieces + 1));
		this.#mask = size - 1;
		this.#heads = new Int32Array(size).fill(-1);
		this.#next = new Int32Array(pieces).fill(-1);
		for (let piece = Math.floor(content.length / PIECE) - 1; piece >= 0; piece--) {
			const slot = mixed(hashAt(content, piece * PIECE)) & this.#mask;
			this.#next[piece] = this.#heads[slot]!;
			this.#heads[slot] = piece;
		}
	}

	/** Finds the longest match for `target` from `at` on: its start and length in the base; null if none. */
	longest(target: Uint8Array, at: number, hash: number): { from: number; length: number } | null {
		let best: { from: number; length: number } | null = null;
		let tries = 0;
		for (let piece = this.#heads[mixed(hash) & this.#mask]!; piece >= 0; piece = this.#next[piece]!) {
			if (++tries > MOST_TRIES) break;
			const from = piece * PIECE;
			let length = 0;
			while (
				from + length < this.content.length &&
				at + length < target.length &&
				this.content[from + length] === target[at + length]
			)
				length++;
			if (length >= PIECE && length > (best?.length ?? 0)) best = { from, length };
		}
		return best;
	}
}

function hashAt(bytes: Uint8Array, at: number): number {
	let hash = 0;
	for (let i = 0; i < PIECE; i++) hash = (Math.imul(hash, FACTOR) + bytes[at + i]!) | 0;
	return hash;
}

const mixed = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 8;

/**
 * Encodes an object as a delta against another (https://git-scm.com/docs/pack-format, "Deltified representation").
 *
 * @returns null if it would take more than `mostBytes`
 */
export function makeDelta(base: DeltaBase, target: Uint8Array, mostBytes: number): Uint8Array | null {
	if (target.length < PIECE || base.content.length < PIECE) return null;
	const out = new DeltaBytes(mostBytes);
	out.size(base.content.length);
	out.size(target.length);
	let brought = 0;
	let hash = hashAt(target, 0);
	for (let at = 0; at < target.length;) {
		const found = at + PIECE <= target.length ? base.longest(target, at, hash) : null;
		if (found === null) {
			if (at + PIECE < target.length)
				hash = (Math.imul(hash - Math.imul(target[at]!, LEAVING), FACTOR) + target[at + PIECE]!) | 0;
			at++;
			continue;
		}
		// The bytes before the match may match, too.
		let { from, length } = found;
		while (from > 0 && at > brought && base.content[from - 1] === target[at - 1]) {
			from--;
			at--;
			length++;
		}
		out.bring(target, brought, at);
		out.copy(from, length);
		at += length;
		brought = at;
		if (out.isFull) return null;
		if (at + PIECE <= target.length) hash = hashAt(target, at);
	}
	out.bring(target, brought, target.length);
	return out.isFull ? null : out.bytes();
}

class DeltaBytes {
	readonly #bytes: Uint8Array;
	#filled = 0;
	isFull = false;

	constructor(mostBytes: number) {
		this.#bytes = new Uint8Array(Math.max(0, mostBytes));
	}

	size(value: number): void {
		let left = value;
		for (; left > 127; left = Math.floor(left / 128)) this.#put((left & 127) | 128);
		this.#put(left);
	}

	bring(source: Uint8Array, from: number, to: number): void {
		for (let at = from; at < to && !this.isFull; at += MOST_BROUGHT) {
			const end = Math.min(to, at + MOST_BROUGHT);
			this.#put(end - at);
			for (let i = at; i < end; i++) this.#put(source[i]!);
		}
	}

	copy(from: number, length: number): void {
		for (let at = from, left = length; left > 0 && !this.isFull; at += MOST_COPIED, left -= MOST_COPIED) {
			const part = Math.min(left, MOST_COPIED);
			const numbers = [at & 255, (at >>> 8) & 255, (at >>> 16) & 255, (at >>> 24) & 255];
			if (part !== MOST_COPIED) numbers.push(part & 255, part >>> 8);
			const code = numbers.reduce((bits, byte, i) => (byte === 0 ? bits : bits | (1 << i)), 128);
			this.#put(code);
			for (const byte of numbers) if (byte !== 0) this.#put(byte);
		}
	}

	bytes(): Uint8Array {
		return this.#bytes.slice(0, this.#filled);
	}

	#put(byte: number): void {
		if (this.#filled >= this.#bytes.length) this.isFull = true;
		else this.#bytes[this.#filled++] = byte;
	}
}
