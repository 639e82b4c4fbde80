import { decimal, type Decimal, rescaled, rootOf } from './number.ts';

/** Number of digits calculated in addition to those requested, so that the last of these is correct. */
const GUARD = 15;

/** Sums a series of scaled terms until they become zero. */
function series(first: bigint, next: (term: bigint, step: number) => bigint): bigint {
	let sum = 0n;
	for (let [term, step] = [first, 1]; term !== 0n; step++) {
		sum += term;
		term = next(term, step);
	}
	return sum;
}

/** 1/1·x − 1/3·x³ + …, for a small scaled number; `sign` 1: all terms are added. */
function odd(x: bigint, unit: bigint, sign: 1n | -1n): bigint {
	let [sum, power] = [0n, x];
	for (let step = 1n; power !== 0n; step += 2n) {
		sum += power / step;
		power = ((((power * x) / unit) * x) / unit) * sign;
	}
	return sum;
}

function arctangent(x: bigint, unit: bigint): bigint {
	let [reduced, times] = [x, 1n];
	for (; (reduced < 0n ? -reduced : reduced) * 8n > unit; times *= 2n)
		reduced = (reduced * unit) / (unit + rootOf(unit * unit + reduced * reduced));
	return odd(reduced, unit, -1n) * times;
}

/** Reduces a scaled number by whole turns, for sine and cosine. */
function withoutTurns(x: bigint, unit: bigint): bigint {
	return x % (8n * arctangent(unit, unit));
}

const sine = (x: bigint, unit: bigint): bigint =>
	series(x, (term, step) => (((-term * x) / unit) * x) / unit / BigInt(2 * step * (2 * step + 1)));
const cosine = (x: bigint, unit: bigint): bigint =>
	series(unit, (term, step) => (((-term * x) / unit) * x) / unit / BigInt((2 * step - 1) * (2 * step)));

function exponential(x: bigint, unit: bigint): bigint {
	let [reduced, halvings] = [x, 0];
	for (; (reduced < 0n ? -reduced : reduced) > unit; halvings++) reduced /= 2n;
	let value = series(unit, (term, step) => (term * reduced) / unit / BigInt(step));
	for (; halvings > 0; halvings--) value = (value * value) / unit;
	return value;
}

function logarithm(x: bigint, unit: bigint): bigint {
	let [reduced, times] = [x, 2n];
	for (; reduced * 10n > unit * 12n || reduced * 12n < unit * 10n; times *= 2n) reduced = rootOf(reduced * unit);
	return odd(((reduced - unit) * unit) / (reduced + unit), unit, 1n) * times;
}

/** Number of integer digits of the result of `e`. */
const sizeOfExponential = (x: Decimal) => Math.max(0, Math.ceil(Number(x.digits) / 10 ** x.scale / Math.LN10));

/** Functions of `bc -l`, to `scale` digits. */
export const mathFunctions: Record<string, (x: Decimal, scale: number) => Decimal> = {
	s: (x, scale) => calculated(x, scale, (value, unit) => sine(withoutTurns(value, unit), unit)),
	c: (x, scale) => calculated(x, scale, (value, unit) => cosine(withoutTurns(value, unit), unit)),
	a: (x, scale) => calculated(x, scale, arctangent),
	e: (x, scale) => calculated(x, scale, exponential, 2 * sizeOfExponential(x)),
	l: (x, scale) =>
		x.digits <= 0n ? rescaled(decimal(1n - 10n ** BigInt(scale)), scale) : calculated(x, scale, logarithm)
};

/** Bessel function of an integer order, as in `j(n, x)`. */
export function bessel(order: Decimal, x: Decimal, scale: number): Decimal {
	const n = rescaled(order, 0).digits;
	const [size, sign] = n < 0n ? [-n, n % 2n === 0n ? 1n : -1n] : [n, 1n];
	const more = sizeOfExponential({ digits: x.digits < 0n ? -x.digits : x.digits, scale: x.scale });
	const sum = (value: bigint, unit: bigint): bigint => {
		const half = value / 2n;
		let first = unit;
		for (let step = 1n; step <= size && first !== 0n; step++) first = (first * half) / unit / step;
		const squared = (half * half) / unit;
		return sign * series(first, (term, step) => (-term * squared) / unit / (BigInt(step) * (BigInt(step) + size)));
	};
	return calculated(x, scale, sum, 2 * more);
}

function calculated(x: Decimal, scale: number, work: (x: bigint, unit: bigint) => bigint, more = 0): Decimal {
	const size = String(x.digits).length;
	const precision = Math.max(scale, x.scale) + GUARD + size + more;
	const digits = work(rescaled(x, precision).digits, 10n ** BigInt(precision));
	return rescaled({ digits, scale: precision }, scale);
}
