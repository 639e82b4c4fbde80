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

/** Algorithm of a key: `{ name, length }`, and `hash` for HMAC. */
export interface KeyAlgorithm {
	name: string;
	/** Length in bits. */
	length?: number;
	hash?: { name: string };
}

const secrets = new WeakMap<CryptoKey, Uint8Array>();

/** Web Crypto's key of a secret. What it is made of is out of reach but for the operations. */
export class CryptoKey {
	readonly type = 'secret';
	readonly usages: readonly Usage[];

	constructor(
		secret: Uint8Array,
		readonly algorithm: KeyAlgorithm,
		readonly extractable: boolean,
		usages: readonly Usage[]
	) {
		secrets.set(this, new Uint8Array(secret));
		this.usages = USAGES.filter((usage) => usages.includes(usage));
	}

	get [Symbol.toStringTag](): string {
		return 'CryptoKey';
	}
}

/** @throws TypeError for what is no key */
export function secretOf(key: CryptoKey): Uint8Array {
	const secret = secrets.get(key);
	if (!secret) throw new TypeError('The "key" argument must be an instance of CryptoKey.');
	return secret;
}

/** @throws SyntaxError for unknown or unsupported usages, or none at all */
export function checkUsages(usages: unknown, allowed: readonly Usage[]): Usage[] {
	const given: unknown[] = Array.isArray(usages) ? usages : [];
	const known = allowed.filter((usage) => given.includes(usage));
	if (given.some((usage) => !USAGES.some((each) => each === usage))) {
		throw new TypeError(`The keyUsages "${String(given)}" are not known.`);
	}
	if (new Set(given).size > known.length || known.length === 0) {
		throw new DOMException('Unsupported key usage for this algorithm', 'SyntaxError');
	}
	return known;
}
