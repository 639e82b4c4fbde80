/** A decimal number of any length, as in `bc`: `digits` / 10 ^ `scale`. */
export interface Decimal {
	digits: bigint;
	scale: number;
}

/** Ends a calculation with `bc`'s message. */
export class RuntimeError extends Error {}

const tens = (count: number): bigint => 10n ** BigInt(count);
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
const INPUT_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export const decimal = (value: bigint | number, scale = 0): Decimal => ({ digits: BigInt(value), scale });
export const ZERO = decimal(0);
export const ONE = decimal(1);
export const isZero = ({ digits }: Decimal): boolean => digits === 0n;

/** Changes the number of digits after the point; extra digits are truncated. */
export function rescaled(value: Decimal, to: number): Decimal {
	const { digits, scale } = value;
	if (to === scale) return value;
	return { digits: to >= scale ? digits * tens(to - scale) : digits / tens(scale - to), scale: to };
}

/** Truncates to an integer. */
export const integer = (value: Decimal): bigint => rescaled(value, 0).digits;

export function compare(a: Decimal, b: Decimal): number {
	const scale = Math.max(a.scale, b.scale);
	const [one, other] = [rescaled(a, scale).digits, rescaled(b, scale).digits];
	return one < other ? -1 : one > other ? 1 : 0;
}

export const negated = ({ digits, scale }: Decimal): Decimal => ({ digits: -digits, scale });

export function add(a: Decimal, b: Decimal): Decimal {
	const scale = Math.max(a.scale, b.scale);
	return { digits: rescaled(a, scale).digits + rescaled(b, scale).digits, scale };
}

export const subtract = (a: Decimal, b: Decimal): Decimal => add(a, negated(b));

export function multiply(a: Decimal, b: Decimal, scale: number): Decimal {
	const exact = { digits: a.digits * b.digits, scale: a.scale + b.scale };
	return rescaled(exact, Math.min(exact.scale, Math.max(scale, a.scale, b.scale)));
}

/** @throws RuntimeError */
export function divide(a: Decimal, b: Decimal, scale: number): Decimal {
	if (isZero(b)) throw new RuntimeError('Divide by zero');
	return { digits: rescaled(a, scale + b.scale).digits / b.digits, scale };
}

/** Remainder of dividing `a` by `b` to `scale` digits. @throws RuntimeError */
export function remainder(a: Decimal, b: Decimal, scale: number): Decimal {
	if (isZero(b)) throw new RuntimeError('Modulo by zero');
	const quotient = divide(rescaled(a, Math.max(a.scale, scale + b.scale)), b, scale);
	const left = subtract(a, { digits: quotient.digits * b.digits, scale: quotient.scale + b.scale });
	return rescaled(left, Math.max(scale + b.scale, a.scale));
}

/** @throws RuntimeError */
export function power(base: Decimal, exponent: Decimal, scale: number): Decimal {
	const count = integer(exponent);
	const exact = (to: bigint) => ({ digits: base.digits ** to, scale: base.scale * Number(to) });
	if (count < 0n) return divide(ONE, exact(-count), scale);
	const whole = exact(count);
	return rescaled(whole, Math.min(whole.scale, Math.max(scale, base.scale)));
}

/** @throws RuntimeError */
export function squareRoot(value: Decimal, scale: number): Decimal {
	if (value.digits < 0n) throw new RuntimeError('Square root of a negative number');
	// As in GNU bc: the roots of 0 and 1 have no digits after the point.
	if (isZero(value)) return ZERO;
	if (compare(value, ONE) === 0) return ONE;
	const to = Math.max(scale, value.scale);
	return { digits: rootOf(rescaled(value, 2 * to).digits), scale: to };
}

/** Integer part of a square root. */
export function rootOf(value: bigint): bigint {
	if (value < 2n) return value;
	let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
	for (;;) {
		const next = (guess + value / guess) >> 1n;
		if (next >= guess) return guess;
		guess = next;
	}
}

/** Parses a number typed in input base `base`. */
export function parseDecimal(text: string, base: number): Decimal {
	const [whole = '', part = ''] = text.split('.');
	if (base === 10 && !/[A-Z]/.test(text)) return { digits: BigInt(whole + part || '0'), scale: part.length };
	// A digit too large for the base counts as the largest one, unless it is the only digit.
	const isSingle = part === '' && whole.replace(/^0+/, '').length === 1;
	const most = isSingle ? INPUT_DIGITS.length - 1 : base - 1;
	const read = (digits: string) =>
		[...digits].reduce((sum, digit) => sum * BigInt(base) + BigInt(Math.min(INPUT_DIGITS.indexOf(digit), most)), 0n);
	const fraction = (read(part) * tens(part.length)) / BigInt(base) ** BigInt(part.length);
	return { digits: read(whole) * tens(part.length) + fraction, scale: part.length };
}

/** Formats a number for printing, without line breaks. */
export function formatDecimal(value: Decimal, base: number): string {
	const { digits, scale } = value;
	if (digits === 0n) return '0';
	const sign = digits < 0n ? '-' : '';
	const all = magnitude(digits);
	const [whole, part] = [all / tens(scale), all % tens(scale)];
	if (base === 10)
		return `${sign}${whole === 0n && scale > 0 ? '' : whole}${scale > 0 ? `.${String(part).padStart(scale, '0')}` : ''}`;
	const shown = wholeInBase(whole, base);
	if (scale === 0) return sign + shown;
	let [left, fraction] = [part, ''];
	for (let reached = 1n; reached.toString().length <= scale; reached *= BigInt(base)) {
		left *= BigInt(base);
		fraction += (fraction === '' || base <= 16 ? '' : ' ') + digitInBase(left / tens(scale), base);
		left %= tens(scale);
	}
	return `${sign}${whole === 0n ? '' : shown}.${fraction}`;
}

function digitInBase(digit: bigint, base: number): string {
	return base <= 16 ? (INPUT_DIGITS[Number(digit)] ?? '') : String(digit).padStart(String(base - 1).length, '0');
}

function wholeInBase(value: bigint, base: number): string {
	const digits: string[] = [];
	for (let left = value; left > 0n; left /= BigInt(base)) digits.unshift(digitInBase(left % BigInt(base), base));
	if (digits.length === 0) digits.push(digitInBase(0n, base));
	return base <= 16 ? digits.join('') : digits.map((digit) => ` ${digit}`).join('');
}
