import { bitLength, fromBytes, toBytes } from '../big-integers.ts';
import { digestOf, hashName } from '../hashes.ts';
import { nodeError } from '../../../runtime/errors.ts';
import { constants } from '../constants.ts';
import { opensslError } from '../openssl-error.ts';
import { random } from '../random.ts';
import { asymmetric } from './load.ts';
import type { DsaKey, EcKey, KeyMaterial, OkpKey, RsaKey } from './part/material.ts';
import type { Hashes, NamedHash } from './part/rsa.ts';

/** Settings of a signature. */
export interface SignatureOptions {
	padding?: number | undefined;
	saltLength?: number | undefined;
	/** Format of both numbers of a DSA or ECDSA signature: DER or concatenated. */
	encoding: 'der' | 'ieee-p1363';
}

const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_AUTO } = constants;

/** Hash function by OpenSSL's name, for the loaded part. @throws ERR_CRYPTO_INVALID_DIGEST */
export function namedHash(name: string): NamedHash {
	const run = digestOf(name);
	return { name: hashName(name), outputLen: run.outputLen, run };
}

const notAllowed = (reason: string) => opensslError('1C8000AE', 'Provider routines', reason);

/** Padding, salt and hash functions for a key, which may restrict them. @throws errors of OpenSSL */
function schemeOf(key: RsaKey, hash: NamedHash, options: SignatureOptions) {
	const isPss = key.kind === 'rsa-pss';
	const padding = options.padding ?? (isPss ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING);
	if (isPss ? padding !== RSA_PKCS1_PSS_PADDING : ![RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING].includes(padding as 1)) {
		throw opensslError('1C8000A5', 'Provider routines', 'illegal or unsupported padding mode');
	}
	const { pss } = key;
	const saltLength = options.saltLength ?? pss?.saltLength ?? RSA_PSS_SALTLEN_AUTO;
	if (pss && saltLength >= 0 && saltLength < pss.saltLength) {
		throw opensslError('1C8000AC', 'Provider routines', 'pss saltlen too small');
	}
	if (pss && pss.hash !== hash.name) throw notAllowed('digest not allowed');
	const hashes: Hashes = { hash, mask: pss ? namedHash(pss.maskHash) : hash };
	return { isPss: padding === RSA_PKCS1_PSS_PADDING, saltLength, hashes };
}

function signRsa(key: RsaKey, hash: NamedHash, digest: Uint8Array, options: SignatureOptions): Uint8Array {
	const { applyPrivate, pssBlock, signatureBlock, sizeOf } = asymmetric();
	const { isPss, saltLength, hashes } = schemeOf(key, hash, options);
	const block = isPss
		? pssBlock(bitLength(key.n), digest, saltLength, hashes, random)
		: signatureBlock(sizeOf(key), hash, digest);
	return applyPrivate(key, block);
}

function verifyRsa(
	key: RsaKey,
	hash: NamedHash,
	digest: Uint8Array,
	signature: Uint8Array,
	options: SignatureOptions
): boolean {
	const { applyPublic, isPssBlock, signatureBlock, sizeOf } = asymmetric();
	const { isPss, saltLength, hashes } = schemeOf(key, hash, options);
	if (signature.length !== sizeOf(key) || fromBytes(signature) >= key.n) return false;
	const block = applyPublic(key, signature);
	if (isPss) return isPssBlock(bitLength(key.n), block, digest, saltLength, hashes);
	const expected = signatureBlock(sizeOf(key), hash, digest);
	return expected.every((byte, at) => byte === block[at]);
}

/** Size of each number of a signature in bytes. */
const numberBytes = (key: EcKey | DsaKey): number =>
	key.kind === 'ec' ? asymmetric().curveBytes(key.curve) : Math.ceil(bitLength(key.q) / 8);

function signNumbers(key: EcKey | DsaKey, digest: Uint8Array, encoding: SignatureOptions['encoding']): Uint8Array {
	const { signEc, signDsa, signatureToDer } = asymmetric();
	let raw: Uint8Array;
	if (key.kind === 'ec') raw = signEc(key, digest);
	else {
		const size = numberBytes(key);
		raw = new Uint8Array(2 * size);
		signDsa(key, digest, random).forEach((value, at) => raw.set(toBytes(value, size), at * size));
	}
	return encoding === 'der' ? signatureToDer(raw) : raw;
}

