import { concat } from '#computer/process/text.ts';

export const CONVERSIONS = [
	...(['ascii', 'ebcdic', 'ibm', 'block', 'unblock', 'lcase', 'ucase', 'sparse', 'swab', 'sync', 'excl'] as const),
	...(['nocreat', 'notrunc', 'noerror', 'fdatasync', 'fsync'] as const)
];
export type ConversionName = (typeof CONVERSIONS)[number];

const [NEWLINE, SPACE] = [10, 32];

/** Applies `conv=` to the blocks that `dd` reads. */
export class Conversion {
	/** Number of records longer than `cbs`. */
	truncated = 0;
	#column = 0;
	#spaces = 0;
	/** A byte that waits for the byte it is swapped with. */
	#odd: number | null = null;

	constructor(
		private readonly names: ReadonlySet<ConversionName>,
		/** Record size of `block` and `unblock`; without it they do nothing. */
		private readonly recordBytes: number
	) {}

	get changesLength(): boolean {
		return this.#blocks || this.#unblocks || this.names.has('swab');
	}

	get #blocks(): boolean {
		return this.recordBytes > 0 && (this.names.has('block') || this.names.has('ebcdic') || this.names.has('ibm'));
	}

	get #unblocks(): boolean {
		return this.recordBytes > 0 && (this.names.has('unblock') || this.names.has('ascii'));
	}

	/** `conv=sync`: pads a short block, with spaces if there are records. */
	padded(block: Uint8Array, size: number): Uint8Array {
		if (!this.names.has('sync') || block.length >= size) return block;
		const filled = new Uint8Array(size).fill(
			this.#blocks || this.#unblocks || this.names.has('block') || this.names.has('unblock') ? SPACE : 0
		);
		filled.set(block);
		return filled;
	}

	convert(block: Uint8Array): Uint8Array {
		let bytes = block;
		if (this.names.has('ascii')) bytes = bytes.map((byte) => FROM_EBCDIC[byte] ?? 0);
		if (this.names.has('lcase')) bytes = bytes.map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));
		if (this.names.has('ucase')) bytes = bytes.map((byte) => (byte >= 97 && byte <= 122 ? byte - 32 : byte));
		if (this.names.has('swab')) bytes = this.#swap(bytes);
		if (this.#blocks) bytes = this.#toRecords(bytes);
		else if (this.#unblocks) bytes = this.#toLines(bytes);
		return this.#encoded(bytes);
	}

	/** Returns the bytes left after the last block. */
	end(): Uint8Array {
		const rest: number[] = this.#odd === null ? [] : [this.#odd];
		if (this.#blocks && this.#column > 0) for (let at = this.#column; at < this.recordBytes; at++) rest.push(SPACE);
		if (this.#unblocks && this.#column > 0) rest.push(NEWLINE);
		return this.#encoded(Uint8Array.from(rest));
	}

	#encoded(bytes: Uint8Array): Uint8Array {
		const table = this.names.has('ebcdic') ? TO_EBCDIC : this.names.has('ibm') ? TO_IBM : null;
		return table ? bytes.map((byte) => table[byte] ?? 0) : bytes;
	}

	#swap(block: Uint8Array): Uint8Array {
		const bytes = this.#odd === null ? block : concat([Uint8Array.of(this.#odd), block]);
		const even = bytes.length - (bytes.length % 2);
		const swapped = new Uint8Array(even);
		for (let at = 0; at < even; at++) swapped[at] = bytes[at ^ 1] ?? 0;
		this.#odd = even < bytes.length ? (bytes[even] ?? 0) : null;
		return swapped;
	}

	/** Converts lines to records of fixed size. */
	#toRecords(bytes: Uint8Array): Uint8Array {
		const out: number[] = [];
		for (const byte of bytes) {
			if (byte === NEWLINE) {
				for (; this.#column < this.recordBytes; this.#column++) out.push(SPACE);
				this.#column = 0;
				continue;
			}
			if (this.#column === this.recordBytes) this.truncated++;
			else if (this.#column < this.recordBytes) out.push(byte);
			this.#column++;
		}
		return Uint8Array.from(out);
	}

	/** Converts records to lines, without trailing spaces. */
	#toLines(bytes: Uint8Array): Uint8Array {
		const out: number[] = [];
		for (const byte of bytes) {
			if (this.#column === this.recordBytes) {
				out.push(NEWLINE);
				[this.#column, this.#spaces] = [0, 0];
			}
			this.#column++;
			if (byte === SPACE) this.#spaces++;
			else {
				for (; this.#spaces > 0; this.#spaces--) out.push(SPACE);
				out.push(byte);
			}
		}
		return Uint8Array.from(out);
	}
}

/** POSIX's table from ASCII to EBCDIC, in hexadecimal; the reverse direction is its inverse. */
const EBCDIC =
	'00010203372d2e2f1605250b0c0d0e0f101112133c3d322618193f271c1d1e1f405a7f7b5b6c507d4d5d5c4e6b604b61' +
	'f0f1f2f3f4f5f6f7f8f97a5e4c7e6e6f7cc1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e9ade0bd9a6d' +
	'79818283848586878889919293949596979899a2a3a4a5a6a7a8a9c04fd05f07202122232415061728292a2b2c090a1b' +
	'30311a333435360838393a3b04143ee14142434445464748495152535455565758596263646566676869707172737475' +
	'767778808a8b8c8d8e8f906a9b9c9d9e9fa0aaabac4aaeafb0b1b2b3b4b5b6b7b8b9babbbca1bebfcacbcccdcecfdadb' +
	'dcdddedfeaebecedeeeffafbfcfdfeff';

const TO_EBCDIC = Uint8Array.from({ length: 256 }, (_byte, at) => parseInt(EBCDIC.slice(at * 2, at * 2 + 2), 16));
/** Entries in which IBM's table differs. */
const IBM: Readonly<Record<number, number>> = { 94: 95, 126: 161, 203: 154, 213: 173, 229: 189 };
const TO_IBM = TO_EBCDIC.map((byte, at) => IBM[at] ?? byte);
const FROM_EBCDIC = Uint8Array.from({ length: 256 }, (_byte, at) => TO_EBCDIC.indexOf(at));
