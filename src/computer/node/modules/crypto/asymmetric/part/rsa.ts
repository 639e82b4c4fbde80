import { concatBytes } from '@noble/hashes/utils.js';
import { bitLength, fromBytes, power, type RandomBytes, randomPrime, toBytes } from '../../big-integers.ts';
import { encode, nothing, octets, oid, sequence } from './der.ts';
import { HASH_OIDS } from './hash-oids.ts';
import { opensslError } from '../../openssl-error.ts';
import type { RsaKey } from './material.ts';

/** Hash function of @noble/hashes, with OpenSSL's name. */
export interface NamedHash {
	name: string;
	outputLen: number;
	run(bytes: Uint8Array): Uint8Array;
}

const rsaError = (number: string, reason: string, ...before: string[]) =>
	opensslError(`0200${number}`, 'rsa routines', reason, 'RSA', before);
const LIBRARY = 'error:1C880004:Provider routines::RSA lib';

/** Size of the modulus in bytes. */
export const sizeOf = ({ n }: RsaKey): number => Math.ceil(bitLength(n) / 8);

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));

/** Modular multiplicative inverse. */
export function inverse(value: bigint, modulus: bigint): bigint {
	let [old, rest, oldFactor, factor] = [((value % modulus) + modulus) % modulus, modulus, 1n, 0n];
	while (rest !== 0n) {
		const quotient = old / rest;
		[old, rest] = [rest, old - quotient * rest];
		[oldFactor, factor] = [factor, oldFactor - quotient * factor];
	}
	return ((oldFactor % modulus) + modulus) % modulus;
}

/** Rounds of a primality test for primes of a key; by FIPS 186-5 more than enough from 512 bits on. */
const ROUNDS = 8;

/** Generates a key. @param e the public exponent, an odd number of at least 3 */
export function generateRsa(bits: number, e: bigint, random: RandomBytes): RsaKey {
	for (;;) {
		const first = factor(Math.ceil(bits / 2), e, random);
		const second = factor(Math.floor(bits / 2), e, random);
		if (first === second || bitLength(first * second) !== bits) continue;
		const [p, q] = first > second ? [first, second] : [second, first];
		const d = inverse(e, ((p - 1n) * (q - 1n)) / gcd(p - 1n, q - 1n));
		return { kind: 'rsa', n: p * q, e, secret: secretOf(d, p, q) };
	}
}

function factor(bits: number, e: bigint, random: RandomBytes): bigint {
	for (;;) {
		const prime = randomPrime(bits, random, {}, ROUNDS);
		if (gcd(prime - 1n, e) === 1n) return prime;
	}
}

