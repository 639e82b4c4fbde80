import { Buffer } from 'buffer';
import { nodeError } from '../../../runtime/errors.ts';
import { string } from '../../../runtime/validate.ts';
import { constants } from '../constants.ts';
import { algorithm } from '../hashes.ts';
import { bytesOf } from '../keys.ts';
import { opensslError } from '../openssl-error.ts';
import { random } from '../random.ts';
import { privateKey, publicKey } from './key-input.ts';
import { asymmetric } from './load.ts';
import type { KeyMaterial, RsaKey } from './part/material.ts';
import { namedHash } from './signatures.ts';

const { RSA_NO_PADDING, RSA_PKCS1_OAEP_PADDING, RSA_PKCS1_PADDING } = constants;

interface Settings {
	padding: number;
	hash: string;
	label: Uint8Array;
}

const unsupported = () =>
	opensslError('03000096', 'digital envelope routines', 'operation not supported for this keytype', 'EVP');

/** @throws ERR_INVALID_ARG_TYPE, ERR_OSSL_EVP_INVALID_DIGEST */
function settingsOf(options: unknown, padding: number): Settings {
	const given = (typeof options === 'object' && options !== null ? options : {}) as Record<string, unknown>;
	const { oaepHash, oaepLabel, encoding } = given;
	if (oaepHash !== undefined) string(oaepHash, 'key.oaepHash');
	const label =
		oaepLabel === undefined ? new Uint8Array(0) : bytesOf(oaepLabel, 'key.oaepLabel', encoding as string | undefined);
	return { padding: Number(given['padding'] || padding), hash: (oaepHash as string | undefined) ?? 'sha1', label };
}

function oaepHashes(name: string) {
	try {
		algorithm(name);
	} catch {
		throw nodeError(Error, 'ERR_OSSL_EVP_INVALID_DIGEST', 'Invalid digest used');
	}
	const hash = namedHash(name);
	return { hash, mask: hash };
}

/** @throws errors of OpenSSL for another kind of key */
function rsaOf(key: KeyMaterial): RsaKey {
	if (key.kind === 'rsa') return key;
	throw unsupported();
}

/** The unpadded block. @throws errors of OpenSSL unless it is as long as the modulus */
function wholeBlock(data: Uint8Array, size: number): Uint8Array {
	if (data.length === size) return data;
	const [number, word] = data.length < size ? ['0200007A', 'small'] : ['0200006E', 'large'];
	throw opensslError(number, 'rsa routines', `data too ${word} for key size`, 'RSA');
}

const unknownPadding = () => opensslError('1C8000A5', 'Provider routines', 'illegal or unsupported padding mode');

function encrypted(key: RsaKey, data: Uint8Array, { padding, hash, label }: Settings): Uint8Array {
	const { applyPublic, encryptionBlock, oaepBlock, sizeOf } = asymmetric();
	const size = sizeOf(key);
	switch (padding) {
		case RSA_PKCS1_OAEP_PADDING:
			return applyPublic(key, oaepBlock(size, data, label, oaepHashes(hash), random));
		case RSA_PKCS1_PADDING:
			return applyPublic(key, encryptionBlock(size, data, random));
		case RSA_NO_PADDING:
			return applyPublic(key, wholeBlock(data, size));
		default:
			throw unknownPadding();
	}
}

function decrypted(key: RsaKey, data: Uint8Array, { padding, hash, label }: Settings): Uint8Array {
	const { applyPrivate, oaepError, openOaep, sizeOf } = asymmetric();
	const size = sizeOf(key);
	switch (padding) {
		case RSA_PKCS1_OAEP_PADDING: {
			const hashes = oaepHashes(hash);
			if (data.length > size) throw oaepError();
			return openOaep(applyPrivate(key, data), label, hashes);
		}
		case RSA_NO_PADDING:
			return applyPrivate(key, wholeBlock(data, size));
		case RSA_PKCS1_PADDING:
			// Errors for invalid blocks would reveal the plaintext (CVE-2023-46809), so Node refuses this, too.
			throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', REFUSED);
		default:
			throw unknownPadding();
	}
}

const REFUSED =
	'RSA_PKCS1_PADDING is no longer supported for private decryption, this can be reverted with --security-revert=CVE-2023-46809';

function signedBlock(key: RsaKey, data: Uint8Array, { padding }: Settings): Uint8Array {
	const { applyPrivate, paddedBlock, sizeOf } = asymmetric();
	if (padding === RSA_PKCS1_PADDING) return applyPrivate(key, paddedBlock(sizeOf(key), data));
	if (padding === RSA_NO_PADDING) return applyPrivate(key, wholeBlock(data, sizeOf(key)));
	throw unknownPadding();
}

function openedBlock(key: RsaKey, data: Uint8Array, { padding }: Settings): Uint8Array {
	const { applyPublic, sizeOf, unpaddedBlock } = asymmetric();
	if (padding === RSA_PKCS1_PADDING) return unpaddedBlock(applyPublic(key, data));
	if (padding === RSA_NO_PADDING) return applyPublic(key, wholeBlock(data, sizeOf(key)));
	throw unknownPadding();
}

/** Creates a call that takes a key, or options with one, and data. */
const call =
	(
		read: (options: unknown) => KeyMaterial,
		run: (key: RsaKey, data: Uint8Array, settings: Settings) => Uint8Array,
		padding: number
	) =>
	(options: unknown, buffer: unknown): Buffer => {
		const settings = settingsOf(options, padding);
		if (settings.padding === RSA_PKCS1_OAEP_PADDING) oaepHashes(settings.hash);
		const key = read(options);
		const encoding: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'encoding') : null;
		const data = bytesOf(buffer, 'buffer', encoding as string | null);
		return Buffer.from(run(rsaOf(key), data, settings));
	};

/** `crypto.publicEncrypt` and the three related functions. */
export const rsaCalls = {
	publicEncrypt: call(publicKey, encrypted, RSA_PKCS1_OAEP_PADDING),
	privateDecrypt: call(privateKey, decrypted, RSA_PKCS1_OAEP_PADDING),
	privateEncrypt: call(privateKey, signedBlock, RSA_PKCS1_PADDING),
	publicDecrypt: call(publicKey, openedBlock, RSA_PKCS1_PADDING)
};
