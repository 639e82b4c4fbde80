import { ecdsa, type ECDSA, weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { ed448, x448 } from '@noble/curves/ed448.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { KeyDataError, readingKey } from './key-data-error.ts';
import type { EcKey, OkpKey, OkpKind } from './material.ts';

interface Curve {
	oid: string;
	/** Name in a JWK, if it has one. */
	crv?: string;
	bits: number;
	math: ECDSA;
}

/** P-224 (FIPS 186-4, D.1.2.2). */
const P224 = {
	p: 2n ** 224n - 2n ** 96n + 1n,
	n: 0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3dn,
	h: 1n,
	a: 2n ** 224n - 2n ** 96n - 2n,
	b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
	Gx: 0xb70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21n,
	Gy: 0xbd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34n
};

/** Curves of ECDSA and ECDH by OpenSSL's names. */
export const CURVES: Readonly<Record<string, Curve>> = {
	secp224r1: { oid: '1.3.132.0.33', bits: 224, math: ecdsa(weierstrass(P224), sha256) },
	prime256v1: { oid: '1.2.840.10045.3.1.7', crv: 'P-256', bits: 256, math: p256 },
	secp256k1: { oid: '1.3.132.0.10', crv: 'secp256k1', bits: 256, math: secp256k1 },
	secp384r1: { oid: '1.3.132.0.34', crv: 'P-384', bits: 384, math: p384 },
	secp521r1: { oid: '1.3.132.0.35', crv: 'P-521', bits: 521, math: p521 }
};

const OKP_CURVES = { ed25519, ed448, x25519, x448 };
export const OKP_OIDS: Readonly<Record<OkpKind, string>> = {
	x25519: '1.3.101.110',
	x448: '1.3.101.111',
	ed25519: '1.3.101.112',
	ed448: '1.3.101.113'
};
const OKP_SIZES: Readonly<Record<OkpKind, number>> = { ed25519: 32, ed448: 57, x25519: 32, x448: 56 };

/** OpenSSL's name of a curve by any of its names; undefined if there is none. */
export function curveNamed(name: string): string | undefined {
	return Object.keys(CURVES).find((own) => own === name || CURVES[own]?.crv === name || ALIASES[name] === own);
}

const ALIASES: Readonly<Record<string, string>> = { secp256r1: 'prime256v1' };

/** @throws Error for a name that is not in {@link CURVES} */
function mathOf(name: string): ECDSA {
	const curve = CURVES[name];
	if (!curve) throw new Error(`no curve ${name}`);
	return curve.math;
}

/** Size of a coordinate, and of a private key, in bytes. */
export const curveBytes = (name: string): number => Math.ceil((CURVES[name]?.bits ?? 0) / 8);

/** Converts a point to another form. @throws KeyDataError if it is not on the curve */
export function convertPoint(
	curve: string,
	point: Uint8Array,
	form: 'compressed' | 'uncompressed' | 'hybrid'
): Uint8Array {
	const plain = new Uint8Array(point);
	// The hybrid form is the uncompressed one with a bit for the parity of the second coordinate.
	if (plain[0] === 6 || plain[0] === 7) {
		if (((plain.at(-1) ?? 0) & 1) !== (plain[0] & 1)) throw new KeyDataError('the halves of the point differ');
		plain[0] = 4;
	}
	const { Point } = mathOf(curve);
	const parsed = readingKey(() => Point.fromBytes(plain));
	if (parsed.is0()) throw new KeyDataError('the point at infinity');
	const made = parsed.toBytes(form === 'compressed');
	if (form === 'hybrid') made[0] = 6 | ((made.at(-1) ?? 0) & 1);
	return made;
}

/** Creates a key from its private number. @throws KeyDataError if the number is not valid for the curve */
export function ecKey(curve: string, secret: Uint8Array): EcKey {
	const padded = new Uint8Array(curveBytes(curve));
	padded.set(secret.subarray(-padded.length), Math.max(0, padded.length - secret.length));
	const point = readingKey(() => mathOf(curve).getPublicKey(padded, false));
	return { kind: 'ec', curve, point, secret: padded };
}

export const generateEc = (curve: string): EcKey => ecKey(curve, mathOf(curve).utils.randomSecretKey());

/** Signs a digest: both numbers, concatenated. */
export function signEc({ curve, secret }: EcKey, digest: Uint8Array): Uint8Array {
	if (!secret) throw new Error('a public key signs nothing');
	return mathOf(curve).sign(digest, secret, { prehash: false, lowS: false, format: 'compact', extraEntropy: true });
}

/** @param signature both numbers, concatenated */
export function verifyEc({ curve, point }: EcKey, digest: Uint8Array, signature: Uint8Array): boolean {
	if (signature.length !== curveBytes(curve) * 2) return false;
	return mathOf(curve).verify(signature, digest, point, { prehash: false, lowS: false, format: 'compact' });
}

/** Computes the first coordinate of the shared point. @throws KeyDataError if the point is not on the curve */
export function sharedEc(curve: string, secret: Uint8Array, point: Uint8Array): Uint8Array {
	return readingKey(() => mathOf(curve).getSharedSecret(secret, point, true)).slice(1);
}

/** Creates a key from its private bytes. @throws KeyDataError for a wrong length */
export function okpKey(kind: OkpKind, secret: Uint8Array): OkpKey {
	if (secret.length !== OKP_SIZES[kind]) throw new KeyDataError(`a key of ${kind} has ${OKP_SIZES[kind]} bytes`);
	return { kind, point: OKP_CURVES[kind].getPublicKey(secret), secret };
}

/** @throws KeyDataError for a wrong length */
export function okpPublic(kind: OkpKind, point: Uint8Array): OkpKey {
	if (point.length !== OKP_SIZES[kind]) throw new KeyDataError(`a key of ${kind} has ${OKP_SIZES[kind]} bytes`);
	return { kind, point };
}

export const generateOkp = (kind: OkpKind): OkpKey => okpKey(kind, OKP_CURVES[kind].utils.randomSecretKey());

const EDWARDS = { ed25519, ed448 };

export function signEd(kind: keyof typeof EDWARDS, secret: Uint8Array, data: Uint8Array): Uint8Array {
	return EDWARDS[kind].sign(data, secret);
}

export function verifyEd(
	kind: keyof typeof EDWARDS,
	point: Uint8Array,
	data: Uint8Array,
	signature: Uint8Array
): boolean {
	if (signature.length !== OKP_SIZES[kind] * 2) return false;
	// As in RFC 8032 and OpenSSL, not by the laxer rules of blockchains.
	return EDWARDS[kind].verify(signature, data, point, { zip215: false });
}

const MONTGOMERY = { x25519, x448 };

/** @throws KeyDataError for a point of small order */
export function sharedX(kind: keyof typeof MONTGOMERY, secret: Uint8Array, point: Uint8Array): Uint8Array {
	return readingKey(() => MONTGOMERY[kind].getSharedSecret(secret, point));
}
