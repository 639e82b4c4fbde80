import { FILE_BYTES } from '#computer/abi/limits.ts';

/**
 * Rebuilds an object from its base and a delta from a pack.
 * @throws RangeError if the delta does not match the base
 */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
	let at = 0;
	const byte = (): number => {
		const value = delta[at++];
		if (value === undefined) throw new RangeError('a delta ends early');
		return value;
	};
	const size = (): number => {
		let value = 0;
		let scale = 1;
		for (;;) {
			const part = byte();
			value += (part & 127) * scale;
			if (part < 128) return value;
			scale *= 128;
		}
	};
	if (size() !== base.length) throw new RangeError('a delta was made of another object');
	const length = size();
	if (length > FILE_BYTES) throw new RangeError(`an object is larger than ${FILE_BYTES >> 20} MB`);
	const result = new Uint8Array(length);
	let filled = 0;
	const copy = (source: Uint8Array, from: number, length: number): void => {
		if (from + length > source.length || filled + length > result.length) throw new RangeError('a delta overruns');
		result.set(source.subarray(from, from + length), filled);
		filled += length;
	};
	while (at < delta.length) {
		const code = byte();
		if (code & 128) {
			let from = 0;
			let length = 0;
			for (let i = 0; i < 4; i++) if (code & (1 << i)) from += byte() * 2 ** (8 * i);
			for (let i = 0; i < 3; i++) if (code & (16 << i)) length |= byte() << (8 * i);
			copy(base, from, length === 0 ? 0x10000 : length);
		} else {
			if (code === 0) throw new RangeError('a delta has an unknown instruction');
			copy(delta, at, code);
			at += code;
		}
	}
	if (filled !== result.length) throw new RangeError('a delta ends early');
	return result;
}
