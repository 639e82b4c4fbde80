import { Buffer } from 'buffer';
import { invalidArgument, invalidValue, nodeError, type NodeError } from '../../runtime/errors.ts';
import { integer, oneOf, plainObject, string } from '../../runtime/validate.ts';
import type { KeyMaterial } from './asymmetric/part/material.ts';

export type KeyType = 'secret' | 'public' | 'private';

const TYPES: readonly unknown[] = ['secret', 'public', 'private'];
const KEY_TYPE = Symbol('kKeyType');

/** Key material, hidden from programs: bytes of a secret, or numbers of an asymmetric key. */
export class KeyHandle {
	constructor(readonly key: Uint8Array | KeyMaterial) {}
}

let keyOf: (object: KeyObject) => Uint8Array | KeyMaterial;

/** `crypto.KeyObject`. Programs receive instances of its subclasses. */
export class KeyObject {
	readonly #handle: KeyHandle;
	readonly [KEY_TYPE]: KeyType;

	/** @throws ERR_INVALID_ARG_VALUE, ERR_INVALID_ARG_TYPE for a handle not created by the module */
	constructor(type: unknown, handle: unknown) {
		if (!TYPES.includes(type)) throw invalidValue('type', type);
		if (!(handle instanceof KeyHandle)) throw invalidArgument('handle', 'of type object', handle);
		this.#handle = handle;
		this[KEY_TYPE] = type as KeyType;
		Object.defineProperty(this, KEY_TYPE, { writable: false });
	}

	get type(): KeyType {
		return this[KEY_TYPE];
	}

	/** @throws ERR_INVALID_ARG_TYPE */
	equals(other: unknown): boolean {
		if (!(other instanceof KeyObject)) throw invalidArgument('otherKeyObject', 'an instance of KeyObject', other);
		return this.type === other.type && isEqual(this.#handle.key, other.#handle.key);
	}

	static {
		keyOf = (object) => object.#handle.key;
		Object.defineProperty(this.prototype, Symbol.toStringTag, { value: 'KeyObject', configurable: true });
	}
}

function isEqual(one: unknown, other: unknown): boolean {
	if (one instanceof Uint8Array) return other instanceof Uint8Array && Buffer.compare(one, other) === 0;
	if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
	const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
	// The representation of the curve is not part of the key.
	fields.delete('isExplicit');
	return [...fields].every((field) => isEqual(Reflect.get(one, field), Reflect.get(other, field)));
}

/** Numbers of an asymmetric key. @throws ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE for a secret */
export function materialOf(object: KeyObject, expected = 'private or public'): KeyMaterial {
	const key = keyOf(object);
	if (key instanceof Uint8Array) throw wrongKeyType(object.type, expected);
	return key;
}

export const wrongKeyType = (type: string, expected: string): NodeError =>
	nodeError(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', `Invalid key object type ${type}, expected ${expected}.`);

export class SecretKeyObject extends KeyObject {
	constructor(bytes: Uint8Array) {
		super('secret', new KeyHandle(new Uint8Array(bytes)));
	}

	get symmetricKeySize(): number {
		return secretBytes(this).length;
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
	export(options?: { format?: string }): Buffer | { kty: string; k: string } {
		const bytes = Buffer.from(secretBytes(this));
		if (options === undefined) return bytes;
		if (typeof options !== 'object') throw invalidArgument('options', 'of type object', options);
		oneOf([undefined, 'buffer', 'jwk'])(options.format, 'options.format');
		return options.format === 'jwk' ? { kty: 'oct', k: bytes.toString('base64url') } : bytes;
	}
}

/** @throws ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE for an asymmetric key */
function secretBytes(object: KeyObject): Uint8Array {
	const key = keyOf(object);
	if (key instanceof Uint8Array) return key;
	throw wrongKeyType(object.type, 'secret');
}

/** Returns whether a value is an ArrayBuffer or a SharedArrayBuffer. */
export function isBuffer(value: unknown): value is ArrayBuffer {
	return value instanceof ArrayBuffer || Object.prototype.toString.call(value) === '[object SharedArrayBuffer]';
}

/** Bytes of text, a view or a buffer; null for any other value. */
export function bytesOrNull(value: unknown, encoding?: string | null): Uint8Array | null {
	if (typeof value === 'string') {
		return Buffer.from(value, encoding && encoding !== 'buffer' ? (encoding as BufferEncoding) : 'utf8');
	}
	if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
	return isBuffer(value) ? new Uint8Array(value) : null;
}

const BYTES = 'of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView';

/** @throws ERR_INVALID_ARG_TYPE */
export function bytesOf(value: unknown, name: string, encoding?: string | null, expected = BYTES): Uint8Array {
	const bytes = bytesOrNull(value, encoding);
	if (bytes) return bytes;
	throw invalidArgument(name, expected, value);
}

/** Bytes of a key in any input form: text, bytes or a `KeyObject`. @throws ERR_INVALID_ARG_TYPE */
export function keyBytes(key: unknown): Uint8Array {
	if (key instanceof KeyObject) return Buffer.from(secretBytes(key));
	const bytes = bytesOrNull(key);
	if (bytes) return bytes;
	throw invalidArgument(
		'key',
		'of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey',
		key
	);
}

export function createSecretKey(key: unknown, encoding?: BufferEncoding): SecretKeyObject {
	return new SecretKeyObject(
		bytesOf(key, 'key', encoding, 'an instance of ArrayBuffer, Buffer, TypedArray, or DataView')
	);
}

/** Sizes of AES keys, in bits. */
const AES_SIZES = [128, 192, 256];

const MOST_BITS = 2 ** 31 - 1;

/**
 * Returns the function that generates a secret key for `generateKey` of `hmac` or `aes`.
 * @throws ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE
 */
export function prepareSecretKey(
	type: unknown,
	options: unknown,
	random: (size: number) => Uint8Array
): () => SecretKeyObject {
	string(type, 'type');
	plainObject(options, 'options');
	const { length } = options as { length?: unknown };
	if (type === 'aes') oneOf(AES_SIZES)(length, 'options.length');
	else if (type === 'hmac') integer(8, MOST_BITS)(length, 'options.length');
	else throw invalidValue('type', type, 'must be a supported key type');
	return () => new SecretKeyObject(random((length as number) >> 3));
}
