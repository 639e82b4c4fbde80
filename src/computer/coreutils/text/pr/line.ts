import type { Settings } from './settings.ts';

/** A line being printed: tracks its column, and holds blanks back until something follows them. */
export class Line {
	#text = '';
	/** Current column; `#goal`: the column after the blanks held back. */
	#column = 0;
	#goal = 0;

	constructor(private readonly compresses: Settings['compresses']) {}

	get column(): number {
		return this.#goal;
	}

	/** Moves to a column with blanks. */
	moveTo(column: number): void {
		this.#goal = Math.max(this.#goal, column);
	}

	add(text: string): void {
		for (const char of text) {
			if (char === ' ' && this.compresses) {
				this.#goal++;
				continue;
			}
			this.#flush();
			this.#text += char;
			this.#goal = this.#column = char === '\t' ? this.#column + 8 - (this.#column % 8) : this.#column + 1;
		}
	}

	/** The text, without trailing blanks. */
	get text(): string {
		return this.#text;
	}

	#flush(): void {
		const { compresses } = this;
		if (compresses) {
			for (;;) {
				const next = this.#column + compresses.width - (this.#column % compresses.width);
				if (this.#goal - this.#column <= 1 || next > this.#goal) break;
				this.#text += compresses.char;
				this.#column = next;
			}
		}
		this.#text += ' '.repeat(this.#goal - this.#column);
		this.#column = this.#goal;
	}
}
