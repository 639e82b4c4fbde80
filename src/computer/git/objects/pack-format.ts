import { sha1 } from '#environment/sha1.ts';
import { concat, encode } from '../bytes.ts';
import { OBJECT_TYPES, type ObjectType } from './object.ts';

/** Size of the header of a pack, in bytes. */
export const PACK_HEAD_BYTES = 12;
/** Types of objects stored as deltas, by the distance to their base or by its id. */
export const OFFSET_DELTA = 6;
export const ID_DELTA = 7;

/** Header of a pack, version 2 (gitformat-pack(5)). */
export function packHead(count: number): Uint8Array {
	const head = new Uint8Array(PACK_HEAD_BYTES);
	head.set(encode('PACK'));
	const view = new DataView(head.buffer);
	view.setUint32(4, 2);
	view.setUint32(8, count);
	return head;
}

/** A complete pack without objects. */
export function emptyPack(): Uint8Array {
	const head = packHead(0);
	return concat([head, sha1(head)]);
}

/** Number of an object's type in a pack. */
export const packedType = (type: ObjectType): number => OBJECT_TYPES.indexOf(type) + 1;

/** Type and size that precede an object in a pack. */
export function objectHead(type: number, size: number): Uint8Array {
	const bytes: number[] = [];
	let byte = (type << 4) | (size & 15);
	for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
		bytes.push(byte | 128);
		byte = left & 127;
	}
	return Uint8Array.from([...bytes, byte]);
}
