import { toHex } from '../bytes.ts';
import { applyDelta } from './delta.ts';
import { EndsEarly, inflateInto } from '#environment/archive/inflate.ts';
import { OBJECT_TYPES, type GitObject, type ObjectType } from './object.ts';
import { ID_DELTA, OFFSET_DELTA } from './pack-format.ts';

/** Representation of an object in a pack (https://git-scm.com/docs/pack-format). */
export interface PackedObject {
	/** Type, or the base of a delta: its distance in bytes back from this object, or its id. */
	is: ObjectType | { back: number } | { id: string };
	/** Size of the content, or of the delta. */
	size: number;
	/** Start of the compressed bytes. */
	dataAt: number;
}

/** Parses the header of the object at `at`. @throws EndsEarly, RangeError for an unknown type */
export function readPackedObject(bytes: Uint8Array, at: number): PackedObject {
	const next = (): number => {
		const byte = bytes[at++];
		if (byte === undefined) throw new EndsEarly('an object in a pack ends early');
		return byte;
	};
	let byte = next();
	const type = (byte >> 4) & 7;
	let size = byte & 15;
	for (let scale = 16; byte & 128; scale *= 128) {
		byte = next();
		size += (byte & 127) * scale;
		if (!Number.isSafeInteger(size)) throw new RangeError('an object in a pack has no size that can be');
	}
	if (type === OFFSET_DELTA) {
		byte = next();
		let back = byte & 127;
		while (byte & 128) {
			byte = next();
			back = (back + 1) * 128 + (byte & 127);
		}
		return { is: { back }, size, dataAt: at };
	}
	if (type === ID_DELTA) {
		if (at + 20 > bytes.length) throw new EndsEarly('an object in a pack ends early');
		return { is: { id: toHex(bytes.subarray(at, at + 20)) }, size, dataAt: at + 20 };
	}
	const name = OBJECT_TYPES[type - 1];
	if (name === undefined) throw new RangeError(`a pack has an object of unknown type ${type}`);
	return { is: name, size, dataAt: at };
}

/** Inflates the content of an object, or its delta. */
export function inflatePacked(bytes: Uint8Array, { size, dataAt }: PackedObject): Uint8Array {
	const content = new Uint8Array(size);
	inflateInto(bytes, dataAt, content);
	return content;
}

export const fromDelta = (base: GitObject, delta: Uint8Array): GitObject => ({
	type: base.type,
	content: applyDelta(base.content, delta)
});
