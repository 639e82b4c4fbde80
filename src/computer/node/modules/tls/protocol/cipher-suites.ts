import { gcm } from '@noble/ciphers/aes.js';
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { sha256, sha384 } from '@noble/hashes/sha2.js';

export type SuiteHash = typeof sha256 | typeof sha384;

/** Cipher suite of TLS 1.3 (RFC 8446, B.4). */
export interface CipherSuite {
	readonly id: number;
	readonly name: string;
	readonly hash: SuiteHash;
	readonly keyBytes: number;
	readonly cipher: (
		key: Uint8Array,
		nonce: Uint8Array,
		header: Uint8Array
	) => { encrypt(plain: Uint8Array): Uint8Array; decrypt(sealed: Uint8Array): Uint8Array };
}

/** In OpenSSL's order of preference. */
export const CIPHER_SUITES: readonly CipherSuite[] = [
	{ id: 0x1302, name: 'TLS_AES_256_GCM_SHA384', hash: sha384, keyBytes: 32, cipher: gcm },
	{ id: 0x1303, name: 'TLS_CHACHA20_POLY1305_SHA256', hash: sha256, keyBytes: 32, cipher: chacha20poly1305 },
	{ id: 0x1301, name: 'TLS_AES_128_GCM_SHA256', hash: sha256, keyBytes: 16, cipher: gcm }
];
