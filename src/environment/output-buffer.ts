/** Limit for the output of one stream: a command that prints endlessly must not fill the memory. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Output of one stream. Beyond the limit the oldest part is dropped, and the text says so. */
export class OutputBuffer {
	#chunks: string[] = [];
	#length = 0;
	#dropped = 0;

	/** @param kept limit in characters; 0 discards everything */
	constructor(private readonly kept = MAX_CHARACTERS) {}

	add(data: string): void {
		if (this.kept === 0) return;
		this.#chunks.push(data);
		this.#length += data.length;
		if (this.#length <= this.kept * 1.25) return;
		let first = 0;
		while (this.#length > this.kept && first < this.#chunks.length - 1) {
			const length = this.#chunks[first++]?.length ?? 0;
			this.#length -= length;
			this.#dropped += length;
		}
		this.#chunks = this.#chunks.slice(first);
	}

	text(): string {
		const kept = this.#chunks.join('');
		return this.#dropped ? `[${this.#dropped} earlier characters were dropped]\n${kept}` : kept;
	}
}
