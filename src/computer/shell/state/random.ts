/** Modulus and multiplier of the minimal standard generator, and the state used instead of 0. */
const MODULUS = 2_147_483_647;
const MULTIPLIER = 16_807;
const INSTEAD_OF_ZERO = 123_459_876;

/** Generator for RANDOM: the same seed gives the same sequence as bash. */
export class RandomNumbers {
	#state = Math.floor(Math.random() * MODULUS);
	#last = 0;

	/** Starts the sequence of a seed. */
	seed(text: string): void {
		if (!/^\s*-?\d+\s*$/.test(text)) return;
		this.#state = Number(BigInt.asUintN(32, BigInt(text.trim())));
		this.#last = 0;
	}

	/** The next number from 0 to 32767, never the same twice in a row. */
	next(): number {
		let number: number;
		do {
			this.#state = ((this.#state || INSTEAD_OF_ZERO) * MULTIPLIER) % MODULUS;
			number = ((this.#state >>> 16) ^ (this.#state & 65_535)) & 32_767;
		} while (number === this.#last);
		return (this.#last = number);
	}
}
