import { ShareError } from './errors.ts';

/** First bytes of a session's file. */
const MAGIC = new TextEncoder().encode('SANDGLASS');
const VERSION = 1;
const PLAIN = 0;
const ENCRYPTED = 1;
const HEADER_BYTES = MAGIC.length + 2;
const SALT_BYTES = 16;
const IV_BYTES = 12;
/** Rounds of PBKDF2 with SHA-256 (OWASP's figure of 2023). */
const ROUNDS = 600_000;
/** Maximum size of a packed session. Bytes. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

/**
 * Builds the file `….sandglass` from a packed bundle: `SANDGLASS`, a version byte, an encryption flag byte,
 * then the bundle, or salt, IV and AES-GCM ciphertext with a key derived from the passphrase.
 *
 * @param passphrase not encrypted if empty
 */
export async function sealSessionFile(packed: Uint8Array, passphrase: string): Promise<Uint8Array> {
	const header = new Uint8Array([...MAGIC, VERSION, passphrase === '' ? PLAIN : ENCRYPTED]);
	if (passphrase === '') return joined([header, packed]);
	const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
	const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
	const key = await keyOf(passphrase, salt);
	// The header is authenticated too, so that it cannot be altered.
	const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: header }, key, packed.slice());
	return joined([header, salt, iv, new Uint8Array(sealed)]);
}

/**
 * Reads the packed bundle of an untrusted file. Rejects with `ShareError`: `not_a_session`, `newer_version`,
 * `file_too_large`, `passphrase` when it needs one, `wrong_passphrase`, `damaged_file`.
 *
 * @param passphrase `null` if the user has not been asked yet
 */
export async function openSessionFile(file: Blob, passphrase: string | null): Promise<Uint8Array> {
	if (file.size > MAX_FILE_BYTES) throw new ShareError('file_too_large');
	const bytes = new Uint8Array(await file.arrayBuffer());
	if (bytes.length < HEADER_BYTES || MAGIC.some((byte, index) => bytes[index] !== byte))
		throw new ShareError('not_a_session');
	const [version = 0, kind] = bytes.subarray(MAGIC.length, HEADER_BYTES);
	if (version > VERSION) throw new ShareError('newer_version');
	const body = bytes.slice(HEADER_BYTES);
	if (version === VERSION && kind === PLAIN) return body;
	if (version !== VERSION || kind !== ENCRYPTED || body.length <= SALT_BYTES + IV_BYTES)
		throw new ShareError('damaged_file');
	if (passphrase === null || passphrase === '') throw new ShareError('passphrase');
	const key = await keyOf(passphrase, body.slice(0, SALT_BYTES));
	const iv = body.slice(SALT_BYTES, SALT_BYTES + IV_BYTES);
	const additionalData = bytes.slice(0, HEADER_BYTES);
	try {
		const sealed = body.slice(SALT_BYTES + IV_BYTES);
		return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed));
	} catch (error) {
		throw new ShareError('wrong_passphrase', String(error));
	}
}

async function keyOf(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
	const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(passphrase), 'PBKDF2', false, [
		'deriveKey'
	]);
	const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS };
	return crypto.subtle.deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

function joined(parts: Uint8Array[]): Uint8Array {
	const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
