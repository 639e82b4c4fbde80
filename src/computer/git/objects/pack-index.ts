import { fromHex, toHex } from '../bytes.ts';

const MAGIC = 0xff744f63;

const FANOUT_BYTES = 1024;
const ID_BYTES = 20;
/** Size of the trailing checksums of the pack and of the index. */
const DIGESTS_BYTES = 40;

/** Offsets of the objects of a pack: the `.idx` file, version 1 or 2. */
export class PackIndex {
	readonly count: number;
	readonly version: 1 | 2;
	/** Start of the fan-out table, and of the ids. */
	readonly #fanoutAt: number;
	readonly #idsAt: number;
	/** Distance from one id to the next. */
	readonly #step: number;
	#view: DataView;
	#order: Float64Array | undefined;

	/** @throws RangeError if the version is unknown or the file is truncated */
	constructor(readonly bytes: Uint8Array) {
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		if (bytes.length < FANOUT_BYTES + DIGESTS_BYTES) throw new RangeError('a pack index ends early');
		const hasMagic = this.#view.getUint32(0) === MAGIC;
		if (hasMagic && this.#view.getUint32(4) !== 2) throw new RangeError('a pack index is of an unknown version');
		this.version = hasMagic ? 2 : 1;
		this.#fanoutAt = hasMagic ? 8 : 0;
		this.#step = hasMagic ? ID_BYTES : ID_BYTES + 4;
		this.#idsAt = this.#fanoutAt + FANOUT_BYTES + this.#step - ID_BYTES;
		this.count = this.#view.getUint32(this.#fanoutAt + 255 * 4);
		const least = this.#fanoutAt + FANOUT_BYTES + this.count * (hasMagic ? 28 : 24) + DIGESTS_BYTES;
		if (bytes.length < least) throw new RangeError('a pack index ends early');
		for (let byte = 1; byte < 256; byte++)
			if (this.#upTo(byte) < this.#upTo(byte - 1)) throw new RangeError('a pack index is not in order');
	}

	/** Checksum of the pack that the index belongs to. */
	get packDigest(): string {
		return toHex(this.bytes.subarray(-DIGESTS_BYTES, -ID_BYTES));
	}

	/** Checksum of an object's bytes in the pack; null in version 1. */
	crcAt(position: number): number | null {
		if (this.version === 1) return null;
		return this.#view.getUint32(this.#idsAt + this.count * ID_BYTES + position * 4);
	}

	/** Offset of the object at a position in the sorted list of ids. */
	offsetAt(position: number): number {
		return this.#offsetAt(position);
	}

	/** Offset of an object in the pack, or null if the pack does not contain it. */
	offsetOf(id: string): number | null {
		const wanted = fromHex(id);
		let low = this.#firstOf(wanted[0]!);
		let high = this.#upTo(wanted[0]!);
		while (low < high) {
			const middle = (low + high) >> 1;
			const order = this.#compare(middle, wanted);
			if (order === 0) return this.#offsetAt(middle);
			if (order < 0) low = middle + 1;
			else high = middle;
		}
		return null;
	}

	idsWithPrefix(prefix: string): string[] {
		const first = Number.parseInt(prefix.slice(0, 2).padEnd(2, '0'), 16);
		const last = Number.parseInt(prefix.slice(0, 2).padEnd(2, 'f'), 16);
		const found: string[] = [];
		for (let i = this.#firstOf(first); i < this.#upTo(last); i++) {
			const id = this.idAt(i);
			if (id.startsWith(prefix)) found.push(id);
		}
		return found;
	}

	idAt(position: number): string {
		const at = this.#idsAt + position * this.#step;
		return toHex(this.bytes.subarray(at, at + ID_BYTES));
	}

	/** Id of the object that starts at `offset`, or null if none does. */
	idOf(offset: number): string | null {
		for (let i = 0; i < this.count; i++) if (this.#offsetAt(i) === offset) return this.idAt(i);
		return null;
	}

	/** Start of the object after the one at `offset`, or null for the last one. */
	nextOffset(offset: number): number | null {
		this.#order ??= Float64Array.from({ length: this.count }, (_, i) => this.#offsetAt(i)).sort();
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.#order[middle]! <= offset) low = middle + 1;
			else high = middle;
		}
		return this.#order[low] ?? null;
	}

	#firstOf(byte: number): number {
		return byte === 0 ? 0 : this.#upTo(byte - 1);
	}

	/** Number of ids whose first byte is at most `byte`. */
	#upTo(byte: number): number {
		return this.#view.getUint32(this.#fanoutAt + byte * 4);
	}

	#compare(position: number, wanted: Uint8Array): number {
		const at = this.#idsAt + position * this.#step;
		for (let i = 0; i < 20; i++) if (this.bytes[at + i] !== wanted[i]) return this.bytes[at + i]! - wanted[i]!;
		return 0;
	}

	#offsetAt(position: number): number {
		if (this.version === 1) return this.#view.getUint32(FANOUT_BYTES + position * this.#step);
		const offset = this.#view.getUint32(this.#idsAt + this.count * (ID_BYTES + 4) + position * 4);
		if (offset < 0x80000000) return offset;
		const large = this.#idsAt + this.count * (ID_BYTES + 8) + (offset - 0x80000000) * 8;
		if (large + 8 > this.bytes.length - DIGESTS_BYTES) throw new RangeError('a pack index points behind its end');
		return this.#view.getUint32(large) * 0x100000000 + this.#view.getUint32(large + 4);
	}
}
