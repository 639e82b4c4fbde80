import { charWidth, textWidth } from './width.ts';

/** Draws prompt and line on a terminal that wraps, replacing what was drawn before. */
export class Screen {
	#cursorRow = 0;

	constructor(
		private readonly write: (text: string) => void,
		private readonly columns: () => number
	) {}

	/** Starts a new line at the cursor. */
	begin(): void {
		this.#cursorRow = 0;
	}

	draw(prompt: string, chars: readonly string[], cursor: number): void {
		const columns = Math.max(2, this.columns());
		let output = this.#cursorRow > 0 ? `\x1b[${this.#cursorRow}A` : '';
		output += `\r\x1b[J${prompt}`;
		let [row, column] = [Math.floor(textWidth(prompt) / columns), textWidth(prompt) % columns];
		let target = [row, column];
		for (const [index, char] of chars.entries()) {
			if (index === cursor) target = [row, column];
			if (char === '\n') {
				output += '\n';
				row++;
				column = 0;
				continue;
			}
			const width = charWidth(char);
			if (column + width > columns) {
				row++;
				column = 0;
			}
			output += char;
			column += width;
		}
		// The terminal only wraps at the next character: wrap now, so that the cursor is where it is assumed to be.
		if (column >= columns) {
			output += ' \r';
			row++;
			column = 0;
		}
		if (cursor >= chars.length) target = [row, column];
		const [targetRow = 0, targetColumn = 0] = target;
		const up = row - targetRow;
		output += `${up > 0 ? `\x1b[${up}A` : ''}\r${targetColumn > 0 ? `\x1b[${targetColumn}C` : ''}`;
		this.#cursorRow = targetRow;
		this.write(output);
	}

	/** Moves below the line, as when Enter was pressed. */
	leave(prompt: string, chars: readonly string[]): void {
		this.draw(prompt, chars, chars.length);
		this.write('\n');
		this.#cursorRow = 0;
	}
}
