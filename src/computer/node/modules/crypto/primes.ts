import { invalidArgument, nodeError, outOfRange } from '../../runtime/errors.ts';
import { boolean, functionValue, integer, optional, plainObject } from '../../runtime/validate.ts';
import { bitLength, fromBytes, isPrime, type RandomBytes, randomPrime, toBytes } from './big-integers.ts';

interface PrimeOptions {
	safe?: boolean;
	bigint?: boolean;
	add?: unknown;
	rem?: unknown;
}

type Answer = ArrayBuffer | bigint;
type Done<Result> = (error: Error | null, result?: Result) => void;

const BYTES = 'of type bigint or an instance of ArrayBuffer, TypedArray, Buffer, or DataView';
const MAX_INT = 2 ** 31 - 1;

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
function numberOf(value: unknown, name: string): bigint {
	if (typeof value === 'bigint') {
		if (value < 0n) throw outOfRange(name, '>= 0', value);
		return value;
	}
	if (ArrayBuffer.isView(value)) return fromBytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
	if (value instanceof ArrayBuffer) return fromBytes(new Uint8Array(value));
	throw invalidArgument(name, BYTES, value);
}

/** `crypto.generatePrime`, `checkPrime` and their synchronous variants. */
export function createPrimes(random: RandomBytes): Record<string, unknown> {
	const generate = (size: number, options: PrimeOptions): (() => Answer) => {
		integer(1, MAX_INT)(size, 'size');
		plainObject(options, 'options');
		const { safe = false, bigint = false, add, rem } = options;
		boolean(safe, 'options.safe');
		boolean(bigint, 'options.bigint');
		const wish = {
			safe,
			add: add === undefined ? undefined : numberOf(add, 'options.add'),
			rem: rem === undefined ? undefined : numberOf(rem, 'options.rem')
		};
		if (wish.add !== undefined && bitLength(wish.add) > size) {
			throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', 'invalid options.add');
		}
		if (wish.add !== undefined && (wish.rem ?? 0n) >= wish.add) {
			throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', 'invalid options.rem');
		}
		return () => {
			const prime = randomPrime(size, random, wish);
			return bigint ? prime : (toBytes(prime, Math.ceil(size / 8)).buffer as ArrayBuffer);
		};
	};
	const check = (candidate: unknown, options: { checks?: number }): (() => boolean) => {
		const number = numberOf(candidate, 'candidate');
		plainObject(options, 'options');
		optional(integer(0, MAX_INT))(options.checks, 'options.checks');
		return () => isPrime(number, random, options.checks || undefined);
	};
	const later =
		<Options, First, Result>(prepare: (first: First, options: Options) => () => Result) =>
		(first: First, ...rest: [Options, Done<Result>] | [Done<Result>]) => {
			const [options, done] =
				rest.length > 1 ? rest : typeof rest[0] === 'function' ? [{}, rest[0]] : [rest[0] ?? {}, undefined];
			const run = prepare(first, options as Options);
			functionValue(done, 'callback');
			setTimeout(() => (done as Done<Result>)(null, run()), 0);
		};
	return {
		generatePrimeSync: (size: number, options: PrimeOptions = {}) => generate(size, options)(),
		generatePrime: later(generate),
		checkPrimeSync: (candidate: unknown, options: { checks?: number } = {}) => check(candidate, options)(),
		checkPrime: later(check)
	};
}
