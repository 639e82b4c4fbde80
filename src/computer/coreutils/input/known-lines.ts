import type { Line } from './line-source.ts';

/** Lines of a text in memory, with the interface of `LineSource`. */
export class KnownLines {
	readonly status = 0;
	#text: string | null;

	constructor(
		text: string,
		private readonly delimiter: number
	) {
		this.#text = text;
	}

	/** Returns all lines the first time, then none. */
	batch(): Line[] {
		if (this.#text === null || this.#text === '') return [];
		const separator = String.fromCharCode(this.delimiter);
		const lines = this.#text.split(separator).map((text) => ({ text, ended: true }));
		this.#text = null;
		const last = lines.at(-1);
		if (last?.text === '') lines.pop();
		else if (last) last.ended = false;
		return lines;
	}

	close(): void {
		this.#text = null;
	}
}
