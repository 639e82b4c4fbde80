import { concat, decode } from '../bytes.ts';
import { HEAD_BYTES, packetLength } from './packet.ts';

/** Value of the first byte of a line (https://git-scm.com/docs/gitprotocol-pack, "side-band-64k"). */
const PACK_BAND = 1;
const PROGRESS_BAND = 2;

/** Handlers for the parts of a response. */
export interface Takers {
	/** Receives the bytes of the pack as they arrive. */
	takePack(bytes: Uint8Array): void;
	/** Receives messages of the server for the user. */
	takeProgress(bytes: Uint8Array): void;
}

/** Separates pack and progress from the rest of a response of `git-upload-pack`: negotiation and errors. */
export class PackResponse {
	#rest: Uint8Array = new Uint8Array(0);

	constructor(private readonly takers: Takers) {}

	/** Adds bytes of the response. Returns the complete lines of the rest. */
	push(part: Uint8Array): Uint8Array {
		const bytes = this.#rest.length > 0 ? concat([this.#rest, part]) : part;
		const lines: Uint8Array[] = [];
		let at = 0;
		for (; at + HEAD_BYTES <= bytes.length;) {
			const digits = decode(bytes.subarray(at, at + HEAD_BYTES));
			const length = packetLength(digits);
			// 0000 ends a section. Invalid lines are left for the consumer to reject.
			const end = at + (length >= HEAD_BYTES ? length : HEAD_BYTES);
			if (end > bytes.length) break;
			const band = length > HEAD_BYTES ? bytes[at + HEAD_BYTES] : undefined;
			const content = bytes.subarray(at + HEAD_BYTES + 1, end);
			if (band === PACK_BAND) this.takers.takePack(content);
			else if (band === PROGRESS_BAND) this.takers.takeProgress(content);
			else lines.push(bytes.subarray(at, end));
			at = end;
		}
		this.#rest = bytes.slice(at);
		return concat(lines);
	}

	/** Incomplete line at the end of the response; empty if there is none. */
	end(): Uint8Array {
		return this.#rest;
	}
}

/** Extracts pack and progress from a response as it arrives, and yields the rest. */
export async function* withoutPack(answer: AsyncIterable<Uint8Array>, takers: Takers): AsyncGenerator<Uint8Array> {
	const response = new PackResponse(takers);
	for await (const part of answer) yield response.push(part);
	yield response.end();
}
