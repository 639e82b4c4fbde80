import { concat, encode } from '#computer/process/text.ts';
import { crc32 } from '#environment/crc32.ts';

/** File types, in the upper half of the entry's Unix mode. */
export const ZipKind = { file: 0o100000, directory: 0o040000, link: 0o120000 } as const;

export interface NewZipMember {
	name: string;
	content: Uint8Array;
	/** Bytes as stored: the content itself, or deflated. */
	packed: Uint8Array;
	isDeflated: boolean;
	modified: Date;
	/** Permission bits. */
	mode: number;
	kind: (typeof ZipKind)[keyof typeof ZipKind];
}

/** Writes an archive in the format of PKWARE's APPNOTE, without ZIP64: up to 65,535 members and 4 GB. */
export class ZipWriter {
	readonly #pieces: Uint8Array[] = [];
	readonly #directory: Uint8Array[] = [];
	#offset = 0;

	add(member: NewZipMember): void {
		const name = encode(member.name);
		const common = commonFields(member, name.length);
		const local = concat([Uint8Array.of(0x50, 0x4b, 3, 4), common, name, member.packed]);
		const tail = new DataView(new ArrayBuffer(14));
		tail.setUint32(6, ((member.kind | member.mode) << 16) >>> 0, true);
		tail.setUint32(10, this.#offset, true);
		this.#directory.push(concat([Uint8Array.of(0x50, 0x4b, 1, 2, 20, 3), common, new Uint8Array(tail.buffer), name]));
		this.#pieces.push(local);
		this.#offset += local.length;
	}

	/** Returns the whole archive. */
	finish(): Uint8Array {
		const central = concat(this.#directory);
		const end = new DataView(new ArrayBuffer(22));
		end.setUint32(0, 0x06054b50, true);
		end.setUint16(8, this.#directory.length, true);
		end.setUint16(10, this.#directory.length, true);
		end.setUint32(12, central.length, true);
		end.setUint32(16, this.#offset, true);
		return concat([...this.#pieces, central, new Uint8Array(end.buffer)]);
	}
}

/** Fields shared by the local header and the central directory. */
function commonFields({ content, packed, isDeflated, modified: at }: NewZipMember, nameBytes: number): Uint8Array {
	const fields = new DataView(new ArrayBuffer(26));
	const put16 = (offset: number, value: number) => fields.setUint16(offset, value, true);
	const put32 = (offset: number, value: number) => fields.setUint32(offset, value, true);
	put16(0, 20);
	put16(2, 0x800);
	put16(4, isDeflated ? 8 : 0);
	put16(6, (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1));
	put16(8, ((Math.max(1980, at.getFullYear()) - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate());
	put32(10, crc32(content));
	put32(14, packed.length);
	put32(18, content.length);
	put16(22, nameBytes);
	return new Uint8Array(fields.buffer);
}
