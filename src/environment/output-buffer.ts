/** Kept of one stream; a command that prints without end must not fill the memory. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** The output of one stream. Beyond what is kept the oldest is dropped, and the text says so. */
export class OutputBuffer {
	#chunks: string[] = [];
	#length = 0;
	#dropped = 0;

	/** @param kept characters; 0 keeps and says nothing */
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
