const PIECE = 64 * 1024;

/** Text of one stream for the result: complete up to a limit, otherwise its beginning and end. */
export class BoundedText {
	#head = '';
	#tail: string[] = [];
	#tailLength = 0;
	#dropped = 0;

	/** @param limit maximum number of characters; 0 discards everything without a notice */
	constructor(private readonly limit: number) {}

	add(text: string): void {
		if (this.limit === 0) return;
		const half = Math.floor(this.limit / 2);
		const room = half - this.#head.length;
		if (room > 0) this.#head += text.slice(0, room);
		const rest = room > 0 ? text.slice(room) : text;
		if (rest === '') return;
		// Merge into few long pieces: a program may write letter by letter.
		const last = this.#tail.at(-1);
		if (last !== undefined && last.length < PIECE) this.#tail[this.#tail.length - 1] = last + rest;
		else this.#tail.push(rest);
		this.#tailLength += rest.length;
		// Drop whole pieces, so that a piece is not cut again for each new one.
		for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
			if (this.#tailLength - first.length < this.limit - half) break;
			this.#tail.shift();
			this.#tailLength -= first.length;
			this.#dropped += first.length;
		}
	}

	toString(): string {
		const end = this.#tail.join('');
		const over = Math.max(0, this.#head.length + end.length - this.limit);
		const dropped = this.#dropped + over;
		if (dropped === 0) return this.#head + end;
		const megabytes = Math.round(this.limit / 1024 / 1024);
		const sentence = `\n[${dropped} characters are left out here: of a command's output the first and the last ${megabytes / 2} MB are kept. Redirect it to a file to keep it all.]\n`;
		return this.#head + sentence + end.slice(over);
	}
}
