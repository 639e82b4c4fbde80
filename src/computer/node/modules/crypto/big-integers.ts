/** Converts unsigned integers from crypto's format: big-endian bytes. */
export function fromBytes(bytes: Uint8Array): bigint {
	let hex = '';
	for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
	return hex === '' ? 0n : BigInt(`0x${hex}`);
}

/** @param size minimum size, padded with leading zeros; absent: no padding */
export function toBytes(value: bigint, size = 0): Uint8Array {
	const hex = value.toString(16);
	const digits = hex.padStart(Math.max(size * 2, hex.length + (hex.length % 2)), '0');
	return Uint8Array.from({ length: digits.length / 2 }, (_, at) => parseInt(digits.slice(at * 2, at * 2 + 2), 16));
}

/** `base ** exponent % modulus`. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
	let result = 1n % modulus;
	let square = base % modulus;
	for (let left = exponent; left > 0n; left >>= 1n) {
		if (left & 1n) result = (result * square) % modulus;
		square = (square * square) % modulus;
	}
	return result;
}

export const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

/** Source of random bytes. */
export type RandomBytes = (size: number) => Uint8Array;

/** Random number with at most the given number of bits. */
export function randomBits(bits: number, random: RandomBytes): bigint {
	return BigInt.asUintN(bits, fromBytes(random(Math.ceil(bits / 8))));
}

const SMALL_PRIMES = sieve(2000);

function sieve(limit: number): bigint[] {
	const isComposite = new Uint8Array(limit);
	const primes: bigint[] = [];
	for (let number = 2; number < limit; number++) {
		if (isComposite[number]) continue;
		primes.push(BigInt(number));
		for (let multiple = number * number; multiple < limit; multiple += number) isComposite[multiple] = 1;
	}
	return primes;
}

/** Checks whether a number is prime, by trial division and Miller-Rabin rounds with random bases. */
export function isPrime(candidate: bigint, random: RandomBytes, rounds = 24): boolean {
	if (candidate < 2n) return false;
	for (const prime of SMALL_PRIMES) if (candidate % prime === 0n) return candidate === prime;
	let odd = candidate - 1n;
	let twos = 0;
	for (; (odd & 1n) === 0n; odd >>= 1n) twos++;
	const size = bitLength(candidate);
	for (let round = 0; round < rounds; round++) {
		const base = 2n + (randomBits(size, random) % (candidate - 3n));
		if (!isWitness(power(base, odd, candidate), candidate, twos)) continue;
		return false;
	}
	return true;
}

/** Checks whether a base proves a number composite. */
function isWitness(start: bigint, candidate: bigint, twos: number): boolean {
	let value = start;
	if (value === 1n || value === candidate - 1n) return false;
	for (let step = 1; step < twos; step++) {
		value = (value * value) % candidate;
		if (value === candidate - 1n) return false;
	}
	return true;
}

interface PrimeWish {
	/** Requires half of it to be prime, too. */
	safe?: boolean;
	/** The prime modulo `add` must be `rem`; 1 if absent, 3 for safe primes. */
	add?: bigint;
	rem?: bigint;
}

/**
 * Random prime of exactly the given number of bits, with its two highest bits set if it has at least three.
 * @param rounds number of rounds of the primality test
 */
export function randomPrime(
	bits: number,
	random: RandomBytes,
	{ safe = false, add, rem }: PrimeWish = {},
	rounds?: number
): bigint {
	const top = bits > 2 ? 3n << BigInt(bits - 2) : 1n << BigInt(bits - 1);
	const step = add ?? (safe ? 4n : 2n);
	const rest = rem ?? (add !== undefined && !safe ? 1n : safe ? 3n : 1n);
	if (bits === 2 && add === undefined) return 2n + (randomBits(1, random) | (safe ? 1n : 0n));
	for (;;) {
		const start = add === undefined ? randomBits(bits, random) | top : randomBits(bits, random);
		const candidate = start - (start % step) + rest;
		if (bitLength(candidate) > bits) continue;
		if (safe && !isPrime(candidate >> 1n, random, 1)) continue;
		if (isPrime(candidate, random, rounds) && (!safe || isPrime(candidate >> 1n, random, rounds))) return candidate;
	}
}
