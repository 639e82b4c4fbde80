/** Reproducible random numbers from a seed (mulberry32). */
export class Random {
	constructor(private state: number) {}

	/** A number that is at least 0 and less than 1. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** An integer that is at least 0 and less than `limit`. */
	below(limit: number): number {
		return Math.floor(this.next() * limit);
	}

	chance(share: number): boolean {
		return this.next() < share;
	}

	pick<Value>(values: readonly [Value, ...Value[]]): Value {
		return values[this.below(values.length)] ?? values[0];
	}
}
