import { decode } from '#computer/process/text.ts';
import { awkPattern, searching } from './regexps.ts';

/** A record, and the separator that ended it. */
export interface Piece {
	text: string;
	terminator: string;
}

/** Rules for how records end. */
export interface Ending {
	/** A character, a regular expression, or empty for paragraphs. */
	separator: string;
	isPattern: boolean;
	ignoreCase: boolean;
}

/** Splits a text that arrives in pieces into records. */
export class RecordReader {
	#text = '';
	#at = 0;
	#isOver = false;

	/** Adds more of the text; null marks its end. */
	feed(text: string | null): void {
		if (text === null) this.#isOver = true;
		else {
			// Keeps one character, so that `^` does not match at the start of the rest.
			const kept = Math.min(1, this.#at);
			this.#text = this.#text.slice(this.#at - kept) + text;
			this.#at = kept;
		}
	}

	/** Returns the next record; null at the end, `more` if more text is needed to decide. */
	next(ending: Ending): Piece | null | 'more' {
		if (ending.separator === '') return this.#paragraph();
		if (this.#at >= this.#text.length) return this.#isOver ? null : 'more';
		return ending.isPattern ? this.#untilPattern(ending) : this.#untilCharacter(ending);
	}

	#untilCharacter({ separator, ignoreCase }: Ending): Piece | 'more' {
		if (ignoreCase && /[a-z]/i.test(separator)) return this.#untilPattern({ separator, isPattern: true, ignoreCase });
		const stop = this.#text.indexOf(separator, this.#at);
		if (stop < 0) return this.#rest();
		return this.#take(stop, separator);
	}

	#untilPattern({ separator, ignoreCase }: Ending): Piece | 'more' {
		const search = searching(awkPattern(separator, ignoreCase));
		search.lastIndex = this.#at;
		for (let match = search.exec(this.#text); match; match = search.exec(this.#text)) {
			if (match[0] === '') {
				search.lastIndex++;
				continue;
			}
			// The match may continue in the next piece.
			if (match.index + match[0].length >= this.#text.length && !this.#isOver) return 'more';
			return this.#take(match.index, match[0]);
		}
		return this.#rest();
	}

	#paragraph(): Piece | null | 'more' {
		while (this.#text[this.#at] === '\n') this.#at++;
		if (this.#at >= this.#text.length) return this.#isOver ? null : 'more';
		const search = /\n\n+/g;
		search.lastIndex = this.#at;
		const match = search.exec(this.#text);
		if (match && (match.index + match[0].length < this.#text.length || this.#isOver))
			return this.#take(match.index, match[0]);
		if (!this.#isOver) return 'more';
		const rest = this.#text.slice(this.#at);
		this.#at = this.#text.length;
		const text = rest.replace(/\n$/, '');
		return { text, terminator: rest.slice(text.length) };
	}

	#take(stop: number, terminator: string): Piece {
		const text = this.#text.slice(this.#at, stop);
		this.#at = stop + terminator.length;
		return { text, terminator };
	}

	#rest(): Piece | 'more' {
		if (!this.#isOver) return 'more';
		const text = this.#text.slice(this.#at);
		this.#at = this.#text.length;
		return { text, terminator: '' };
	}
}

/** Decodes bytes that arrive in pieces, which may end within a character. */
export class TextPieces {
	#left = new Uint8Array();

	/** @param bytes the next piece; empty at the end */
	text(bytes: Uint8Array): string {
		const all = new Uint8Array(this.#left.length + bytes.length);
		all.set(this.#left);
		all.set(bytes, this.#left.length);
		const end = bytes.length === 0 ? all.length : wholeCharacters(all);
		this.#left = all.slice(end);
		return decode(all.subarray(0, end));
	}
}

/** Length of the bytes without an incomplete character at their end. */
function wholeCharacters(bytes: Uint8Array): number {
	for (let back = 1; back <= Math.min(3, bytes.length); back++) {
		const byte = bytes[bytes.length - back] ?? 0;
		if ((byte & 0xc0) === 0x80) continue;
		const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
		return length > back ? bytes.length - back : bytes.length;
	}
	return bytes.length;
}
