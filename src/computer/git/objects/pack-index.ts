import { fromHex, toHex } from '../bytes.ts';

const MAGIC = 0xff744f63;

/** Positions of the objects of a pack: the `.idx` file, version 2. */
export class PackIndex {
	readonly count: number;
	#view: DataView;
	#order: Float64Array | undefined;

	/** @throws RangeError for another version or a file that ends early */
	constructor(readonly bytes: Uint8Array) {
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		if (bytes.length < 1032 || this.#view.getUint32(0) !== MAGIC || this.#view.getUint32(4) !== 2) {
			throw new RangeError('a pack index is not of version 2');
		}
		this.count = this.#view.getUint32(8 + 255 * 4);
		if (bytes.length < 1032 + this.count * 28 + 40) throw new RangeError('a pack index ends early');
	}

	/** Start of the object in the pack, or null if it is not there. */
	offsetOf(id: string): number | null {
		const wanted = fromHex(id);
		let low = this.#firstOf(wanted[0]!);
		let high = this.#view.getUint32(8 + wanted[0]! * 4);
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
		for (let i = this.#firstOf(first); i < this.#view.getUint32(8 + last * 4); i++) {
			const id = this.idAt(i);
			if (id.startsWith(prefix)) found.push(id);
		}
		return found;
	}

	idAt(position: number): string {
		return toHex(this.bytes.subarray(1032 + position * 20, 1052 + position * 20));
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
		return byte === 0 ? 0 : this.#view.getUint32(8 + (byte - 1) * 4);
	}

	#compare(position: number, wanted: Uint8Array): number {
		const at = 1032 + position * 20;
		for (let i = 0; i < 20; i++) if (this.bytes[at + i] !== wanted[i]) return this.bytes[at + i]! - wanted[i]!;
		return 0;
	}

	#offsetAt(position: number): number {
		const offset = this.#view.getUint32(1032 + this.count * 24 + position * 4);
		if (offset < 0x80000000) return offset;
		const large = 1032 + this.count * 28 + (offset - 0x80000000) * 8;
		return this.#view.getUint32(large) * 0x100000000 + this.#view.getUint32(large + 4);
	}
}
