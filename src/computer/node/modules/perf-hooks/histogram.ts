import { inspect } from 'node-inspect-extracted';
import { invalidArgument, nodeError, outOfRange } from '../../runtime/errors.ts';
import { nowMs } from '../../runtime/clock.ts';
import { integer, plainObject } from '../../runtime/validate.ts';
import { ValueBuckets } from './value-buckets.ts';

/** Nanoseconds of a millisecond. */
export const NANOSECONDS = 1e6;
/** Smallest value of a histogram without values. */
const NO_MINIMUM = 2n ** 63n - 1n;

interface HistogramOptions {
	lowest?: unknown;
	highest?: unknown;
	/** Significant decimal figures of values. */
	figures?: unknown;
}

/** Counts of values, and what can be said of them. */
export class Histogram {
	readonly #buckets: ValueBuckets;
	/** Counts by the least value of a group, and the size of the group. */
	readonly #counts = new Map<number, { count: number; size: number }>();
	readonly #highest: number;
	#total = 0;
	#exceeds = 0;
	#least = Infinity;
	#most = 0;

	constructor(lowest: number, highest: number, figures: number) {
		this.#buckets = new ValueBuckets(lowest, figures);
		this.#highest = highest;
	}

	/** Counts a value; one above the highest only as such. */
	protected tally(value: number, times = 1): void {
		if (value > this.#highest) {
			this.#exceeds += times;
			return;
		}
		const { lowest, size } = this.#buckets.of(value);
		const known = this.#counts.get(lowest);
		if (known) known.count += times;
		else this.#counts.set(lowest, { count: times, size });
		this.#total += times;
		this.#least = Math.min(this.#least, value);
		this.#most = Math.max(this.#most, value);
	}

	/** Adds the values of another histogram. */
	protected addAll(other: Histogram): void {
		for (const [lowest, { count }] of other.#counts) this.tally(lowest, count);
		this.#exceeds += other.#exceeds;
		this.#least = Math.min(this.#least, other.#least);
		this.#most = Math.max(this.#most, other.#most);
	}

	reset(): void {
		this.#counts.clear();
		this.#total = this.#exceeds = this.#most = 0;
		this.#least = Infinity;
	}

	get count(): number {
		return this.#total;
	}

	get countBigInt(): bigint {
		return BigInt(this.#total);
	}

	get exceeds(): number {
		return this.#exceeds;
	}

	get exceedsBigInt(): bigint {
		return BigInt(this.#exceeds);
	}

	get min(): number {
		return Number(this.minBigInt);
	}

	get minBigInt(): bigint {
		return this.#total === 0 ? NO_MINIMUM : BigInt(this.#buckets.of(this.#least).lowest);
	}

	get max(): number {
		const { lowest, size } = this.#buckets.of(this.#most);
		return this.#total === 0 ? 0 : lowest + size - 1;
	}

	get maxBigInt(): bigint {
		return BigInt(this.max);
	}

	get mean(): number {
		let sum = 0;
		for (const [lowest, { count, size }] of this.#sorted()) sum += count * middle(lowest, size);
		return sum / this.#total;
	}

	get stddev(): number {
		const { mean } = this;
		let sum = 0;
		for (const [lowest, { count, size }] of this.#sorted()) sum += count * (middle(lowest, size) - mean) ** 2;
		return Math.sqrt(sum / this.#total);
	}

	/** Largest value of so many percent of them. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	percentile(percentile: unknown): number {
		if (typeof percentile !== 'number') throw invalidArgument('percentile', 'of type number', percentile);
		if (!(percentile > 0 && percentile <= 100)) throw outOfRange('percentile', '> 0 && <= 100', percentile);
		const wanted = Math.max(1, Math.floor((percentile / 100) * this.#total + 0.5));
		let seen = 0;
		for (const [lowest, { count, size }] of this.#sorted()) {
			seen += count;
			if (seen >= wanted) return lowest + size - 1;
		}
		return 0;
	}

	percentileBigInt(percentile: unknown): bigint {
		return BigInt(this.percentile(percentile));
	}

	/** Values at 0, 50, 75, 87.5 … percent, each half as far from 100 as the one before. */
	get percentiles(): Map<number, number> {
		const found = new Map<number, number>();
		let next = 0;
		let seen = 0;
		let last = 0;
		for (const [lowest, { count }] of this.#sorted()) {
			seen += count;
			last = lowest;
			while (next <= (100 * seen) / this.#total && next < 100) {
				found.set(next, last);
				if (seen >= this.#total) break;
				next += 100 / 2 ** (Math.trunc(Math.log2(100 / (100 - next))) + 1);
			}
		}
		return found.set(100, last);
	}

	get percentilesBigInt(): Map<number, bigint> {
		return new Map([...this.percentiles].map(([percentile, value]) => [percentile, BigInt(value)]));
	}

	#sorted() {
		return [...this.#counts].sort(([a], [b]) => a - b);
	}

	toJSON(): object {
		const { count, min, max, mean, exceeds, stddev, percentiles } = this;
		return { count, min, max, mean, exceeds, stddev, percentiles: Object.fromEntries(percentiles) };
	}

	[inspect.custom](depth: number, options: object): unknown {
		if (depth < 0) return this;
		const { min, max, mean, exceeds, stddev, count, percentiles } = this;
		return `Histogram ${inspect({ min, max, mean, exceeds, stddev, count, percentiles }, { ...options, depth: depth - 1 })}`;
	}
}

const middle = (lowest: number, size: number): number => lowest + Math.floor(size / 2);

/** `perf_hooks.createHistogram()`. */
export class RecordableHistogram extends Histogram {
	#beforeMs: number | undefined;

	/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	record(value: unknown): void {
		if (typeof value === 'bigint') {
			if (value < 1n || value > NO_MINIMUM) throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', 'value is out of range');
			this.tally(Number(value));
			return;
		}
		integer(1)(value, 'val');
		this.tally(value as number);
	}

	/** Records the nanoseconds since the last call. */
	recordDelta(): void {
		const now = nowMs();
		const before = this.#beforeMs;
		if (before !== undefined && now > before) this.tally(Math.round((now - before) * NANOSECONDS));
		this.#beforeMs = now;
	}

	add(other: unknown): void {
		if (!(other instanceof RecordableHistogram))
			throw invalidArgument('other', 'an instance of RecordableHistogram', other);
		this.addAll(other);
	}
}

/** `perf_hooks.createHistogram`. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
export function createHistogram(options: HistogramOptions = {}): RecordableHistogram {
	plainObject(options, 'options');
	const { lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3 } = options;
	if (typeof lowest !== 'bigint') integer(1)(lowest, 'options.lowest');
	if (typeof highest !== 'bigint') integer(2 * Number(lowest))(highest, 'options.highest');
	integer(1, 5)(figures, 'options.figures');
	return new RecordableHistogram(Number(lowest), Number(highest), Number(figures));
}
