import type { KeyMaterial } from '../asymmetric/part/material.ts';

export type Usage = 'encrypt' | 'decrypt' | 'sign' | 'verify' | 'deriveKey' | 'deriveBits' | 'wrapKey' | 'unwrapKey';

const USAGES: readonly Usage[] = [
	'encrypt',
	'decrypt',
	'sign',
	'verify',
	'deriveKey',
	'deriveBits',
	'wrapKey',
	'unwrapKey'
];

/** Algorithm of a key: `{ name, length }`, `hash` for HMAC and RSA, and fields specific to the kind of key pair. */
export interface KeyAlgorithm {
	name: string;
	/** Length in bits. */
	length?: number;
	hash?: { name: string };
	namedCurve?: string;
	modulusLength?: number;
	publicExponent?: Uint8Array;
}

const secrets = new WeakMap<CryptoKey, Uint8Array>();
const materials = new WeakMap<CryptoKey, KeyMaterial>();

/** Key of Web Crypto. Its material is only accessible to the operations. */
export class CryptoKey {
	readonly type: 'secret' | 'public' | 'private';
	readonly usages: readonly Usage[];

	constructor(
		made: Uint8Array | KeyMaterial,
		readonly algorithm: KeyAlgorithm,
		readonly extractable: boolean,
		usages: readonly Usage[]
	) {
		if (made instanceof Uint8Array) {
			secrets.set(this, new Uint8Array(made));
			this.type = 'secret';
		} else {
			materials.set(this, made);
			this.type = made.secret === undefined ? 'public' : 'private';
		}
		this.usages = USAGES.filter((usage) => usages.includes(usage));
	}

	get [Symbol.toStringTag](): string {
		return 'CryptoKey';
	}
}

/** Numbers of an asymmetric key. null for a secret and for anything else. */
export function materialIn(key: unknown): KeyMaterial | null {
	return (key instanceof CryptoKey && materials.get(key)) || null;
}

/** @throws InvalidAccessError for a secret, TypeError for anything but a key */
export function pairKeyOf(key: CryptoKey): KeyMaterial {
	const material = materials.get(key);
	if (material) return material;
	secretOf(key);
	throw new DOMException('The key is a secret', 'InvalidAccessError');
}

/** @throws TypeError for anything but a secret key */
export function secretOf(key: CryptoKey): Uint8Array {
	const secret = secrets.get(key);
	if (!secret) throw new TypeError('The "key" argument must be an instance of CryptoKey.');
	return secret;
}

/**
 * @param mayBeEmpty as for public keys of key agreement
 * @throws SyntaxError for unknown or unsupported usages, or if there are none
 */
export function checkUsages(usages: unknown, allowed: readonly Usage[], mayBeEmpty = false): Usage[] {
	const given: unknown[] = Array.isArray(usages) ? usages : [];
	const known = allowed.filter((usage) => given.includes(usage));
	if (given.some((usage) => !USAGES.some((each) => each === usage))) {
		throw new TypeError(`The keyUsages "${String(given)}" are not known.`);
	}
	if (new Set(given).size > known.length || (known.length === 0 && !mayBeEmpty)) {
		throw new DOMException('Unsupported key usage for this algorithm', 'SyntaxError');
	}
	return known;
}
