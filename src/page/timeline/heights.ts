/**
 * Heights of a long list's rows, measured or estimated, with sums in logarithmic time (a Fenwick tree). All values are
 * in CSS pixels.
 */
export class Heights {
	#sums: number[] = [0];
	#values: number[] = [];

	constructor(readonly estimate: number) {}

	get count(): number {
		return this.#values.length;
	}

	/**
	 * Changes the number of rows.
	 *
	 * @param heightOf height of a new row, if known; other rows have the estimated height
	 */
	resize(count: number, heightOf?: (index: number) => number | undefined): void {
		if (count < this.#values.length) {
			const kept = this.#values.slice(0, count);
			this.#sums = [0];
			this.#values = [];
			for (const value of kept) this.#push(value);
			return;
		}
		while (this.#values.length < count) this.#push(heightOf?.(this.#values.length) ?? this.estimate);
	}

	/** Records a measured height; returns its difference from the previous value. */
	set(index: number, height: number): number {
		const before = this.#values[index];
		if (before === undefined) return 0;
		const difference = height - before;
		if (difference === 0) return 0;
		this.#values[index] = height;
		for (let node = index + 1; node < this.#sums.length; node += node & -node) {
			this.#sums[node] = (this.#sums[node] ?? 0) + difference;
		}
		return difference;
	}

	/** Start of row `index`; with `count`, the total height. */
	offset(index: number): number {
		let sum = 0;
		for (let node = Math.min(index, this.count); node > 0; node -= node & -node) sum += this.#sums[node] ?? 0;
		return sum;
	}

	/** Row at a distance from the top; beyond the end, the last one. */
	at(offset: number): number {
		let index = 0;
		let rest = offset;
		let step = 1;
		while (step * 2 <= this.count) step *= 2;
		for (; step > 0; step >>= 1) {
			const sum = this.#sums[index + step];
			if (sum !== undefined && sum <= rest) {
				index += step;
				rest -= sum;
			}
		}
		return Math.max(0, Math.min(index, this.count - 1));
	}

	#push(value: number): void {
		const node = this.#values.length + 1;
		this.#values.push(value);
		// Sum over the rows that this node covers: itself and the nodes below it.
		let sum = value;
		for (let child = node - 1; child > node - (node & -node); child -= child & -child) sum += this.#sums[child] ?? 0;
		this.#sums[node] = sum;
	}
}
