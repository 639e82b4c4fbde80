import { sha1 } from '#environment/sha1.ts';
import { concat, fromHex, toHex } from '../bytes.ts';

export interface IndexedObject {
	id: string;
	offset: number;
	/** CRC-32 of its bytes in the pack, including the header. */
	crc: number;
}

/** Format of the index of a pack. */
export interface IndexVersion {
	version: 1 | 2;
	/** Offsets from this one on are written with 64 bits. */
	largeFrom: number;
}

/** git's default format: 31 bits hold an offset, the highest bit marks a large one. */
export const USUAL_INDEX: IndexVersion = { version: 2, largeFrom: 0x80000000 };

const MAGIC = Uint8Array.of(0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2);

/** Builds the `.idx` file. Sorts `objects`. */
export function packIndex(
	objects: IndexedObject[],
	packDigest: Uint8Array,
	form = USUAL_INDEX
): { name: string; index: Uint8Array } {
	objects.sort((a, b) => (a.id < b.id ? -1 : 1));
	const ids = objects.map(({ id }) => fromHex(id));
	const names = concat(ids);
	const body =
		form.version === 1
			? [fanout(ids), ...objects.flatMap(({ offset }, i) => [number32(offset), ids[i]!])]
			: [MAGIC, fanout(ids), names, ...positions(objects, form.largeFrom)];
	const whole = concat([...body, packDigest]);
	return { name: `pack-${toHex(sha1(names))}`, index: concat([whole, sha1(whole)]) };
}

/** Number of ids up to each first byte. */
function fanout(ids: readonly Uint8Array[]): Uint8Array {
	const table = new Uint8Array(1024);
	const view = new DataView(table.buffer);
	let next = 0;
	for (let byte = 0; byte < 256; byte++) {
		while (next < ids.length && ids[next]![0]! <= byte) next++;
		view.setUint32(byte * 4, next);
	}
	return table;
}

/** Checksums and offsets, followed by the offsets that take 64 bits. */
function positions(objects: readonly IndexedObject[], largeFrom: number): Uint8Array[] {
	const bytes = new Uint8Array(objects.length * 8);
	const view = new DataView(bytes.buffer);
	const large: Uint8Array[] = [];
	objects.forEach(({ crc, offset }, i) => {
		view.setUint32(i * 4, crc);
		const isLarge = offset >= largeFrom || offset >= USUAL_INDEX.largeFrom;
		view.setUint32((objects.length + i) * 4, isLarge ? 0x80000000 + large.length : offset);
		if (isLarge) large.push(concat([number32(Math.floor(offset / 2 ** 32)), number32(offset % 2 ** 32)]));
	});
	return [bytes, ...large];
}

function number32(value: number): Uint8Array {
	const bytes = new Uint8Array(4);
	new DataView(bytes.buffer).setUint32(0, value);
	return bytes;
}
