/** Typed commands, for `history` and `fc`. */
export class CommandHistory {
	entries: string[] = [];
	/** Number of the first entry. */
	base = 1;
	/** Number of entries at the end that are not yet in the history file. */
	fresh = 0;
	/** Number of lines of the file that were read. */
	known = 0;

	add(text: string, limit: number): void {
		this.entries.push(text);
		this.fresh++;
		this.shrink(limit);
	}

	shrink(limit: number): void {
		const surplus = this.entries.length - limit;
		if (surplus <= 0 || Number.isNaN(limit)) return;
		this.entries.splice(0, surplus);
		this.base += surplus;
		this.fresh = Math.min(this.fresh, this.entries.length);
	}

	clear(): void {
		this.entries = [];
		this.base = 1;
		this.fresh = 0;
	}

	/** @param from and to: indexes, inclusive. Returns false if there are no such entries. */
	remove(from: number, to = from): boolean {
		if (from < 0 || to >= this.entries.length || to < from) return false;
		this.entries.splice(from, to - from + 1);
		this.fresh = Math.min(this.fresh, this.entries.length);
		return true;
	}
}
