import { aesCbc, aesCtr, aesGcm } from './aes.ts';
import type { Algorithm } from './algorithm.ts';
import { checkUsages, CryptoKey, secretOf, type Usage } from './crypto-key.ts';
import { hkdf, pbkdf2 } from './derivation.ts';
import { hmac } from './hmac.ts';
import { checkJwkName, fromJwk, toJwk } from './jwk.ts';
import { copyOf, hashNamed, notSupported, operationError, Parameters } from './parameters.ts';

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
	'AES-CBC': aesCbc,
	'AES-CTR': aesCtr,
	'AES-GCM': aesGcm,
	HKDF: hkdf,
	HMAC: hmac,
	PBKDF2: pbkdf2
};

/** @throws NotSupportedError */
function algorithmOf(parameters: Parameters): Algorithm {
	const name = parameters.name.toUpperCase();
	const found = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
	if (!found) throw notSupported(parameters.name);
	return found;
}

/** The algorithm, where the key is of it and for this. @throws InvalidAccessError, NotSupportedError, TypeError */
function algorithmFor(parameters: Parameters, key: CryptoKey, usage: Usage): Algorithm {
	const algorithm = algorithmOf(parameters);
	secretOf(key);
	if (key.algorithm.name !== parameters.name.toUpperCase()) {
		throw new DOMException('Key algorithm mismatch', 'InvalidAccessError');
	}
	if (!key.usages.includes(usage)) {
		throw new DOMException(`Unable to use this key to ${usage}`, 'InvalidAccessError');
	}
	return algorithm;
}

function derived(parameters: Parameters, key: CryptoKey, bits: unknown, usage: 'deriveBits' | 'deriveKey'): Uint8Array {
	const { derive } = algorithmFor(parameters, key, usage);
	if (!derive) throw notSupported(`${usage} with ${parameters.name}`);
	if (typeof bits !== 'number' || !Number.isInteger(bits) || bits < 0 || bits % 8 !== 0) {
		throw operationError('length must be a multiple of 8');
	}
	return derive(key, parameters, bits / 8);
}

function made(
	parameters: Parameters,
	secret: Uint8Array,
	isExtractable: boolean,
	usages: unknown,
	jwk?: unknown
): CryptoKey {
	const algorithm = algorithmOf(parameters);
	const allowed = checkUsages(usages, algorithm.usages);
	const described = algorithm.describe(parameters, secret);
	if (jwk !== undefined) checkJwkName(jwk, algorithm.jwkName?.(described));
	if (!algorithm.isExportable && isExtractable) {
		throw new DOMException(`${described.name} keys are not extractable`, 'SyntaxError');
	}
	return new CryptoKey(secret, described, isExtractable, allowed);
}

const buffer = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;

/**
 * `crypto.subtle` where the browser gives a worker none, which Chromium does in an opaque origin: the part of Web
 * Crypto (https://www.w3.org/TR/WebCryptoAPI/) with secret keys, by @noble/hashes and @noble/ciphers. Every operation
 * rejects as the browser's own would; what is absent with a `NotSupportedError` that says so.
 */
