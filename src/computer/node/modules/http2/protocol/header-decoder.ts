import { Buffer } from 'buffer';
import { type HeaderField, HeaderTable } from './header-table.ts';
import { huffmanDecode } from './huffman.ts';

/** Longest name or value of a field. */
const MAX_TEXT_BYTES = 65_536;
/** Bytes of the longest number, which has 32 bits. */
const MAX_NUMBER_BYTES = 6;

/** Header block that cannot be decoded. The connection has to end, since the tables of both sides differ from now on. */
export class CompressionError extends Error {
	override readonly name = 'CompressionError';
}

/** Decoder of the header blocks of a connection (HPACK, RFC 7541). */
export class HeaderDecoder {
	readonly #table: HeaderTable;
	#bytes: Uint8Array = new Uint8Array(0);
	#at = 0;
	/** Set while a smaller table was announced, but the other side has not confirmed it. */
	#expectsUpdate = false;
	#limit: number;

	/** @param maxTableBytes size of the dynamic table that the other side may use */
	constructor(maxTableBytes = 4096) {
		this.#limit = maxTableBytes;
		this.#table = new HeaderTable(maxTableBytes);
	}

	/** Bytes of the dynamic table. */
	get tableBytes(): number {
		return this.#table.bytes;
	}

	/** Sets the size of the table once the other side knows of it. */
	setLimit(maxTableBytes: number): void {
		if (maxTableBytes < this.#table.maxBytes) {
			this.#expectsUpdate = true;
			this.#table.resize(maxTableBytes);
		}
		this.#limit = maxTableBytes;
	}

	/**
	 * Decodes a whole block.
	 * @param take called with each field
	 * @throws CompressionError
	 */
	decode(block: Uint8Array, take: (field: HeaderField) => void): void {
		this.#bytes = block;
		this.#at = 0;
		let isStart = true;
		while (this.#at < this.#bytes.length) {
			const first = this.#bytes[this.#at] ?? 0;
			if ((first & 0xe0) === 0x20) {
				if (!isStart) throw new CompressionError('A size of the table follows a field.');
				this.#updateSize();
				continue;
			}
			if (this.#expectsUpdate) throw new CompressionError('The smaller size of the table was not confirmed.');
			isStart = false;
			take(this.#field(first));
		}
	}

	#updateSize(): void {
		const size = this.#number(5);
		if (size > this.#limit) throw new CompressionError('The size of the table is beyond the limit.');
		this.#expectsUpdate = false;
		this.#table.resize(size);
	}

	#field(first: number): HeaderField {
		if (first >= 0x80) return { ...this.#indexed(this.#number(7)) };
		const isAdded = first >= 0x40;
		const index = this.#number(isAdded ? 6 : 4);
		const name = index === 0 ? this.#text() : this.#indexed(index).name;
		const field: HeaderField = { name, value: this.#text() };
		if (isAdded) this.#table.add(field);
		else if (first >= 0x10) field.isSensitive = true;
		return field;
	}

	#indexed(index: number): HeaderField {
		const field = this.#table.get(index);
		if (!field) throw new CompressionError(`The tables have no index ${index}.`);
		return field;
	}

	#byte(): number {
		const byte = this.#bytes[this.#at++];
		if (byte === undefined) throw new CompressionError('The block ends within a field.');
		return byte;
	}

	/** @param bits size of the prefix */
	#number(bits: number): number {
		const most = 2 ** bits - 1;
		let value = this.#byte() & most;
		if (value < most) return value;
		for (let count = 0; count < MAX_NUMBER_BYTES; count++) {
			const byte = this.#byte();
			value += (byte & 127) * 2 ** (7 * count);
			if (value >= 2 ** 32) break;
			if (byte < 128) return value;
		}
		throw new CompressionError('A number is too large.');
	}

	#text(): string {
		const isHuffman = ((this.#bytes[this.#at] ?? 0) & 0x80) !== 0;
		const length = this.#number(7);
		if (length > MAX_TEXT_BYTES) throw new CompressionError('A name or a value is too long.');
		const end = this.#at + length;
		if (end > this.#bytes.length) throw new CompressionError('The block ends within a text.');
		const given = this.#bytes.subarray(this.#at, end);
		this.#at = end;
		const bytes = isHuffman ? huffmanDecode(given) : given;
		if (!bytes) throw new CompressionError('A text is not in Huffman code.');
		if (bytes.length > MAX_TEXT_BYTES) throw new CompressionError('A name or a value is too long.');
		return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
	}
}
