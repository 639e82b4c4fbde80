import { Buffer } from 'buffer';
import { hmac } from '@noble/hashes/hmac.js';
import { callable } from '../callable.ts';
import { getCipherInfo } from './cipher-info.ts';
import { Cipheriv, cipherNames, Decipheriv } from './ciphers.ts';
import { constants } from './constants.ts';
import { derivations } from './derivation.ts';
import { DiffieHellman, DiffieHellmanGroup } from './diffie-hellman.ts';
import { algorithm, digestOf, extendableHash, HASH_NAMES, type Running } from './hashes.ts';
import { createPrimes } from './primes.ts';
import { createSecretKey, KeyObject, keyBytes, prepareSecretKey } from './keys.ts';
import { keyPairCalls } from './asymmetric/calls.ts';
import { X509Certificate } from './certificates/x509-certificate.ts';
import { fill, random, web } from './random.ts';
import { invalidArgument, nodeError, outOfRange } from '../../runtime/errors.ts';
import { boolean, functionValue, integer, optional, plainObject, string } from '../../runtime/validate.ts';
import streams from '../stream.ts';
import { encoded } from './encoded.ts';

type Data = string | ArrayBufferView;

const bytes = (data: Data, encoding?: BufferEncoding): Uint8Array => {
	if (typeof data === 'string') return Buffer.from(data, encoding);
	if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	throw invalidArgument('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
};
const shown = (digest: Uint8Array, encoding?: BufferEncoding | 'buffer') => encoded(Buffer.from(digest), encoding);

/** `crypto.Hash` and `crypto.Hmac`: a stream, and `update().digest()`. */
class Hash extends streams.Transform {
	#running: Running;
	#finished = false;
	#flushed: Buffer | undefined;

	constructor(running: Running) {
		super();
		this.#running = running;
	}

	update(data: Data, encoding?: BufferEncoding): this {
		if (this.#finished) throw nodeError(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
		this.#running.update(bytes(data, encoding));
		return this;
	}

	digest(encoding?: BufferEncoding): string | Buffer {
		// The stream has already consumed it: return the same again.
		if (this.#flushed) return shown(this.#flushed, encoding);
		if (this.#finished) return this._again(encoding);
		this.#finished = true;
		return shown(this.#running.digest(), encoding);
	}

	/** Handles a second call of `digest`. */
	_again(_encoding?: BufferEncoding): string | Buffer {
		throw nodeError(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
	}

	copy(_options?: HashOptions): Hash {
		if (this.#finished) throw nodeError(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
		return new Hash(this.#running.clone());
	}

	override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
		this.update(chunk);
		done();
	}

	override _flush(done: () => void): void {
		const digest = this.digest() as Buffer;
		this.#flushed = digest;
		this.push(digest);
		done();
	}
}

interface HashOptions {
	outputLength?: number;
}

/** Gives a class the methods that it inherits, as in Node: packages copy a class with its own methods alone. */
function ownInherited(target: typeof NamedHash | typeof Hmac): void {
	const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(Hash.prototype);
	for (const [name, method] of Object.entries(methods))
		if (!Object.hasOwn(target.prototype, name)) Object.defineProperty(target.prototype, name, method);
}

class NamedHash extends Hash {
	static {
		// Programs print the class name.
		Object.defineProperty(this, 'name', { value: 'Hash' });
		ownInherited(this);
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE, ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH */
	constructor(name: string, options?: HashOptions | null) {
		string(name, 'algorithm');
		const length = options?.outputLength;
		if (length !== undefined) integer(0, 2 ** 32 - 1)(length, 'options.outputLength');
		const extendable = extendableHash(name);
		if (extendable) {
			super(extendable(length) as Running);
			return;
		}
		const found = algorithm(name);
		if (length !== undefined && length !== found.outputLen) {
			const words = 'error:030000B2:digital envelope routines::not XOF or invalid length';
			throw Object.assign(nodeError(Error, 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH', words), {
				library: 'digital envelope routines',
				reason: 'not XOF or invalid length'
			});
		}
		super(found.create() as Running);
	}
}

class Hmac extends Hash {
	static {
		ownInherited(this);
	}

	constructor(name: string, key: unknown) {
		string(name, 'hmac');
		super(hmac.create(digestOf(name), keyBytes(key)) as unknown as Running);
	}

	override _again(encoding?: BufferEncoding): string | Buffer {
		return shown(new Uint8Array(0), encoding);
	}
}

/** @throws ERR_INVALID_ARG_TYPE */
function checkSafeInteger(value: unknown, name: string): void {
	if (!Number.isSafeInteger(value)) throw invalidArgument(name, 'a safe integer', value);
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
function randomInt(low: number, high?: unknown, callback?: unknown): number | void {
	const hasLow = !(high === undefined || typeof high === 'function');
	const done = hasLow ? callback : high;
	const [from, to] = hasLow ? [low, high as number] : [0, low];
	if (done !== undefined) functionValue(done, 'callback');
	checkSafeInteger(from, 'min');
	checkSafeInteger(to, 'max');
	if (!(to > from)) {
		const words = `The value of "max" is out of range. It must be greater than the value of "min" (${from}). Received ${to}`;
		throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', words);
	}
	if (to - from > 2 ** 48 - 1) throw outOfRange(hasLow ? 'max - min' : 'max', `<= ${2 ** 48 - 1}`, to - from);
	const range = to - from;
	const limit = 2 ** 48 - (2 ** 48 % range);
	let value: number;
	do {
		value = Buffer.from(fill(new Uint8Array(6))).readUIntBE(0, 6);
	} while (value >= limit);
	const result = from + (value % range);
	if (typeof done !== 'function') return result;
	queueMicrotask(() => Reflect.apply(done, undefined, [null, result]));
}

const MAX_INT = 2 ** 31 - 1;

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
function checkSize(size: unknown, name: string, max = MAX_INT): asserts size is number {
	if (typeof size !== 'number') throw invalidArgument(name, 'of type number', size);
	if (!(size >= 0 && size <= max)) throw outOfRange(name, `>= 0 && <= ${max}`, size);
}

function randomBytes(size: unknown, callback?: unknown): Buffer | void {
	checkSize(size, 'size');
	if (callback !== undefined) functionValue(callback, 'callback');
	const made = Buffer.from(fill(new Uint8Array(Math.floor(size))));
	if (typeof callback !== 'function') return made;
	queueMicrotask(() => Reflect.apply(callback, undefined, [null, made]));
}

/** `crypto.generateKey`. @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE */
function generateKey(type: unknown, options: unknown, done?: unknown): void {
	const callback = typeof options === 'function' ? options : done;
	functionValue(callback, 'callback');
	const make = prepareSecretKey(type, options, random);
	queueMicrotask(() => Reflect.apply(callback as () => void, undefined, [null, make()]));
}

type Fillable = ArrayBufferView | ArrayBuffer;

/**
 * Fills elements of a view, or bytes of a buffer, starting at `offset`. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE
 */
function randomFillSync<Target extends Fillable>(target: Target, offset: unknown = 0, size?: unknown): Target {
	const isView = ArrayBuffer.isView(target);
	const isBuffer =
		target instanceof ArrayBuffer || Object.prototype.toString.call(target) === '[object SharedArrayBuffer]';
	if (!isView && !isBuffer) throw invalidArgument('buf', 'an instance of ArrayBuffer or ArrayBufferView', target);
	const elementBytes = isView
		? ((target as { BYTES_PER_ELEMENT?: number } & ArrayBufferView).BYTES_PER_ELEMENT ?? 1)
		: 1;
	const start = typeof offset === 'number' ? offset * elementBytes : offset;
	checkSize(start, 'offset', target.byteLength);
	const count = typeof size === 'number' ? size * elementBytes : (size ?? target.byteLength - start);
	checkSize(count, 'size');
	if (start + count > target.byteLength) {
		throw outOfRange('size + offset', `<= ${target.byteLength}`, start + count);
	}
	const [buffer, from] = isView ? [target.buffer, target.byteOffset] : [target as ArrayBuffer, 0];
	fill(new Uint8Array(buffer, from + start, count));
	return target;
}

function randomFill(target: Fillable, ...rest: unknown[]): void {
	const done = rest.find((given) => typeof given === 'function');
	const [offset, size] = rest.slice(0, rest.indexOf(done));
	if (!done) functionValue(rest.at(-1), 'callback');
	const filled = randomFillSync(target, offset, size);
	queueMicrotask(() => Reflect.apply(done as () => void, undefined, [null, filled]));
}

function randomUUID(options: { disableEntropyCache?: boolean } = {}): string {
	plainObject(options, 'options');
	optional(boolean)(options.disableEntropyCache, 'options.disableEntropyCache');
	return web.randomUUID();
}

/** @throws ERR_CRYPTO_FIPS_UNAVAILABLE if the mode is turned on */
function setFips(on: unknown): void {
	if (on) throw nodeError(Error, 'ERR_CRYPTO_FIPS_UNAVAILABLE', 'Cannot set FIPS mode in a non-FIPS build.');
}

/**
 * `node:crypto`: hashes by @noble/hashes, asymmetric keys in `asymmetric/`, randomness from the browser, and its
 * `subtle` if it has one.
 */
export function createCrypto(): Record<string, unknown> {
	const Group = callable(DiffieHellmanGroup);
	const module: Record<string, unknown> = {
		Hash: callable(NamedHash),
		Hmac: callable(Hmac),
		createHash: (name: string, options?: HashOptions | null) => new NamedHash(name, options),
		createHmac: (name: string, key: unknown) => new Hmac(name, key),
		hash: (name: string, data: Data, encoding: BufferEncoding = 'hex') => shown(algorithm(name)(bytes(data)), encoding),
		getHashes: () => [...HASH_NAMES],
		getCiphers: () => cipherNames,
		getCipherInfo,
		getFips: () => 0,
		setFips,
		// No memory of its own is reserved for keys, as in a Node without `--secure-heap`.
		secureHeapUsed: () => ({ total: 0, used: 0, utilization: 0, min: 0 }),
		Cipheriv: callable(Cipheriv),
		Decipheriv: callable(Decipheriv),
		createCipheriv: (name: string, key: unknown, iv: unknown, options?: object) => new Cipheriv(name, key, iv, options),
		createDecipheriv: (name: string, key: unknown, iv: unknown, options?: object) =>
			new Decipheriv(name, key, iv, options),
		KeyObject,
		createSecretKey,
		generateKeySync: (type: unknown, options: unknown) => prepareSecretKey(type, options, random)(),
		generateKey,
		randomBytes,
		randomFillSync,
		randomFill,
		randomInt,
		randomUUID,
		timingSafeEqual: (a: ArrayBufferView, b: ArrayBufferView) => {
			const [x, y] = [bytes(a), bytes(b)];
			if (x.length !== y.length) {
				throw nodeError(
					RangeError,
					'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
					'Input buffers must have the same byte length'
				);
			}
			return x.reduce((difference, value, index) => difference | (value ^ (y[index] ?? 0)), 0) === 0;
		},
		...derivations,
		...createPrimes(random),
		DiffieHellman: callable(DiffieHellman),
		DiffieHellmanGroup: Group,
		createDiffieHellman: (...args: ConstructorParameters<typeof DiffieHellman>) => new DiffieHellman(...args),
		createDiffieHellmanGroup: (name: unknown) => new DiffieHellmanGroup(name),
		getDiffieHellman: (name: unknown) => new DiffieHellmanGroup(name),
		webcrypto: web,
		subtle: web.subtle,
		getRandomValues: (target: Uint8Array<ArrayBuffer>) => web.getRandomValues(target),
		constants,
		...keyPairCalls,
		X509Certificate
	};
	for (const name of ['pseudoRandomBytes', 'prng', 'rng']) {
		Object.defineProperty(module, name, { value: randomBytes, writable: true, configurable: true });
	}
	return module;
}
