import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';

const HASHES = { 'SHA-1': sha1, 'SHA-256': sha256, 'SHA-384': sha384, 'SHA-512': sha512 } as const;
export type HashName = keyof typeof HASHES;
export type Hash = (typeof HASHES)[HashName];

/** Algorithm parameters from a program, from which each operation reads what it needs. */
export class Parameters {
	readonly name: string;
	readonly #given: object;

	/** @param given a name, or an object with one. @throws TypeError without a name */
	constructor(given: unknown) {
		this.#given = typeof given === 'object' && given !== null ? given : { name: given };
		const name: unknown = Reflect.get(this.#given, 'name');
		if (typeof name !== 'string') throw new TypeError("Algorithm: 'name' is required.");
		this.name = name;
	}

	has(field: string): boolean {
		return Reflect.get(this.#given, field) !== undefined;
	}

	/** Returns a field unchanged. */
	value(field: string): unknown {
		return Reflect.get(this.#given, field);
	}

	/** Returns a copy. @throws TypeError if the field is absent or not bytes */
	bytes(field: string): Uint8Array {
		return copyOf(Reflect.get(this.#given, field), `${this.name}: '${field}'`);
	}

	/** @throws TypeError if the field is absent or not a non-negative integer */
	number(field: string): number {
		const value: unknown = Reflect.get(this.#given, field);
		const number = Number(value);
		if (value === undefined || !Number.isSafeInteger(number) || number < 0) {
			throw new TypeError(`${this.name}: '${field}' has to be a whole number.`);
		}
		return number;
	}

	/** @throws NotSupportedError for a hash that Web Crypto does not have */
	get hash(): { name: HashName; run: Hash } {
		const given: unknown = Reflect.get(this.#given, 'hash');
		if (given === undefined) throw new TypeError(`${this.name}: 'hash' is required.`);
		return hashNamed(new Parameters(given).name);
	}
}

/** @throws NotSupportedError for a hash that Web Crypto does not have */
export function hashNamed(given: string): { name: HashName; run: Hash } {
	const name = (Object.keys(HASHES) as HashName[]).find((each) => each === given.toUpperCase());
	if (!name) throw notSupported(`The hash ${given}`);
	return { name, run: HASHES[name] };
}

/** Copies a program's bytes, which it may change while the operation runs. @throws TypeError for other values */
export function copyOf(value: unknown, what: string): Uint8Array {
	if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
	if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
	throw new TypeError(`${what} has to be an ArrayBuffer, a TypedArray or a DataView.`);
}

export function notSupported(what: string): DOMException {
	const have = 'SHA, HMAC, AES, PBKDF2, HKDF, RSA, ECDSA, ECDH, Ed25519 and X25519';
	return new DOMException(
		`${what} is not supported here: this browser gives programs of the sandbox no Web Crypto, and in its place there are ${have}.`,
		'NotSupportedError'
	);
}

export const operationError = (message: string): DOMException => new DOMException(message, 'OperationError');
