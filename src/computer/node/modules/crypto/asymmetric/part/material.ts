/** Private numbers of an RSA key, including those of the Chinese remainder theorem. */
export interface RsaSecret {
	d: bigint;
	p: bigint;
	q: bigint;
	dp: bigint;
	dq: bigint;
	qi: bigint;
}

/** Restrictions of an RSASSA-PSS key: hash functions by OpenSSL's names, and the minimum salt length. */
export interface PssParameters {
	hash: string;
	maskHash: string;
	saltLength: number;
}

export interface RsaKey {
	kind: 'rsa' | 'rsa-pss';
	n: bigint;
	e: bigint;
	secret?: RsaSecret | undefined;
	pss?: PssParameters | undefined;
}

export interface EcKey {
	kind: 'ec';
	/** OpenSSL's name of the curve. */
	curve: string;
	/** The public point, uncompressed. */
	point: Uint8Array;
	secret?: Uint8Array | undefined;
	/** Set if the curve is given by explicit parameters instead of its name. */
	isExplicit?: boolean | undefined;
}

export const OKP_KINDS = ['ed25519', 'ed448', 'x25519', 'x448'] as const;
export type OkpKind = (typeof OKP_KINDS)[number];

/** Key of a curve of RFC 8032 or RFC 7748, as bytes. */
export interface OkpKey {
	kind: OkpKind;
	point: Uint8Array;
	secret?: Uint8Array | undefined;
}

export interface DsaKey {
	kind: 'dsa';
	p: bigint;
	q: bigint;
	g: bigint;
	y: bigint;
	secret?: bigint | undefined;
}

export interface DhKey {
	kind: 'dh';
	p: bigint;
	g: bigint;
	y: bigint;
	secret?: bigint | undefined;
}

/** Asymmetric key, as numbers and bytes. With `secret` it is a private key. */
export type KeyMaterial = RsaKey | EcKey | OkpKey | DsaKey | DhKey;

/** Returns the public half of a key. */
export function publicHalf<Key extends KeyMaterial>(key: Key): Key {
	return { ...key, secret: undefined };
}
