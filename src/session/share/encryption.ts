import { ShareError } from './errors.ts';

const IV_BYTES = 12;
const KEY_BYTES = 16;

/** Encrypts with a fresh key (AES-GCM, 128 bits) and a fresh IV, which precedes the ciphertext. */
export async function encrypt(plain: Uint8Array): Promise<{ key: Uint8Array; sealed: Uint8Array }> {
	const key = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
	const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
	const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await importKey(key), plain.slice());
	const sealed = new Uint8Array(IV_BYTES + ciphertext.byteLength);
	sealed.set(iv);
	sealed.set(new Uint8Array(ciphertext), IV_BYTES);
	return { key, sealed };
}

/** Rejects with `ShareError` `wrong_key` if the key is wrong or a byte was changed; the two cannot be distinguished. */
export async function decrypt(sealed: Uint8Array, key: Uint8Array): Promise<Uint8Array> {
	if (key.length !== KEY_BYTES || sealed.length <= IV_BYTES) throw new ShareError('damaged', 'length');
	try {
		const iv = sealed.slice(0, IV_BYTES);
		return new Uint8Array(
			await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await importKey(key), sealed.slice(IV_BYTES))
		);
	} catch (error) {
		throw new ShareError('wrong_key', String(error));
	}
}

function importKey(key: Uint8Array): Promise<CryptoKey> {
	return crypto.subtle.importKey('raw', key.slice(), 'AES-GCM', false, ['encrypt', 'decrypt']);
}
