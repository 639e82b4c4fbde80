import { blake2b } from '@noble/hashes/blake2.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { Sm3 } from './sm3.ts';

interface Digest {
	/** Name in the format of `--tag`. */
	tag: string;
	bits: number;
	/** Set if shorter digests can be requested, in multiples of eight bits. */
	isVariable?: boolean;
	create(bits: number): { update(bytes: Uint8Array): unknown; digest(): Uint8Array };
}

/**
 * Digests by the names of `cksum -a`. They are computed piece by piece: a worker with an opaque origin has no
 * `crypto.subtle`.
 */
export const DIGESTS = {
	md5: { tag: 'MD5', bits: 128, create: () => md5.create() },
	sha1: { tag: 'SHA1', bits: 160, create: () => sha1.create() },
	sha224: { tag: 'SHA224', bits: 224, create: () => sha224.create() },
	sha256: { tag: 'SHA256', bits: 256, create: () => sha256.create() },
	sha384: { tag: 'SHA384', bits: 384, create: () => sha384.create() },
	sha512: { tag: 'SHA512', bits: 512, create: () => sha512.create() },
	blake2b: { tag: 'BLAKE2b', bits: 512, isVariable: true, create: (bits) => blake2b.create({ dkLen: bits / 8 }) },
	sm3: { tag: 'SM3', bits: 256, create: () => new Sm3() }
} satisfies Record<string, Digest>;

export type DigestName = keyof typeof DIGESTS;

/** A digest with its length. */
export interface Algorithm {
	tag: string;
	bits: number;
	/** Set if the length is the digest's default. */
	isWhole: boolean;
	create(): ReturnType<Digest['create']>;
}

/** @param bits length; 0 means the default */
export function algorithmOf(name: DigestName, bits = 0): Algorithm {
	const digest: Digest = DIGESTS[name];
	const length = bits === 0 ? digest.bits : bits;
	return { tag: digest.tag, bits: length, isWhole: length === digest.bits, create: () => digest.create(length) };
}

/** Returns whether a digest of that length is supported. */
export function hasLength(name: DigestName, bits: number): boolean {
	const digest: Digest = DIGESTS[name];
	return digest.isVariable === true ? bits > 0 && bits % 8 === 0 && bits <= digest.bits : bits === digest.bits;
}
