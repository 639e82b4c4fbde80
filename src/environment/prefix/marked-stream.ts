import { StringDecoder } from 'node:string_decoder';

/** Limit for the line after a mark, in characters: remote programs can print the mark too, without a line break. */
const MAX_LINE = 1_000;

/** Passes on text up to a mark; holds back text that may be the start of a mark until that is certain. */
export class MarkedStream {
	#held = '';
	#isOver = false;
	/** Takes a seventh of the time of `TextDecoder` for text in chunks. */
	readonly #decoder = new StringDecoder('utf8');

	/** @param onLine receives the rest of the line after a mark; the stream is over when it returns true */
	constructor(
		private readonly mark: string,
		private readonly onText: (text: string) => void,
		private readonly onLine?: (line: string) => boolean
	) {}

	get isOver(): boolean {
		return this.#isOver;
	}

	add(bytes: Uint8Array): void {
		if (this.#isOver) return;
		this.#held += this.#decoder.write(bytes);
		for (;;) {
			const at = this.#held.indexOf(this.mark);
			if (at === -1) break;
			const line = this.onLine ? this.#held.slice(at, at + MAX_LINE).indexOf('\n') : 0;
			if (line === -1 && this.#held.length - at >= MAX_LINE) {
				this.#give(this.#held.slice(0, at + this.mark.length));
				this.#held = this.#held.slice(at + this.mark.length);
				continue;
			}
			this.#give(this.#held.slice(0, at));
			this.#held = this.#held.slice(at);
			if (line === -1) return;
			this.#isOver = this.onLine?.(this.#held.slice(this.mark.length + 1, line)) ?? true;
			this.#held = this.#isOver ? '' : this.#held.slice(line + 1);
			if (this.#isOver) return;
		}
		let kept = Math.min(this.mark.length - 1, this.#held.length);
		while (kept > 0 && !this.mark.startsWith(this.#held.slice(-kept))) kept--;
		this.#give(this.#held.slice(0, this.#held.length - kept));
		this.#held = this.#held.slice(this.#held.length - kept);
	}

	/** Ends the stream when no more data arrives, with or without a mark. */
	finish(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#give(this.#held + this.#decoder.end());
		this.#held = '';
	}

	#give(text: string): void {
		if (text) this.onText(text);
	}
}
