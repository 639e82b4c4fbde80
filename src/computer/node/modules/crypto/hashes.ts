import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from '@noble/hashes/sha2.js';
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js';
import { nodeError } from '../../runtime/errors.ts';

/** Hash functions by OpenSSL's names. */
export const HASHES = {
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
export const hashName = (name: string): string =>
	name
		.toLowerCase()
		.replace(/^rsa-/, '')
		.replace(/^sha-(\d)/, 'sha$1');

/** @throws Error for a name that is none of a hash function */
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