export function secretOf(d: bigint, p: bigint, q: bigint): NonNullable<RsaKey['secret']> {
	return { d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
}

/** Raises a block to the public exponent. @throws errors of OpenSSL for a block larger than the modulus */
export function applyPublic(key: RsaKey, block: Uint8Array): Uint8Array {
	const value = fromBytes(block);
	if (value >= key.n) throw rsaError('0084', 'data too large for modulus');
	return toBytes(power(value, key.e, key.n), sizeOf(key));
}

/** Raises a block to the private exponent, using the Chinese remainder theorem. */
export function applyPrivate(key: RsaKey, block: Uint8Array): Uint8Array {
	const { secret, n } = key;
	if (!secret) throw new Error('a public key has no private exponent');
	const value = fromBytes(block);
	if (value >= n) throw rsaError('0084', 'data too large for modulus');
	const { p, q, dp, dq, qi } = secret;
	const [first, second] = [power(value, dp, p), power(value, dq, q)];
	const difference = (((first - second) % p) + p) % p;
	return toBytes(second + q * ((qi * difference) % p), sizeOf(key));
}

/** Signature block of PKCS #1 v1.5 (RFC 8017, 9.2). @param hash null signs the data directly */
export function signatureBlock(size: number, hash: NamedHash | null, digest: Uint8Array): Uint8Array {
	const number = hash && HASH_OIDS[hash.name];
	const info = number ? encode(sequence(sequence(oid(number), nothing()), octets(digest))) : digest;
	if (size < info.length + 11) throw rsaError('0070', 'digest too big for rsa key', LIBRARY);
	return paddedBlock(size, info);
}

/** Block of type 1: `00 01 FF … 00` and the data. */
export function paddedBlock(size: number, data: Uint8Array): Uint8Array {
	if (data.length > size - 11) throw rsaError('006E', 'data too large for key size');
	const block = new Uint8Array(size).fill(0xff);
	block.set([0, 1]);
	block.set(data, size - data.length);
	block[size - data.length - 1] = 0;
	return block;
}

/** Data of a block of type 1. @throws errors of OpenSSL */
export function unpaddedBlock(block: Uint8Array): Uint8Array {
	let end = 2;
	while (block[end] === 0xff) end++;
	if (block[0] !== 0 || block[1] !== 1 || end < 10 || block[end] !== 0) {
		throw rsaError('008A', 'invalid padding', LIBRARY, 'error:02000072:rsa routines::padding check failed');
	}
	return block.slice(end + 1);
}

/** Block of type 2: `00 02`, random bytes, `00` and the data. */
export function encryptionBlock(size: number, data: Uint8Array, random: RandomBytes): Uint8Array {
	if (data.length > size - 11) throw rsaError('006E', 'data too large for key size');
	const block = new Uint8Array(size);
	block[1] = 2;
	for (let at = 2; at < size - data.length - 1; at++) {
		do block.set(random(1), at);
		while (block[at] === 0);
	}
	block.set(data, size - data.length);
	return block;
}

function maskOf(hash: NamedHash, seed: Uint8Array, length: number): Uint8Array {
	const mask = new Uint8Array(length);
	for (let at = 0, counter = 0; at < length; at += hash.outputLen, counter++) {
		const input = new Uint8Array(seed.length + 4);
		input.set(seed);
		new DataView(input.buffer).setUint32(seed.length, counter);
		mask.set(hash.run(input).subarray(0, length - at), at);
	}
	return mask;
}

function xor(target: Uint8Array, mask: Uint8Array): Uint8Array {
	return target.map((byte, at) => byte ^ (mask[at] ?? 0));
}

/** Hash functions of an OAEP or PSS block: for the data and the mask. */
export interface Hashes {
	hash: NamedHash;
	mask: NamedHash;
}

/** OAEP block (RFC 8017, 7.1.1). @throws errors of OpenSSL if the data are too long */
export function oaepBlock(
	size: number,
	data: Uint8Array,
	label: Uint8Array,
	{ hash, mask }: Hashes,
	random: RandomBytes
): Uint8Array {
	const room = size - 2 * hash.outputLen - 2;
	if (room < 0) throw rsaError('0078', 'key size too small');
	if (data.length > room) throw rsaError('006E', 'data too large for key size');
	const body = concatBytes(hash.run(label), new Uint8Array(room - data.length), Uint8Array.of(1), data);
	const seed = random(hash.outputLen);
	const masked = xor(body, maskOf(mask, seed, body.length));
	return concatBytes(Uint8Array.of(0), xor(seed, maskOf(mask, masked, seed.length)), masked);
}

/** Data of an OAEP block. @throws errors of OpenSSL, the same for all faults */
export function openOaep(block: Uint8Array, label: Uint8Array, { hash, mask }: Hashes): Uint8Array {
	const masked = block.subarray(1 + hash.outputLen);
	const seed = xor(block.subarray(1, 1 + hash.outputLen), maskOf(mask, masked, hash.outputLen));
	const body = xor(masked, maskOf(mask, seed, masked.length));
	const expected = hash.run(label);
	let difference = block[0] ?? 1;
	for (let at = 0; at < expected.length; at++) difference |= (expected[at] ?? 0) ^ (body[at] ?? 0);
	let end = hash.outputLen;
	while (body[end] === 0) end++;
	if (difference !== 0 || body[end] !== 1) throw oaepError();
	return body.slice(end + 1);
}

export const oaepError = (): Error => rsaError('0079', 'oaep decoding error');

/** Salt lengths with a special meaning. */
const DIGEST_LENGTH = -1;
const AUTOMATIC = -2;

/** PSS block (RFC 8017, 9.1.1) for a modulus of the given number of bits. @throws errors of OpenSSL */
export function pssBlock(
	bits: number,
	digest: Uint8Array,
	saltLength: number,
	{ hash, mask }: Hashes,
	random: RandomBytes
): Uint8Array {
	const size = Math.ceil((bits - 1) / 8);
	const most = size - hash.outputLen - 2;
	const length = saltLength === DIGEST_LENGTH ? hash.outputLen : saltLength === AUTOMATIC ? most : saltLength;
	if (length > most || most < 0) throw rsaError('006E', 'data too large for key size', LIBRARY);
	const salt = random(length);
	const check = hash.run(concatBytes(new Uint8Array(8), digest, salt));
	const body = concatBytes(new Uint8Array(most - length), Uint8Array.of(1), salt);
	const masked = xor(body, maskOf(mask, check, body.length));
	masked[0] = (masked[0] ?? 0) & (0xff >> (8 * size - (bits - 1)));
	return concatBytes(masked, check, Uint8Array.of(0xbc));
}

/** Verifies a PSS block (RFC 8017, 9.1.2). */
export function isPssBlock(
	bits: number,
	block: Uint8Array,
	digest: Uint8Array,
	saltLength: number,
	{ hash, mask }: Hashes
): boolean {
	const size = Math.ceil((bits - 1) / 8);
	// A modulus of 8n + 1 bits has one byte more than the block.
	const own = block.subarray(block.length - size);
	const bodyLength = size - hash.outputLen - 1;
	if (bodyLength < 1 || own.at(-1) !== 0xbc || (block.length > size && block[0] !== 0)) return false;
	const unused = 0xff & ~(0xff >> (8 * size - (bits - 1)));
	if ((own[0] ?? 0) & unused) return false;
	const check = own.subarray(bodyLength, -1);
	const body = xor(own.subarray(0, bodyLength), maskOf(mask, check, bodyLength));
	body[0] = (body[0] ?? 0) & ~unused;
	let start = 0;
	while (body[start] === 0) start++;
	if (body[start] !== 1) return false;
	const salt = body.subarray(start + 1);
	const wanted = saltLength === DIGEST_LENGTH ? hash.outputLen : saltLength;
	if (wanted !== AUTOMATIC && salt.length !== wanted) return false;
	const right = hash.run(concatBytes(new Uint8Array(8), digest, salt));
	return right.every((byte, at) => byte === check[at]);
}