function verifyNumbers(
	key: EcKey | DsaKey,
	digest: Uint8Array,
	signature: Uint8Array,
	encoding: SignatureOptions['encoding']
): boolean {
	const { verifyEc, verifyDsa, signatureFromDer } = asymmetric();
	const size = numberBytes(key);
	const raw = encoding === 'der' ? signatureFromDer(signature, size) : signature;
	if (raw?.length !== 2 * size) return false;
	if (key.kind === 'ec') return verifyEc(key, digest, raw);
	return verifyDsa(key, digest, fromBytes(raw.subarray(0, size)), fromBytes(raw.subarray(size)));
}

/** Error for a key that cannot sign, like those for key agreement. */
const noSignatures = () =>
	opensslError('03000096', 'digital envelope routines', 'operation not supported for this keytype', 'EVP');

const isEdwards = (key: KeyMaterial): key is OkpKey & { kind: 'ed25519' | 'ed448' } =>
	key.kind === 'ed25519' || key.kind === 'ed448';

/** Signs a digest. @throws errors of OpenSSL, ERR_CRYPTO_UNSUPPORTED_OPERATION */
export function signDigest(
	key: KeyMaterial,
	hash: NamedHash,
	digest: Uint8Array,
	options: SignatureOptions
): Uint8Array {
	switch (key.kind) {
		case 'rsa':
		case 'rsa-pss':
			return signRsa(key, hash, digest, options);
		case 'ec':
		case 'dsa':
			return signNumbers(key, digest, options.encoding);
		default:
			throw isEdwards(key) ? unsupportedOperation() : noSignatures();
	}
}

/** @throws errors of OpenSSL, ERR_CRYPTO_UNSUPPORTED_OPERATION */
export function verifyDigest(
	key: KeyMaterial,
	hash: NamedHash,
	digest: Uint8Array,
	signature: Uint8Array,
	options: SignatureOptions
): boolean {
	switch (key.kind) {
		case 'rsa':
		case 'rsa-pss':
			return verifyRsa(key, hash, digest, signature, options);
		case 'ec':
		case 'dsa':
			return verifyNumbers(key, digest, signature, options.encoding);
		default:
			throw isEdwards(key) ? unsupportedOperation() : noSignatures();
	}
}

const unsupportedOperation = () => nodeError(Error, 'ERR_CRYPTO_UNSUPPORTED_OPERATION', 'Unsupported crypto operation');

/** OpenSSL's default hash function. */
const DEFAULT_HASH = 'sha256';

const hashFor = (key: KeyMaterial, name: string | null): NamedHash =>
	namedHash(name ?? (key.kind === 'rsa-pss' ? key.pss?.hash : undefined) ?? DEFAULT_HASH);

/** Edwards curves include their own hash. @throws errors of OpenSSL */
function checkEdwards(name: string | null): void {
	if (name !== null) throw opensslError('1C80007A', 'Provider routines', 'invalid digest');
}

/** Signs data. @param name name of the hash function; null: the key's own */
export function signData(
	key: KeyMaterial,
	name: string | null,
	data: Uint8Array,
	options: SignatureOptions
): Uint8Array {
	if (name !== null) digestOf(name);
	if (isEdwards(key)) {
		checkEdwards(name);
		return asymmetric().signEd(key.kind, key.secret ?? new Uint8Array(0), data);
	}
	if (key.kind === 'x25519' || key.kind === 'x448') throw noSignatures();
	const hash = hashFor(key, name);
	return signDigest(key, hash, hash.run(data), options);
}

/** @param name name of the hash function; null: the key's own */
export function verifyData(
	key: KeyMaterial,
	name: string | null,
	data: Uint8Array,
	signature: Uint8Array,
	options: SignatureOptions
): boolean {
	if (name !== null) digestOf(name);
	if (isEdwards(key)) {
		checkEdwards(name);
		return asymmetric().verifyEd(key.kind, key.point, data, signature);
	}
	if (key.kind === 'x25519' || key.kind === 'x448') throw noSignatures();
	const hash = hashFor(key, name);
	return verifyDigest(key, hash, hash.run(data), signature, options);
}
