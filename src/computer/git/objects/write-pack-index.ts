import { sha1 } from '#environment/sha1.ts';
import { fromHex, toHex } from '../bytes.ts';

export interface IndexedObject {
	id: string;
	offset: number;
	/** CRC-32 of its bytes in the pack, head and all. */
	crc: number;
}

/** The `.idx` file, version 2. Sorts `objects`; the name is made of their ids. */
export function packIndex(objects: IndexedObject[], packDigest: Uint8Array): { name: string; index: Uint8Array } {
	objects.sort((a, b) => (a.id < b.id ? -1 : 1));
	const ids = objects.map(({ id }) => fromHex(id));
	const count = objects.length;
	const index = new Uint8Array(1032 + count * 28 + 40);
	const view = new DataView(index.buffer);
	view.setUint32(0, 0xff744f63);
	view.setUint32(4, 2);
	let next = 0;
	for (let byte = 0; byte < 256; byte++) {
		while (next < count && ids[next]![0]! <= byte) next++;
		view.setUint32(8 + byte * 4, next);
	}
	objects.forEach(({ crc, offset }, i) => {
		const id = ids[i]!;
		index.set(id, 1032 + i * 20);
		view.setUint32(1032 + count * 20 + i * 4, crc);
		view.setUint32(1032 + count * 24 + i * 4, offset);
	});
	const names = index.subarray(1032, 1032 + count * 20);
	index.set(packDigest, index.length - 40);
	index.set(sha1(index.subarray(0, index.length - 20)), index.length - 20);
	return { name: `pack-${toHex(sha1(names))}`, index };
}
