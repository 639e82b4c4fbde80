import { Buffer } from 'buffer';
import { KeyHandle, KeyObject, materialOf } from '../keys.ts';
import { writePem } from '../pem.ts';
import { exportEncoding, type KeyEncoding } from './key-encoding.ts';
import { type Jwk, toJwk } from './jwk.ts';
import { asymmetric } from './load.ts';
import { encryptPem, encryptPkcs8 } from './passphrase.ts';
import { type EcKey, type KeyMaterial, publicHalf, type RsaKey } from './part/material.ts';

const EMPTY = new Uint8Array(0);

/** Details of a key that are visible to programs. */
function detailsOf(key: KeyMaterial): Record<string, unknown> {
	const bits = (value: bigint) => value.toString(2).length;
	switch (key.kind) {
		case 'rsa':
		case 'rsa-pss':
			return { modulusLength: bits(key.n), publicExponent: key.e, ...restrictionsOf(key) };
		case 'dsa':
			return { modulusLength: bits(key.p), divisorLength: bits(key.q) };
		case 'ec':
			return { namedCurve: key.curve };
		default:
			return {};
	}
}

const restrictionsOf = ({ pss }: RsaKey) =>
	pss ? { hashAlgorithm: pss.hash, mgf1HashAlgorithm: pss.maskHash, saltLength: pss.saltLength } : {};

abstract class AsymmetricKeyObject extends KeyObject {
	#details: Record<string, unknown> | undefined;

	get asymmetricKeyType(): string {
		return materialOf(this).kind;
	}

	get asymmetricKeyDetails(): Record<string, unknown> {
		this.#details ??= detailsOf(materialOf(this));
		return { ...this.#details };
	}
}

export class PublicKeyObject extends AsymmetricKeyObject {
	constructor(key: KeyMaterial) {
		super('public', new KeyHandle(publicHalf(key)));
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS */
	export(options: unknown): string | Buffer | Jwk {
		const key = materialOf(this);
		return writePublic(key, exportEncoding(options, key.kind, true));
	}
}

export class PrivateKeyObject extends AsymmetricKeyObject {
	constructor(key: KeyMaterial) {
		super('private', new KeyHandle(key));
	}

	/**
	 * @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS, ERR_CRYPTO_UNKNOWN_CIPHER
	 */
	export(options: unknown): string | Buffer | Jwk {
		const key = materialOf(this);
		return writePrivate(key, exportEncoding(options, key.kind, false));
	}
}

/** Encodes a public key. */
export function writePublic(key: KeyMaterial, { format, type }: KeyEncoding): string | Buffer | Jwk {
	if (format === 'jwk') return toJwk(publicHalf(key));
	const isPlain = type === 'pkcs1';
	const der = isPlain ? asymmetric().writePkcs1(publicHalf(key as RsaKey)) : asymmetric().writeSpki(key);
	return format === 'der' ? Buffer.from(der) : writePem(isPlain ? 'RSA PUBLIC KEY' : 'PUBLIC KEY', der);
}

/** Encodes a private key, encrypted if the encoding specifies it. @throws ERR_CRYPTO_UNKNOWN_CIPHER */
export function writePrivate(key: KeyMaterial, encoding: KeyEncoding): string | Buffer | Jwk {
	const { format, type, cipher, passphrase } = encoding;
	if (format === 'jwk') return toJwk(key);
	const isPem = format === 'pem';
	if (type === 'pkcs8') {
		const plain = asymmetric().writePkcs8(key);
		const der = cipher ? encryptPkcs8(plain, cipher, passphrase ?? EMPTY) : plain;
		return isPem ? writePem(cipher ? 'ENCRYPTED PRIVATE KEY' : 'PRIVATE KEY', der) : Buffer.from(der);
	}
	const isRsa = type === 'pkcs1';
	const der = isRsa ? asymmetric().writePkcs1(key as RsaKey) : asymmetric().writeSec1(key as EcKey);
	if (!isPem) return Buffer.from(der);
	const label = isRsa ? 'RSA PRIVATE KEY' : 'EC PRIVATE KEY';
	if (!cipher) return writePem(label, der);
	const { bytes, headers } = encryptPem(der, cipher, passphrase ?? EMPTY);
	return writePem(label, bytes, headers);
}
