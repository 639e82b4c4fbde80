import { signData, verifyData } from '../asymmetric/signatures.ts';
import { aesCbc, aesCtr, aesGcm, aesKw } from './aes.ts';
import type { Algorithm, PairAlgorithm } from './algorithm.ts';
import { checkUsages, CryptoKey, pairKeyOf, secretOf, type Usage } from './crypto-key.ts';
import { hkdf, pbkdf2 } from './derivation.ts';
import { hmac } from './hmac.ts';
import { checkJwkName, dataError, fromJwk, toJwk } from './jwk.ts';
import { exportPairKey, generatePair, importPairKey } from './pair-formats.ts';
import { PAIRS } from './pairs.ts';
import { copyOf, hashNamed, notSupported, operationError, Parameters } from './parameters.ts';

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
	'AES-CBC': aesCbc,
	'AES-CTR': aesCtr,
	'AES-GCM': aesGcm,
	'AES-KW': aesKw,
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

/** Algorithm with key pairs; undefined if it is not one. */
function pairOf({ name }: { name: string }): PairAlgorithm | undefined {
	const key = name.toUpperCase();
	return Object.hasOwn(PAIRS, key) ? PAIRS[key] : undefined;
}

/** @throws InvalidAccessError if the key is of another algorithm, or not for this usage */
function checkKey(parameters: Parameters, key: CryptoKey, usage: Usage): void {
	if (!(key instanceof CryptoKey)) throw new TypeError('The "key" argument must be an instance of CryptoKey.');
	if (key.algorithm.name.toUpperCase() !== parameters.name.toUpperCase()) {
		throw new DOMException('Key algorithm mismatch', 'InvalidAccessError');
	}
	if (!key.usages.includes(usage)) {
		throw new DOMException(`Unable to use this key to ${usage}`, 'InvalidAccessError');
	}
}

/**
 * Returns the algorithm if the key is of it and for this usage.
 * @throws InvalidAccessError, NotSupportedError, TypeError
 */
function algorithmFor(parameters: Parameters, key: CryptoKey, usage: Usage): Algorithm {
	const algorithm = algorithmOf(parameters);
	checkKey(parameters, key, usage);
	return algorithm;
}

