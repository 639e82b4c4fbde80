import { concat, decode } from '../bytes.ts';

/** Value of the first byte of a line (https://git-scm.com/docs/gitprotocol-pack, "side-band-64k"). */
const PACK_BAND = 1;
const PROGRESS_BAND = 2;
const LENGTH_DIGITS = 4;

/** Handlers for the parts of a response. */
export interface Takers {
	/** Receives the bytes of the pack as they arrive. */
	takePack(bytes: Uint8Array): void;
	/** Receives messages of the server for the user. */
	takeProgress(bytes: Uint8Array): void;
}

/** Extracts pack and progress from a response of `git-upload-pack` and yields the rest: negotiation and errors. */
export async function* withoutPack(answer: AsyncIterable<Uint8Array>, takers: Takers): AsyncGenerator<Uint8Array> {
	let rest: Uint8Array = new Uint8Array(0);
	for await (const part of answer) {
		const bytes = rest.length > 0 ? concat([rest, part]) : part;
		let at = 0;
		for (; at + LENGTH_DIGITS <= bytes.length;) {
			const digits = decode(bytes.subarray(at, at + LENGTH_DIGITS));
			const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
			// 0000 ends a section. Invalid lines are left for the consumer to reject.
			const end = at + (length >= LENGTH_DIGITS ? length : LENGTH_DIGITS);
			if (end > bytes.length) break;
			const band = length > LENGTH_DIGITS ? bytes[at + LENGTH_DIGITS] : undefined;
			const content = bytes.subarray(at + LENGTH_DIGITS + 1, end);
			if (band === PACK_BAND) takers.takePack(content);
			else if (band === PROGRESS_BAND) takers.takeProgress(content);
			else yield bytes.subarray(at, end);
			at = end;
		}
		rest = bytes.slice(at);
	}
	if (rest.length > 0) yield rest;
}
