import { encode } from '../bytes.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Line of a file in the form that is searched: text, or bytes if it is not UTF-8. */
export class SearchedLine {
	readonly text: string;
	readonly #isText: boolean;

	/** @param raw binary text without its newline */
	constructor(readonly raw: string) {
		const text = decoded(raw);
		this.#isText = text !== null;
		this.text = text ?? raw;
	}

	/** Part of the text as stored in the file, as binary text. */
	bytes(from: number, to?: number): string {
		const part = this.text.slice(from, to);
		return this.#isText ? binaryText(encode(part)) : part;
	}

	/** Byte offset of a position, from 1. */
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
