import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../../../runtime/errors.ts';
import { bytesOf, bytesOrNull, KeyObject, materialOf, wrongKeyType } from '../keys.ts';
import { opensslError } from '../openssl-error.ts';
import { CryptoKey } from '../web/crypto-key.ts';
import { keyObjectFrom } from './crypto-keys.ts';
import { findPem, type PemBlock } from '../pem.ts';
import { fromJwk } from './jwk.ts';
import { type EncodingType, keyEncoding, type KeyEncoding } from './key-encoding.ts';
import { PrivateKeyObject, PublicKeyObject } from './key-objects.ts';
import { asymmetric } from './load.ts';
import { decryptPem, decryptPkcs8, isEncryptedPem } from './passphrase.ts';
import { type KeyMaterial, publicHalf } from './part/material.ts';

/** Intended use of a key: a new object, or a call that accepts keys as objects and as data. */
type Use = 'createPrivate' | 'createPublic' | 'private' | 'public';

const OBJECTS = 'KeyObject, or CryptoKey';
const expectedFor = (use: Use): string =>
	`of type string or an instance of ArrayBuffer, Buffer, TypedArray, ${use === 'createPrivate' ? 'or DataView' : `DataView, ${OBJECTS}`}`;

const unsupported = (): Error => opensslError('1E08010C', 'DECODER routines', 'unsupported');

/** Runs a parser of external data. @throws ERR_OSSL_UNSUPPORTED, or the caller's error, for data that are not a key */
function reading<Result>(run: () => Result, failure: () => Error = unsupported): Result {
	try {
		return run();
	} catch (error) {
		throw error instanceof asymmetric().KeyDataError ? failure() : error;
	}
}

