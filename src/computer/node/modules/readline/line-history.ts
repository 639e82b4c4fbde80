/** Entered lines, newest first, and the one currently selected. */
export class LineHistory {
	lines: string[];
	index = -1;
	#searched = '';
	readonly #size: number;
	readonly #isUnique: boolean;

	constructor(options: { history?: string[]; historySize?: number; removeHistoryDuplicates?: boolean }) {
		this.lines = options.history ?? [];
		this.#size = options.historySize ?? 30;
		this.#isUnique = options.removeHistoryDuplicates === true;
	}

	/** @returns true if it was added */
	add(line: string): boolean {
		this.index = -1;
		if (this.#size === 0 || line.trim() === '' || this.lines[0] === line) return false;
		if (this.#isUnique) this.lines.splice(0, this.lines.length, ...this.lines.filter((earlier) => earlier !== line));
		this.lines.unshift(line);
		this.lines.splice(this.#size);
		return true;
	}

	/** Next older line that starts with the text before the cursor; `null` if there is none. */
	older(line: string, cursor: number): string | null {
		if (this.index < 0) this.#searched = line.slice(0, cursor);
		for (let at = this.index + 1; at < this.lines.length; at++) {
			const found = this.lines[at] ?? '';
			if (!found.startsWith(this.#searched) || found === line) continue;
			this.index = at;
			return found;
		}
		return null;
	}

	/** Next newer line, or the text of the search; `null` if no line was recalled. */
	newer(line: string): string | null {
		if (this.index < 0) return null;
		for (let at = this.index - 1; at >= 0; at--) {
			const found = this.lines[at] ?? '';
			if (!found.startsWith(this.#searched) || found === line) continue;
			this.index = at;
			return found;
		}
		this.index = -1;
		return this.#searched;
	}
}
