import { COLOR_RESET, slotColor, wantsColor } from '../color-choice.ts';
import { inputLines } from '../input-lines.ts';
import type { Invocation } from '../invocation.ts';

const USUAL = { prompt: 'bold blue', header: 'bold', help: 'bold red', error: 'bold red' };
type Slot = keyof typeof USUAL;

/** Asks the user questions and reads the answers line by line. */
export class Dialogue {
	readonly #lines: Iterator<string>;
	readonly #isColored: boolean;

	constructor(private readonly git: Invocation) {
		this.#lines = inputLines(git)[Symbol.iterator]();
		this.#isColored = wantsColor(git, 'interactive');
	}

	/** Colors a text as configured in `color.interactive`. */
	paint(slot: Slot, text: string): string {
		if (!this.#isColored) return text;
		return slotColor(this.git.repository, 'interactive', slot, USUAL[slot]) + text + COLOR_RESET;
	}

	/** Reads the next line without trailing whitespace; null at the end of input. */
	ask(question: string): string | null {
		this.git.out(question);
		this.git.flush();
		const next = this.#lines.next();
		return next.done === true ? null : next.value.replace(/\s+$/, '');
	}

	/** Asks until the answer is yes or no; the end of input means no. */
	confirm(question: string): boolean {
		for (;;) {
			const line = this.ask(this.paint('prompt', question));
			if (line === null) return false;
			const answer = line[0]?.toLowerCase();
			if (answer === 'y') return true;
			if (answer === 'n') return false;
		}
	}

	/** Prints an error. */
	refuse(text: string): void {
		this.git.err(`${this.paint('error', text)}\n`);
	}
}
