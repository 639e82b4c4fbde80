import { encode } from '../bytes.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A line of a file as it is searched: as text, or byte by byte where it is no UTF-8. */
export class SearchedLine {
	readonly text: string;
	readonly #isText: boolean;

	/** @param raw binary text without its newline */
	constructor(readonly raw: string) {
		const text = decoded(raw);
		this.#isText = text !== null;
		this.text = text ?? raw;
	}

	/** A part of the text as it is in the file, binary text. */
	bytes(from: number, to?: number): string {
		const part = this.text.slice(from, to);
		return this.#isText ? binaryText(encode(part)) : part;
	}

	/** Number of the byte at a position, from 1. */
	column(at: number): number {
		return this.bytes(0, at).length + 1;
	}
}

function decoded(raw: string): string | null {
	if (!/[^\x00-\x7f]/.test(raw)) return raw;
	try {
		return decoder.decode(binaryBytes(raw));
	} catch (error) {
		if (error instanceof TypeError) return null;
		throw error;
	}
}
