import type { Lane } from './graph-lanes.ts';

/** Row of a graph, drawn from left to right. */
export class GraphRow {
	#text = '';
	#cells = 0;

	/** @param colored gives a text the color of a lane */
	constructor(private readonly colored: (text: string, lane: Lane | undefined) => string) {}

	/** Adds a character of a lane; blanks have no color. */
	add(text: string, lane?: Lane): this {
		this.#text += lane === undefined || text === ' ' ? text : this.colored(text, lane);
		this.#cells += text.length;
		return this;
	}

	/** Text of the row, padded at least to the width of its commit's rows. */
	padded(width: number): string {
		return this.#text + ' '.repeat(Math.max(0, width - this.#cells));
	}
}
