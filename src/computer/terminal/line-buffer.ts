/** Edited line with its cursor, counted in characters as displayed. */
export class LineBuffer {
	chars: string[] = [];
	cursor = 0;
	/** Text removed last by Ctrl-K, Ctrl-U or Ctrl-W, for Ctrl-Y. */
	#killed: string[] = [];

	get text(): string {
		return this.chars.join('');
	}

	get beforeCursor(): string {
		return this.chars.slice(0, this.cursor).join('');
	}

	set(text: string): void {
		this.chars = [...text];
		this.cursor = this.chars.length;
	}

	insert(text: string): void {
		const added = [...text];
		this.chars.splice(this.cursor, 0, ...added);
		this.cursor += added.length;
	}

	move(steps: number): void {
		this.cursor = Math.max(0, Math.min(this.chars.length, this.cursor + steps));
	}

	backspace(): void {
		if (this.cursor > 0) this.chars.splice(--this.cursor, 1);
	}

	delete(): void {
		this.chars.splice(this.cursor, 1);
	}

	wordStart(): number {
		let at = this.cursor;
		while (at > 0 && /\s/.test(this.chars[at - 1] ?? '')) at--;
		while (at > 0 && !/\s/.test(this.chars[at - 1] ?? '')) at--;
		return at;
	}

	wordEnd(): number {
		let at = this.cursor;
		while (at < this.chars.length && /\s/.test(this.chars[at] ?? '')) at++;
		while (at < this.chars.length && !/\s/.test(this.chars[at] ?? '')) at++;
		return at;
	}

	/** Removes the characters between `from` and `to` and stores them for `yank`. */
	kill(from: number, to: number): void {
		if (from === to) return;
		this.#killed = this.chars.splice(from, to - from);
		this.cursor = from;
	}

	yank(): void {
		this.insert(this.#killed.join(''));
	}
}
