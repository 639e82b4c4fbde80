const DEGREE = 63;
const SEPARATION = 1;
const SHUFFLED = 512;

/** BSD's `random` generator with a shuffle buffer, so that `rand` returns the same numbers as gawk's. */
export class Random {
	readonly #state = new Int32Array(DEGREE);
	readonly #buffer: number[];
	#front = SEPARATION;
	#rear = 0;
	#last: number;

	constructor(seed: number) {
		const state = this.#state;
		state[0] = seed;
		for (let at = 1; at < DEGREE; at++) state[at] = following(state[at - 1] ?? 0);
		this.#buffer = Array.from({ length: SHUFFLED }, () => this.#plain());
		this.#last = this.#plain();
		for (let round = 0; round < 10 * DEGREE; round++) this.next();
	}

	#plain(): number {
		const state = this.#state;
		const sum = ((state[this.#front] ?? 0) + (state[this.#rear] ?? 0)) | 0;
		state[this.#front] = sum;
		this.#front = (this.#front + 1) % DEGREE;
		this.#rear = (this.#rear + 1) % DEGREE;
		return sum >>> 1;
	}

	/** Returns 31 bits. */
	next(): number {
		const fresh = this.#plain();
		const place = this.#last % SHUFFLED;
		this.#last = this.#buffer[place] ?? 0;
		this.#buffer[place] = fresh;
		return this.#last;
	}
}

/** The Park-Miller generator, used for the initial state. */
function following(value: number): number {
	const from = value === 0 ? 123_459_876 : value;
	const next = 16_807 * (from % 127_773) - 2_836 * Math.trunc(from / 127_773);
	return next < 0 ? next + 0x7fffffff : next;
}
