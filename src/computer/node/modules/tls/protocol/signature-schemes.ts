import { constants } from '../../crypto/constants.ts';
import { signData, verifyData } from '../../crypto/asymmetric/signatures.ts';
import type { KeyMaterial } from '../../crypto/asymmetric/part/material.ts';

/** Signature scheme of a handshake (RFC 8446, 4.2.3). */
interface SignatureScheme {
	readonly id: number;
	/** OpenSSL's name, as listed by `getSharedSigalgs`. */
	readonly name: string;
	readonly hash: string | null;
	fits(key: KeyMaterial): boolean;
}

const onCurve = (curve: string) => (key: KeyMaterial) => key.kind === 'ec' && key.curve === curve;
const ofKind = (kind: KeyMaterial['kind']) => (key: KeyMaterial) => key.kind === kind;

/** In order of preference. */
const SCHEMES: readonly SignatureScheme[] = [
	{ id: 0x0403, name: 'ECDSA+SHA256', hash: 'sha256', fits: onCurve('prime256v1') },
	{ id: 0x0503, name: 'ECDSA+SHA384', hash: 'sha384', fits: onCurve('secp384r1') },
	{ id: 0x0603, name: 'ECDSA+SHA512', hash: 'sha512', fits: onCurve('secp521r1') },
	{ id: 0x0807, name: 'Ed25519', hash: null, fits: ofKind('ed25519') },
	{ id: 0x0808, name: 'Ed448', hash: null, fits: ofKind('ed448') },
	{ id: 0x0809, name: 'RSA-PSS+SHA256', hash: 'sha256', fits: ofKind('rsa-pss') },
	{ id: 0x080a, name: 'RSA-PSS+SHA384', hash: 'sha384', fits: ofKind('rsa-pss') },
	{ id: 0x080b, name: 'RSA-PSS+SHA512', hash: 'sha512', fits: ofKind('rsa-pss') },
	{ id: 0x0804, name: 'RSA-PSS+SHA256', hash: 'sha256', fits: ofKind('rsa') },
	{ id: 0x0805, name: 'RSA-PSS+SHA384', hash: 'sha384', fits: ofKind('rsa') },
	{ id: 0x0806, name: 'RSA-PSS+SHA512', hash: 'sha512', fits: ofKind('rsa') }
];

export const SCHEME_IDS: readonly number[] = SCHEMES.map(({ id }) => id);

export const schemeNames = (ids: readonly number[]): string[] =>
	SCHEMES.filter(({ id }) => ids.includes(id)).map(({ name }) => name);

/** Scheme for a key that the peer accepts; undefined if there is none. */
export const schemeFor = (key: KeyMaterial, offered: readonly number[]): number | undefined =>
	SCHEMES.find((scheme) => scheme.fits(key) && offered.includes(scheme.id))?.id;

const optionsOf = ({ name }: SignatureScheme) =>
	name.startsWith('RSA-PSS')
		? {
				padding: constants.RSA_PKCS1_PSS_PADDING,
				saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
				encoding: 'der' as const
			}
		: { encoding: 'der' as const };

/** @throws Error for a scheme not chosen by {@link schemeFor} for the key */
export function signWith(id: number, key: KeyMaterial, data: Uint8Array): Uint8Array {
	const scheme = SCHEMES.find((one) => one.id === id);
	if (!scheme?.fits(key)) throw new Error('The key does not fit the signature scheme.');
	return signData(key, scheme.hash, data, optionsOf(scheme));
}

/** Verifies a signature. A scheme that does not match the key is invalid. */
export function verifyWith(id: number, key: KeyMaterial, data: Uint8Array, signature: Uint8Array): boolean {
	const scheme = SCHEMES.find((one) => one.id === id);
	return scheme?.fits(key) === true && verifyData(key, scheme.hash, data, signature, optionsOf(scheme));
}
