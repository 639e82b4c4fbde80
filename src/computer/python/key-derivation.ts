import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { pbkdf2 as derive } from '@noble/hashes/pbkdf2.js';
import { scrypt as deriveScrypt } from '@noble/hashes/scrypt.js';
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from '@noble/hashes/sha2.js';
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js';

/** Digests by Python's names for them. */
const DIGESTS = {
	md5,
	ripemd160,
	sha1,
	sha224,
	sha256,
	sha384,
	sha512,
	sha512_224,
	sha512_256,
	sha3_224,
	sha3_256,
	sha3_384,
	sha3_512
};

/** Derives a key from a password, of the digest's length for `length` 0; `undefined` for an unknown digest. */
export function pbkdf2(digest: string, password: Uint8Array, salt: Uint8Array, iterations: number, length: number) {
	if (!Object.hasOwn(DIGESTS, digest)) return undefined;
	const hash = DIGESTS[digest as keyof typeof DIGESTS];
	return derive(hash, password, salt, { c: iterations, dkLen: length === 0 ? hash.outputLen : length });
}

/** Derives a key from a password with the parameters `n`, `r` and `p` of RFC 7914. */
export function scrypt(password: Uint8Array, salt: Uint8Array, n: number, r: number, p: number, length: number) {
	return deriveScrypt(password, salt, { N: n, r, p, dkLen: length, maxmem: 128 * r * (n + p) + 2 ** 20 });
}
