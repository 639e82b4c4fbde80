import { fieldBytes, type HeaderField, HeaderTable } from './header-table.ts';
import { huffmanEncode, huffmanLength } from './huffman.ts';

/** Fields whose values change so often that a table is of no use. */
const VARYING = new Set(':path age content-length etag if-modified-since if-none-match location set-cookie'.split(' '));
/** Cookies up to this size could be guessed from the size of a compressed block. */
const SHORT_COOKIE_BYTES = 20;

/** Bits before a number, by the kind of field. */
const KIND = { added: [0x40, 6], plain: [0x00, 4], sensitive: [0x10, 4] } as const;

/** Encoder of the header blocks of a connection (HPACK, RFC 7541). */
export class HeaderEncoder {
	readonly #table: HeaderTable;
	readonly #most: number;
	/** Sizes of the table to announce in the next block: the smallest one meanwhile, and the current one. */
	#smallest: number | null = null;
	#bytes: number[] = [];

	/** @param maxTableBytes size of the dynamic table that is used at most */
	constructor(maxTableBytes = 4096) {
		this.#most = maxTableBytes;
		this.#table = new HeaderTable(Math.min(maxTableBytes, 4096));
		if (maxTableBytes < 4096) this.#smallest = maxTableBytes;
	}

	/** Bytes of the dynamic table. */
	get tableBytes(): number {
		return this.#table.bytes;
	}

	/** Adopts the size that the other side allows. */
	setLimit(maxTableBytes: number): void {
		const size = Math.min(maxTableBytes, this.#most);
		this.#smallest = Math.min(this.#smallest ?? size, size);
		this.#table.resize(size);
	}

	encode(fields: readonly HeaderField[]): Uint8Array {
		this.#bytes = [];
		this.#announceSizes();
		for (const field of fields) this.#field(field);
		return Uint8Array.from(this.#bytes);
	}

	#announceSizes(): void {
		if (this.#smallest === null) return;
		if (this.#smallest < this.#table.maxBytes) this.#number(0x20, 5, this.#smallest);
		this.#number(0x20, 5, this.#table.maxBytes);
		this.#smallest = null;
	}

	#field(field: HeaderField): void {
		const kind = this.#kindOf(field);
		const found = this.#table.find(field, kind === 'sensitive');
		if (found?.hasValue) return this.#number(0x80, 7, found.index);
		const [pattern, bits] = KIND[kind];
		this.#number(pattern, bits, found?.index ?? 0);
		if (!found) this.#text(field.name);
		this.#text(field.value);
		if (kind === 'added') this.#table.add(field);
	}

	#kindOf(field: HeaderField): keyof typeof KIND {
		const { name, value, isSensitive } = field;
		const isShortCookie = name === 'cookie' && value.length < SHORT_COOKIE_BYTES;
		if (isSensitive || name === 'authorization' || isShortCookie) return 'sensitive';
		return VARYING.has(name) || fieldBytes(field) > (this.#table.maxBytes * 3) / 4 ? 'plain' : 'added';
	}

	/** @param bits size of the prefix, whose other bits are those of `pattern` */
	#number(pattern: number, bits: number, value: number): void {
		const most = 2 ** bits - 1;
		if (value < most) return void this.#bytes.push(pattern | value);
		this.#bytes.push(pattern | most);
		let rest = value - most;
		for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes.push((rest % 128) | 128);
		this.#bytes.push(rest);
	}

	#text(text: string): void {
		const length = huffmanLength(text);
		if (length < text.length) {
			this.#number(0x80, 7, length);
			for (const byte of huffmanEncode(text)) this.#bytes.push(byte);
			return;
		}
		this.#number(0, 7, text.length);
		for (let at = 0; at < text.length; at++) this.#bytes.push(text.charCodeAt(at) & 255);
	}
}

/** Size that a header block cannot exceed. */
export const encodedBound = (fields: readonly HeaderField[]): number =>
	fields.reduce((sum, { name, value }) => sum + 12 + name.length + value.length, 12);
