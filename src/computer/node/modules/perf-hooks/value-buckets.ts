/** Values that count as one. */
interface Bucket {
	/** Least value of those that count as one. */
	lowest: number;
	/** Number of them. */
	size: number;
}

/** Groups values that a histogram of so many significant figures counts as one, as HdrHistogram does. */
export class ValueBuckets {
	readonly #unit: number;
	readonly #perBucket: number;

	/** @param lowest least value that differs from 0 @param figures significant decimal figures */
	constructor(lowest: number, figures: number) {
		this.#unit = 2 ** Math.floor(Math.log2(lowest));
		this.#perBucket = 2 ** Math.max(1, Math.ceil(Math.log2(2 * 10 ** figures)));
	}

	/** Returns the group that a value belongs to. */
	of(value: number): Bucket {
		let size = this.#unit;
		while (value >= size * this.#perBucket) size *= 2;
		return { lowest: Math.floor(value / size) * size, size };
	}
}
