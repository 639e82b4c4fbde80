import { Buffer } from 'buffer';
import { cbc } from '@noble/ciphers/aes.js';
import { md5 } from '@noble/hashes/legacy.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { nodeError } from '../../../runtime/errors.ts';
import { algorithm } from '../hashes.ts';
import { opensslError } from '../openssl-error.ts';
import type { PemBlock } from '../pem.ts';
import { random } from '../random.ts';
import { asymmetric } from './load.ts';

const BLOCK = 16;
const SALT_BYTES = 8;
const ITERATIONS = 2048;
const HASH = 'sha256';
const AES = /^aes-?(128|192|256)-cbc$/i;

/** @throws ERR_CRYPTO_UNKNOWN_CIPHER */
function keyBytesOf(cipher: string): number {
	const bits = AES.exec(cipher)?.[1];
	if (bits === undefined) throw nodeError(Error, 'ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
	return Number(bits) / 8;
}

const normalised = (cipher: string): string => `aes-${keyBytesOf(cipher) * 8}-cbc`;

/** Encrypts a PKCS #8 key as `EncryptedPrivateKeyInfo`. @throws ERR_CRYPTO_UNKNOWN_CIPHER */
export function encryptPkcs8(der: Uint8Array, cipher: string, passphrase: Uint8Array): Uint8Array {
	const [salt, iv] = [random(SALT_BYTES), random(BLOCK)];
	const size = keyBytesOf(cipher);
	const key = pbkdf2(algorithm(HASH), passphrase, salt, { c: ITERATIONS, dkLen: size });
	const encryption = { cipher: normalised(cipher), iv, salt, iterations: ITERATIONS, hash: HASH };
	return asymmetric().writeEncrypted(encryption, cbc(key, iv).encrypt(der));
}

/** @throws errors of OpenSSL for a wrong passphrase */
export function decryptPkcs8(der: Uint8Array, passphrase: Uint8Array): Uint8Array {
	const { encryption, data } = asymmetric().readEncrypted(der);
	const { cipher, iv, salt, iterations, hash } = encryption;
	const key = pbkdf2(algorithm(hash), passphrase, salt, { c: iterations, dkLen: keyBytesOf(cipher) });
	return decrypted(key, iv, data, 'error:11800074:PKCS12 routines::pkcs12 cipherfinal error');
}

function decrypted(key: Uint8Array, iv: Uint8Array, data: Uint8Array, cause: string): Uint8Array {
	try {
		return cbc(key, iv).decrypt(data);
	} catch {
		throw opensslError('1C800064', 'Provider routines', 'bad decrypt', '', [cause]);
	}
}

/** Key of OpenSSL's own PEM encryption: MD5 over the passphrase and the start of the initialization vector. */
function legacyKey(passphrase: Uint8Array, iv: Uint8Array, size: number): Uint8Array {
	let key = Buffer.alloc(0);
	let last: Uint8Array = new Uint8Array(0);
	while (key.length < size) {
		last = md5(Buffer.concat([last, passphrase, iv.subarray(0, SALT_BYTES)]));
		key = Buffer.concat([key, last]);
	}
	return new Uint8Array(key.subarray(0, size));
}

/** Headers and bytes of a PEM block with OpenSSL's own encryption. @throws ERR_CRYPTO_UNKNOWN_CIPHER */
export function encryptPem(
	der: Uint8Array,
	cipher: string,
	passphrase: Uint8Array
): Pick<PemBlock, 'headers' | 'bytes'> {
	const iv = random(BLOCK);
	const key = legacyKey(passphrase, iv, keyBytesOf(cipher));
	const info = `${normalised(cipher).toUpperCase()},${Buffer.from(iv).toString('hex').toUpperCase()}`;
	return { headers: { 'Proc-Type': '4,ENCRYPTED', 'DEK-Info': info }, bytes: cbc(key, iv).encrypt(der) };
}

export const isEncryptedPem = ({ headers }: PemBlock): boolean => headers['Proc-Type']?.includes('ENCRYPTED') ?? false;

/** @throws errors of OpenSSL for a wrong passphrase, ERR_CRYPTO_UNKNOWN_CIPHER */
export function decryptPem({ headers, bytes }: PemBlock, passphrase: Uint8Array): Uint8Array {
	const [cipher = '', vector = ''] = (headers['DEK-Info'] ?? '').split(',');
	const iv = new Uint8Array(Buffer.from(vector, 'hex'));
	const key = legacyKey(passphrase, iv, keyBytesOf(cipher));
	return decrypted(key, iv, bytes, 'error:04800065:PEM routines::bad decrypt');
}
