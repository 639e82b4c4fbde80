import type { Settings } from './settings.ts';

/** A line being printed: its column is known, and blanks are held back until something follows them. */
export class Line {
	#text = '';
	/** Column reached, and the one that held blanks lead to. */
	#column = 0;
	#goal = 0;

	constructor(private readonly compresses: Settings['compresses']) {}

	get column(): number {
		return this.#goal;
	}

	/** Leads to a column with blanks. */
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

	/** The text; blanks at its end are held back for good. */
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