const PRIVATE_LABELS = ['PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'DSA PRIVATE KEY'];
const PUBLIC_LABELS = ['PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE'];
const PLAIN = { 'RSA PRIVATE KEY': 'pkcs1', 'EC PRIVATE KEY': 'sec1', 'DSA PRIVATE KEY': 'dsa' } as const;

const cancelled = (isPlain: boolean): Error =>
	opensslError('07880109', 'common libcrypto routines', 'interrupted or cancelled', 'CRYPTO', [
		'error:04800068:PEM routines::bad password read',
		'error:07880109:common libcrypto routines::interrupted or cancelled',
		...(isPlain
			? []
			: [
					'error:1C80009F:Provider routines::unable to get passphrase',
					'error:07880109:common libcrypto routines::interrupted or cancelled'
				])
	]);

function privateFromPem(block: PemBlock, passphrase?: Uint8Array): KeyMaterial {
	const { label, bytes } = block;
	if (label === 'ENCRYPTED PRIVATE KEY') {
		if (!passphrase) throw cancelled(false);
		return asymmetric().readPkcs8(decryptPkcs8(bytes, passphrase));
	}
	if (label === 'PRIVATE KEY') return asymmetric().readPkcs8(bytes);
	const form = PLAIN[label as keyof typeof PLAIN];
	if (!isEncryptedPem(block)) return asymmetric().readPlain(bytes, form);
	if (!passphrase) throw cancelled(true);
	return asymmetric().readPlain(decryptPem(block, passphrase), form);
}

function privateFromDer(der: Uint8Array, type: EncodingType | undefined, passphrase?: Uint8Array): KeyMaterial {
	if (type === 'pkcs1' || type === 'sec1') return asymmetric().readPlain(der, type);
	const form = asymmetric().formOf(der);
	if (form !== 'encrypted') return form === 'pkcs8' ? asymmetric().readPkcs8(der) : asymmetric().readPlain(der, form);
	if (!passphrase) throw nodeError(TypeError, 'ERR_MISSING_PASSPHRASE', 'Passphrase required for encrypted key');
	return asymmetric().readPkcs8(decryptPkcs8(der, passphrase));
}

/** Parses a private key. @throws ERR_OSSL_UNSUPPORTED, ERR_MISSING_PASSPHRASE, ERR_OSSL_BAD_DECRYPT */
function privateFrom(data: Uint8Array, { format, type, passphrase }: KeyEncoding): KeyMaterial {
	if (format !== 'pem') {
		const failure = type === 'pkcs8' ? notEnoughData : unsupported;
		return reading(() => privateFromDer(data, type, passphrase), failure);
	}
	const block = findPem(textOf(data), PRIVATE_LABELS);
	if (!block) throw unsupported();
	return reading(() => privateFromPem(block, passphrase));
}

const notEnoughData = (): Error => opensslError('0680008E', 'asn1 encoding routines', 'not enough data', 'ASN1');
const wrongTag = (): Error =>
	opensslError('068000A8', 'asn1 encoding routines', 'wrong tag', 'ASN1', [
		'error:0688010A:asn1 encoding routines::nested asn1 error'
	]);
const tooLong = (): Error =>
	opensslError('0680009B', 'asn1 encoding routines', 'too long', 'ASN1', [
		'error:0688010A:asn1 encoding routines::nested asn1 error',
		'error:06800066:asn1 encoding routines::bad object header'
	]);

const textOf = (data: Uint8Array): string => Buffer.from(data).toString('latin1');

/** Parses a public key, also from a private key or a certificate. @throws ERR_OSSL_UNSUPPORTED and others */
function publicFrom(data: Uint8Array, encoding: KeyEncoding): KeyMaterial {
	const { format, type } = encoding;
	if (format === 'pem') {
		const block = findPem(textOf(data), PUBLIC_LABELS);
		if (!block) return publicHalf(privateFrom(data, encoding));
		return reading(() => publicFromPem(block), wrongTag);
	}
	if (type === 'spki') return reading(() => asymmetric().readSpki(data), tooLong);
	if (type !== 'pkcs1') return publicHalf(privateFrom(data, encoding));
	const { readPkcs1Public, readPlain } = asymmetric();
	return reading(() => (isRsaPrivate(data) ? publicHalf(readPlain(data, 'pkcs1')) : readPkcs1Public(data)), tooLong);
}

/** A private key in PKCS #1 has more numbers than a public one. */
function isRsaPrivate(data: Uint8Array): boolean {
	const { children, parse } = asymmetric().der;
	return children(parse(data)).length > 2;
}

function publicFromPem({ label, bytes }: PemBlock): KeyMaterial {
	if (label === 'PUBLIC KEY') return asymmetric().readSpki(bytes);
	if (label === 'RSA PUBLIC KEY') return asymmetric().readPkcs1Public(bytes);
	return asymmetric().readSpki(asymmetric().certificateKey(bytes));
}

/** Key of a `KeyObject`. @throws ERR_INVALID_ARG_TYPE, ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE */
function fromObject(object: KeyObject, use: Use): KeyMaterial {
	if (use === 'createPrivate') throw invalidArgument('key', expectedFor(use), object);
	if (object.type !== 'private') {
		if (use === 'private' || use === 'createPublic') throw wrongKeyType(object.type, 'private');
		if (object.type !== 'public') throw wrongKeyType(object.type, 'private or public');
	}
	return materialOf(object);
}

/** Returns a key object of `node:crypto` or of Web Crypto. */
const asObject = (value: unknown): KeyObject | null =>
	value instanceof KeyObject ? value : value instanceof CryptoKey ? keyObjectFrom(value) : null;

/** Key in any input form. @throws ERR_INVALID_ARG_TYPE and errors of parsing */
function keyFrom(given: unknown, use: Use): KeyMaterial {
	const object = asObject(given);
	if (object) return fromObject(object, use);
	const isPrivate = use === 'private' || use === 'createPrivate';
	const read = isPrivate ? privateFrom : publicFrom;
	const data = bytesOrNull(given);
	if (data) return read(data, { format: 'pem', type: undefined });
	if (typeof given !== 'object' || given === null) throw invalidArgument('key', expectedFor(use), given);
	const { key, encoding, format } = given as Record<'key' | 'encoding' | 'format', unknown>;
	const inner = asObject(key);
	if (inner) return fromObject(inner, use);
	if (format === 'jwk') return fromJwk(key, !isPrivate);
	if (bytesOrNull(key) === null) throw invalidArgument('key.key', expectedFor(use), key);
	const options = keyEncoding(given, { isPublic: isPrivate ? false : undefined, name: undefined });
	return read(bytesOf(key, 'key', encoding as string), options);
}

/** Private key for a call that signs, decrypts or derives a shared secret. */
export const privateKey = (given: unknown): KeyMaterial => keyFrom(given, 'private');

/** Public key for a call that verifies or encrypts, which also accepts a private one. */
export const publicKey = (given: unknown): KeyMaterial => keyFrom(given, 'public');

export const createPrivateKey = (given: unknown): PrivateKeyObject =>
	new PrivateKeyObject(keyFrom(given, 'createPrivate'));

export const createPublicKey = (given: unknown): PublicKeyObject => new PublicKeyObject(keyFrom(given, 'createPublic'));
