import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from '@noble/hashes/sha2.js';
import { sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256 } from '@noble/hashes/sha3.js';
import { nodeError } from '../../runtime/errors.ts';

/** Hash functions by OpenSSL's names. */
const HASHES = {
	md5,
	sha1,
	sha224,
	sha256,
	sha384,
	sha512,
	'sha512-224': sha512_224,
	'sha512-256': sha512_256,
	'sha3-224': sha3_224,
	'sha3-256': sha3_256,
	'sha3-384': sha3_384,
	'sha3-512': sha3_512,
	ripemd160,
	rmd160: ripemd160,
	blake2b512: blake2b,
	blake2s256: blake2s
} as const;
type Algorithm = (typeof HASHES)[keyof typeof HASHES];
export type Running = ReturnType<typeof sha256.create>;

/** OpenSSL's name of a hash function by any of its names. */
export function hashName(name: string): string {
	const key = name
		.toLowerCase()
		.replace(/^(?:rsa|ssl3)-/, '')
		.replace(/^sha-(\d)/, 'sha$1')
		.replace('/', '-');
	return ALIASES[key] ?? key;
}

const ALIASES: Readonly<Record<string, string>> = { dss1: 'sha1', 'sha1-2': 'sha1', ripemd: 'ripemd160' };

/** @throws Error for an unknown hash function */
export function algorithm(name: string): Algorithm {
	const key = hashName(name);
	const found = Object.hasOwn(HASHES, key) ? HASHES[key as keyof typeof HASHES] : undefined;
	if (!found) throw new Error('Digest method not supported');
	return found;
}

/** The same for keyed hashes and signatures. @throws ERR_CRYPTO_INVALID_DIGEST */
export function digestOf(name: string, message = `Invalid digest: ${name}`): Algorithm {
	try {
		return algorithm(name);
	} catch {
		throw nodeError(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', message);
	}
}

/** Hash functions with variable output length, by OpenSSL's names, and the default length of each. */
const EXTENDABLE = { shake128: [shake128, 16], shake256: [shake256, 32] } as const;

/**
 * Returns a function that starts a hash with variable output length; null for any other name.
 * @param length output length in bytes
 */
export function extendableHash(name: string): ((length?: number) => unknown) | null {
	const key = name.toLowerCase();
	if (!Object.hasOwn(EXTENDABLE, key)) return null;
	const [hash, usual] = EXTENDABLE[key as keyof typeof EXTENDABLE];
	return (length = usual) => hash.create({ dkLen: length });
}

export const HASH_NAMES = [...Object.keys(HASHES), ...Object.keys(EXTENDABLE)];
