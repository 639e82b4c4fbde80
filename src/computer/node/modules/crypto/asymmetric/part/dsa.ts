import { bitLength, fromBytes, isPrime, power, type RandomBytes, randomBits, randomPrime } from '../../big-integers.ts';
import type { DhKey, DsaKey } from './material.ts';
import { inverse } from './rsa.ts';

/** Generates a key with its own domain parameters (FIPS 186-4, A.1 and B.1). */
export function generateDsa(bits: number, divisorBits: number, random: RandomBytes): DsaKey {
	const q = randomPrime(divisorBits, random);
	const p = primeAbove(q, bits, random);
	let g = 1n;
	for (let base = 2n; g === 1n; base++) g = power(base, (p - 1n) / q, p);
	const secret = belowOrder(q, random);
	return { kind: 'dsa', p, q, g, y: power(g, secret, p), secret };
}

/** Finds a prime of the given size that is 1 modulo `2q`. */
function primeAbove(q: bigint, bits: number, random: RandomBytes): bigint {
	for (;;) {
		const start = randomBits(bits, random) | (1n << BigInt(bits - 1));
		const candidate = start - (start % (2n * q)) + 1n;
		if (bitLength(candidate) === bits && isPrime(candidate, random, 8)) return candidate;
	}
}

/** Random number from 1 up to, but not including, the order. */
const belowOrder = (q: bigint, random: RandomBytes): bigint => 1n + (randomBits(bitLength(q) + 64, random) % (q - 1n));

/** Leftmost bits of a digest, as many as the order has. */
function truncated(digest: Uint8Array, q: bigint): bigint {
	const excess = digest.length * 8 - bitLength(q);
	return excess > 0 ? fromBytes(digest) >> BigInt(excess) : fromBytes(digest);
}

/** Signs a digest, returning both numbers. */
export function signDsa(key: DsaKey, digest: Uint8Array, random: RandomBytes): [r: bigint, s: bigint] {
	const { p, q, g, secret } = key;
	if (secret === undefined) throw new Error('a public key signs nothing');
	for (;;) {
		const k = belowOrder(q, random);
		const r = power(g, k, p) % q;
		const s = (inverse(k, q) * (truncated(digest, q) + secret * r)) % q;
		if (r !== 0n && s !== 0n) return [r, s];
	}
}

export function verifyDsa({ p, q, g, y }: DsaKey, digest: Uint8Array, r: bigint, s: bigint): boolean {
	if (r <= 0n || r >= q || s <= 0n || s >= q) return false;
	const w = inverse(s, q);
	const value = (power(g, (truncated(digest, q) * w) % q, p) * power(y, (r * w) % q, p)) % p;
	return value % q === r;
}

/** Generates a key for a Diffie-Hellman group. */
export function generateDh(p: bigint, g: bigint, random: RandomBytes): DhKey {
	const secret = belowOrder((p - 1n) / 2n, random);
	return { kind: 'dh', p, g, y: power(g, secret, p), secret };
}

/** Computes the shared number. */
export const sharedDh = (p: bigint, secret: bigint, other: bigint): bigint => power(other, secret, p);