export class SubtleCrypto {
	async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
		const { run } = hashNamed(new Parameters(algorithm).name);
		return buffer(run(copyOf(data, 'The data')));
	}

	async generateKey(algorithm: unknown, extractable: boolean, usages: unknown): Promise<CryptoKey> {
		const parameters = new Parameters(algorithm);
		const { length, isExportable } = algorithmOf(parameters);
		const bits = isExportable ? length?.(parameters) : null;
		if (!bits) throw notSupported(`generateKey of ${parameters.name}`);
		const secret = crypto.getRandomValues(new Uint8Array(Math.ceil(bits / 8)));
		return made(parameters, secret, extractable, usages);
	}

	async importKey(
		format: unknown,
		data: unknown,
		algorithm: unknown,
		extractable: boolean,
		usages: unknown
	): Promise<CryptoKey> {
		const parameters = new Parameters(algorithm);
		if (format === 'raw') return made(parameters, copyOf(data, 'The key'), extractable, usages);
		const { isExportable, usages: own } = algorithmOf(parameters);
		if (format !== 'jwk' || !isExportable) throw notSupported(`importKey of ${parameters.name} as "${String(format)}"`);
		const secret = fromJwk(data, extractable, checkUsages(usages, own));
		return made(parameters, secret, extractable, usages, data);
	}

	async exportKey(format: unknown, key: CryptoKey): Promise<unknown> {
		const secret = secretOf(key);
		const algorithm = algorithmOf(new Parameters(key.algorithm));
		if (!algorithm.isExportable) throw notSupported(`exportKey of ${key.algorithm.name}`);
		if (!key.extractable) throw new DOMException('key is not extractable', 'InvalidAccessError');
		if (format === 'raw') return buffer(secret);
		if (format === 'jwk') return toJwk(key, algorithm);
		throw notSupported(`exportKey as "${String(format)}"`);
	}

	async sign(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
		const parameters = new Parameters(algorithm);
		const { sign } = algorithmFor(parameters, key, 'sign');
		if (!sign) throw notSupported(`sign with ${parameters.name}`);
		return buffer(sign(key, copyOf(data, 'The data')));
	}

	async verify(algorithm: unknown, key: CryptoKey, signature: unknown, data: unknown): Promise<boolean> {
		const parameters = new Parameters(algorithm);
		const { sign } = algorithmFor(parameters, key, 'verify');
		if (!sign) throw notSupported(`verify with ${parameters.name}`);
		const given = copyOf(signature, 'The signature');
		const right = sign(key, copyOf(data, 'The data'));
		// Compares all bytes, so that the time reveals nothing about the first difference.
		const difference = right.reduce((all, byte, at) => all | (byte ^ (given[at] ?? 0)), 0);
		return given.length === right.length && difference === 0;
	}

	async encrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
		const parameters = new Parameters(algorithm);
		const { encrypt } = algorithmFor(parameters, key, 'encrypt');
		if (!encrypt) throw notSupported(`encrypt with ${parameters.name}`);
		return buffer(encrypt(key, parameters, copyOf(data, 'The data')));
	}

	async decrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
		const parameters = new Parameters(algorithm);
		const { decrypt } = algorithmFor(parameters, key, 'decrypt');
		if (!decrypt) throw notSupported(`decrypt with ${parameters.name}`);
		return buffer(decrypt(key, parameters, copyOf(data, 'The data')));
	}

	async deriveBits(algorithm: unknown, key: CryptoKey, length: unknown): Promise<ArrayBuffer> {
		return buffer(derived(new Parameters(algorithm), key, length, 'deriveBits'));
	}

	async deriveKey(
		algorithm: unknown,
		key: CryptoKey,
		derivedAlgorithm: unknown,
		extractable: boolean,
		usages: unknown
	): Promise<CryptoKey> {
		const wanted = new Parameters(derivedAlgorithm);
		const bits = algorithmOf(wanted).length?.(wanted) ?? null;
		return made(wanted, derived(new Parameters(algorithm), key, bits, 'deriveKey'), extractable, usages);
	}

	async wrapKey(): Promise<never> {
		throw notSupported('wrapKey');
	}

	async unwrapKey(): Promise<never> {
		throw notSupported('unwrapKey');
	}

	get [Symbol.toStringTag](): string {
		return 'SubtleCrypto';
	}
}

/** Gives `crypto` what the browser has left out. Called before a program's own code. */
export function fillInSubtle(): void {
	if (crypto.subtle !== undefined) return;
	const define = (holder: object, name: string, value: unknown): void =>
		void Object.defineProperty(holder, name, { value, configurable: true, writable: true, enumerable: false });
	define(crypto, 'subtle', new SubtleCrypto());
	define(globalThis, 'SubtleCrypto', SubtleCrypto);
	define(globalThis, 'CryptoKey', CryptoKey);
}