function derived(parameters: Parameters, key: CryptoKey, bits: unknown, usage: 'deriveBits' | 'deriveKey'): Uint8Array {
	const pair = pairOf(parameters);
	if (pair?.agree) {
		checkKey(parameters, key, usage);
		const shared = pair.agree(key, parameters);
		if (bits === null || bits === undefined) return shared;
		if (typeof bits !== 'number' || bits > shared.length * 8) throw operationError('derived bit length is too small');
		const cut = shared.slice(0, Math.ceil(bits / 8));
		const last = cut.length - 1;
		if (bits % 8 !== 0) cut[last] = (cut[last] ?? 0) & (0xff << (8 - (bits % 8)));
		return cut;
	}
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

/** Copies bytes into a separate buffer. */
const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** Encrypts or decrypts. @throws errors of the algorithm, NotSupportedError */
function converted(
	call: 'encrypt' | 'decrypt',
	usage: Usage,
	parameters: Parameters,
	key: CryptoKey,
	data: Uint8Array
): Uint8Array {
	const algorithm = pairOf(parameters) ?? algorithmOf(parameters);
	checkKey(parameters, key, usage);
	const run = algorithm[call];
	if (!run) throw notSupported(`${usage} with ${parameters.name}`);
	return run(key, parameters, data);
}

/**
 * `crypto.subtle` for workers in which the browser does not provide it, as in Chromium with an opaque origin: Web
 * Crypto (https://www.w3.org/TR/WebCryptoAPI/) by @noble/hashes, @noble/ciphers and the asymmetric keys of
 * `node:crypto`. Operations reject as the browser's own would; unsupported ones with a `NotSupportedError` that
 * explains it.
 */
export class SubtleCrypto {
	async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
		const { run } = hashNamed(new Parameters(algorithm).name);
		return buffer(run(copyOf(data, 'The data')));
	}

	async generateKey(
		algorithm: unknown,
		extractable: boolean,
		usages: unknown
	): Promise<CryptoKey | { publicKey: CryptoKey; privateKey: CryptoKey }> {
		const parameters = new Parameters(algorithm);
		const pair = pairOf(parameters);
		if (pair) return generatePair(pair, parameters, extractable, usages);
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
		const pair = pairOf(parameters);
		if (pair) return importPairKey(format, data, pair, parameters, extractable, usages);
		if (format === 'raw') return made(parameters, copyOf(data, 'The key'), extractable, usages);
		const { isExportable, usages: own } = algorithmOf(parameters);
		if (format !== 'jwk' || !isExportable) throw notSupported(`importKey of ${parameters.name} as "${String(format)}"`);
		const secret = fromJwk(data, extractable, checkUsages(usages, own));
		return made(parameters, secret, extractable, usages, data);
	}

	async exportKey(format: unknown, key: CryptoKey): Promise<unknown> {
		if (!(key instanceof CryptoKey)) throw new TypeError('The "key" argument must be an instance of CryptoKey.');
		const pair = pairOf(key.algorithm);
		const algorithm = pair ?? algorithmOf(new Parameters(key.algorithm));
		if (!pair && !(algorithm as Algorithm).isExportable) throw notSupported(`exportKey of ${key.algorithm.name}`);
		if (!key.extractable) throw new DOMException('key is not extractable', 'InvalidAccessError');
		if (pair) {
			const written = exportPairKey(format, key, pair);
			return written instanceof Uint8Array ? buffer(written) : written;
		}
		if (format === 'raw') return buffer(secretOf(key));
		if (format === 'jwk') return toJwk(key, algorithm as Algorithm);
		throw notSupported(`exportKey as "${String(format)}"`);
	}

	async sign(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
		const parameters = new Parameters(algorithm);
		const bytes = copyOf(data, 'The data');
		const pair = pairOf(parameters);
		if (pair?.signature) {
			checkKey(parameters, key, 'sign');
			const { hash, options } = pair.signature(key.algorithm, parameters);
			return buffer(signData(pairKeyOf(key), hash, bytes, options));
		}
		const { sign } = algorithmFor(parameters, key, 'sign');
		if (!sign) throw notSupported(`sign with ${parameters.name}`);
		return buffer(sign(key, bytes));
	}

	async verify(algorithm: unknown, key: CryptoKey, signature: unknown, data: unknown): Promise<boolean> {
		const parameters = new Parameters(algorithm);
		const [given, bytes] = [copyOf(signature, 'The signature'), copyOf(data, 'The data')];
		const pair = pairOf(parameters);
		if (pair?.signature) {
			checkKey(parameters, key, 'verify');
			const { hash, options } = pair.signature(key.algorithm, parameters);
			return verifyData(pairKeyOf(key), hash, bytes, given, options);
		}
		const { sign } = algorithmFor(parameters, key, 'verify');
		if (!sign) throw notSupported(`verify with ${parameters.name}`);
		const right = sign(key, bytes);
		// Compares all bytes, so that the time reveals nothing about the first difference.
		const difference = right.reduce((all, byte, at) => all | (byte ^ (given[at] ?? 0)), 0);
		return given.length === right.length && difference === 0;
	}

	async encrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
		return buffer(converted('encrypt', 'encrypt', new Parameters(algorithm), key, copyOf(data, 'The data')));
	}

	async decrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
		return buffer(converted('decrypt', 'decrypt', new Parameters(algorithm), key, copyOf(data, 'The data')));
	}

	async deriveBits(algorithm: unknown, key: CryptoKey, length?: unknown): Promise<ArrayBuffer> {
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

	async wrapKey(format: unknown, key: CryptoKey, wrappingKey: CryptoKey, algorithm: unknown): Promise<ArrayBuffer> {
		const parameters = new Parameters(algorithm);
		const exported = await this.exportKey(format, key);
		const bytes =
			exported instanceof ArrayBuffer ? new Uint8Array(exported) : new TextEncoder().encode(JSON.stringify(exported));
		const wrap = pairOf(parameters) ? undefined : algorithmOf(parameters).wrap;
		if (!wrap) return buffer(converted('encrypt', 'wrapKey', parameters, wrappingKey, bytes));
		checkKey(parameters, wrappingKey, 'wrapKey');
		return buffer(wrap(wrappingKey, bytes));
	}

	async unwrapKey(
		format: unknown,
		wrapped: unknown,
		unwrappingKey: CryptoKey,
		algorithm: unknown,
		keyAlgorithm: unknown,
		extractable: boolean,
		usages: unknown
	): Promise<CryptoKey> {
		const parameters = new Parameters(algorithm);
		const data = copyOf(wrapped, 'The wrapped key');
		const unwrap = pairOf(parameters) ? undefined : algorithmOf(parameters).unwrap;
		checkKey(parameters, unwrappingKey, 'unwrapKey');
		const bytes = unwrap
			? unwrap(unwrappingKey, data)
			: converted('decrypt', 'unwrapKey', parameters, unwrappingKey, data);
		const key: unknown = format === 'jwk' ? parsedJwk(bytes) : bytes;
		return this.importKey(format, key, keyAlgorithm, extractable, usages);
	}

	get [Symbol.toStringTag](): string {
		return 'SubtleCrypto';
	}
}

/** @throws DataError for anything but JSON */
function parsedJwk(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		throw dataError('Invalid wrapped JWK key');
	}
}

/** Adds what the browser omits to `crypto`. Called before a program's own code. */
export function fillInSubtle(): void {
	if (crypto.subtle !== undefined) return;
	const define = (holder: object, name: string, value: unknown): void =>
		void Object.defineProperty(holder, name, { value, configurable: true, writable: true, enumerable: false });
	define(crypto, 'subtle', new SubtleCrypto());
	define(globalThis, 'SubtleCrypto', SubtleCrypto);
	define(globalThis, 'CryptoKey', CryptoKey);
}
