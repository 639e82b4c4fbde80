import { concat, decode } from '../bytes.ts';

/** What the first byte of a line says it is (https://git-scm.com/docs/gitprotocol-pack, "side-band-64k"). */
const PACK_BAND = 1;
const LENGTH_DIGITS = 4;

/**
 * Takes the pack out of an answer of `git-upload-pack` and gives what is around it: lines of the negotiation,
 * progress, errors.
 *
 * @param take gets the bytes of the pack as they come
 */
export async function* withoutPack(
	answer: AsyncIterable<Uint8Array>,
	take: (bytes: Uint8Array) => void
): AsyncGenerator<Uint8Array> {
	let rest: Uint8Array = new Uint8Array(0);
	for await (const part of answer) {
		const bytes = rest.length > 0 ? concat([rest, part]) : part;
		let at = 0;
		for (; at + LENGTH_DIGITS <= bytes.length;) {
			const digits = decode(bytes.subarray(at, at + LENGTH_DIGITS));
			const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
			// 0000 ends a section. What is no line is for the other side to complain about.
			const end = at + (length >= LENGTH_DIGITS ? length : LENGTH_DIGITS);
			if (end > bytes.length) break;
			if (length > LENGTH_DIGITS && bytes[at + LENGTH_DIGITS] === PACK_BAND)
				take(bytes.subarray(at + LENGTH_DIGITS + 1, end));
			else yield bytes.subarray(at, end);
			at = end;
		}
		rest = bytes.slice(at);
	}
	if (rest.length > 0) yield rest;
}
