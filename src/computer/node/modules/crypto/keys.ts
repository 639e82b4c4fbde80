import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../../runtime/errors.ts';

/** `crypto.KeyObject` of a secret. Key pairs are Web Crypto's. */
export class KeyObject {
	readonly type = 'secret';
	readonly #bytes: Uint8Array;

	constructor(bytes: Uint8Array) {
		this.#bytes = new Uint8Array(bytes);
	}

	get symmetricKeySize(): number {
		return this.#bytes.length;
	}

	export(options: { format?: string } = {}): Buffer | { kty: string; k: string } {
		if (options.format === 'jwk') return { kty: 'oct', k: Buffer.from(this.#bytes).toString('base64url') };
		return Buffer.from(this.#bytes);
	}

	equals(other: KeyObject): boolean {
		return Buffer.compare(keyBytes(this), keyBytes(other)) === 0;
	}
}

/** Reports whether a value is an ArrayBuffer or a SharedArrayBuffer. */
export function isBuffer(value: unknown): value is ArrayBuffer {
	return value instanceof ArrayBuffer || Object.prototype.toString.call(value) === '[object SharedArrayBuffer]';
}

/** The bytes of a key however it was given: text, bytes or a `KeyObject`. @throws ERR_INVALID_ARG_TYPE */
export function keyBytes(key: unknown): Uint8Array {
	if (typeof key === 'string') return Buffer.from(key);
	if (key instanceof KeyObject) return key.export() as Buffer;
	if (ArrayBuffer.isView(key)) return new Uint8Array(key.buffer, key.byteOffset, key.byteLength);
	if (isBuffer(key)) return new Uint8Array(key);
	throw invalidArgument(
		'key',
		'of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey',
		key
	);
}

export function createSecretKey(key: unknown, encoding?: BufferEncoding): KeyObject {
	const bytes = typeof key === 'string' ? Buffer.from(key, encoding) : keyBytes(key);
	return new KeyObject(bytes);
}

/** `crypto.generateKeySync('hmac' | 'aes', { length })`, in bits. @throws ERR_INVALID_ARG_VALUE */
export function generateSecretKey(type: string, length: number, random: (size: number) => Uint8Array): KeyObject {
	if (type !== 'hmac' && type !== 'aes') {
		throw nodeError(
			TypeError,
			'ERR_INVALID_ARG_VALUE',
			`The argument 'type' must be a supported key type. Received '${type}'`
		);
	}
	return new KeyObject(random(length >> 3));
}
