import { Buffer } from 'buffer';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from '@noble/hashes/sha2.js';
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js';
import { callable } from '../callable.ts';
import { Cipheriv, cipherNames, Decipheriv } from './ciphers.ts';
import { createSecretKey, generateSecretKey, KeyObject, keyBytes } from './keys.ts';
import { invalidArgument, nodeError, unsupported } from '../../runtime/errors.ts';
import streams from '../stream.ts';

/** The browser's. A program's global of that name may be this module, as in `node -e`. */
const web = globalThis.crypto;

const HASHES = {
	md5,
	sha1,
	sha224,
	sha256,
	sha384,
	sha512,
	'sha512-224': sha512_224,
	'sha512-256': sha512_256,
	'sha3-224': sha3_224,
	'sha3-256': sha3_256,
	'sha3-384': sha3_384,
	'sha3-512': sha3_512,
	ripemd160,
	rmd160: ripemd160,
	blake2b512: blake2b,
	blake2s256: blake2s
} as const;
type Algorithm = (typeof HASHES)[keyof typeof HASHES];
type Running = ReturnType<typeof sha256.create>;
type Data = string | ArrayBufferView;

function algorithm(name: string): Algorithm {
	const key = name
		.toLowerCase()
		.replace(/^rsa-/, '')
		.replace(/^sha-(\d)/, 'sha$1');
	const found = Object.hasOwn(HASHES, key) ? HASHES[key as keyof typeof HASHES] : undefined;
	if (!found) throw new Error('Digest method not supported');
	return found;
}

const bytes = (data: Data, encoding?: BufferEncoding): Uint8Array => {
	if (typeof data === 'string') return Buffer.from(data, encoding);
	if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	throw invalidArgument('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
};
const shown = (digest: Uint8Array, encoding?: BufferEncoding | 'buffer') =>
	encoding && encoding !== 'buffer' ? Buffer.from(digest).toString(encoding) : Buffer.from(digest);

/** `crypto.Hash` and `crypto.Hmac`: a stream, and `update().digest()`. */
class Hash extends streams.Transform {
	#running: Running;
	#finished = false;

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
		if (this.#finished) throw nodeError(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
		this.#finished = true;
		return shown(this.#running.digest(), encoding);
	}

	copy(): Hash {
		return new Hash(this.#running.clone());
	}

	override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
		this.update(chunk);
		done();
	}

	override _flush(done: () => void): void {
		this.push(this.digest());
		done();
	}
}

class NamedHash extends Hash {
	/** Programs print it. */
	static override readonly name: string = 'Hash';

	constructor(name: string) {
		super(algorithm(name).create() as Running);
	}
}

class Hmac extends Hash {
	constructor(name: string, key: unknown) {
		super(hmac.create(algorithm(name), keyBytes(key)) as unknown as Running);
	}
}

/** `getRandomValues` takes 64 KiB at a time. */
function fill(target: Uint8Array): Uint8Array {
	for (let at = 0; at < target.length; at += 65_536) {
		const part = new Uint8Array(Math.min(65_536, target.length - at));
		target.set(web.getRandomValues(part), at);
	}
	return target;
}

function randomInt(low: number, high?: unknown, callback?: unknown): number | void {
	const done = typeof high === 'function' ? high : callback;
	const [from, to] = typeof high === 'number' ? [low, high] : [0, low];
	if (!(to > from))
		throw nodeError(
			RangeError,
			'ERR_OUT_OF_RANGE',
			`The value of "max" is out of range. It must be greater than the value of "min" (${from}). Received ${to}`
		);
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

const refuse = (name: string) => () => {
	throw unsupported(
		`crypto.${name}()`,
		'There are no key pairs here; crypto.subtle has them where the browser gives it to workers.'
	);
};

type Done = (error: Error | null, key?: Buffer) => void;
const later = (run: () => Buffer, done: unknown) =>
	queueMicrotask(() => {
		let key: Buffer;
		try {
			key = run();
		} catch (error) {
			return (done as Done)(error as Error);
		}
		(done as Done)(null, key);
	});

/** `node:crypto`: hashes by @noble/hashes, randomness by the browser, and `subtle` too where it has it. */
export function createCrypto(): Record<string, unknown> {
	const randomBytes = (size: number, callback?: unknown) => {
		const made = Buffer.from(fill(new Uint8Array(size)));
		if (typeof callback !== 'function') return made;
		queueMicrotask(() => Reflect.apply(callback, undefined, [null, made]));
	};
	const pbkdf2Sync = (password: Data, salt: Data, iterations: number, length: number, digest: string) =>
		Buffer.from(pbkdf2(algorithm(digest), bytes(password), bytes(salt), { c: iterations, dkLen: length }));
	const scryptSync = (password: Data, salt: Data, length: number, options: Record<string, number> = {}) =>
		Buffer.from(
			scrypt(bytes(password), bytes(salt), {
				N: options['N'] ?? options['cost'] ?? 16_384,
				r: options['r'] ?? options['blockSize'] ?? 8,
				p: options['p'] ?? options['parallelization'] ?? 1,
				dkLen: length
			})
		);
	const hkdfSync = (digest: string, key: Data, salt: Data, info: Data, length: number) =>
		hkdf(algorithm(digest), keyBytes(key), bytes(salt), bytes(info), length).buffer;
	return {
		Hash: callable(NamedHash),
		Hmac: callable(Hmac),
		createHash: (name: string) => new NamedHash(name),
		createHmac: (name: string, key: unknown) => new Hmac(name, key),
		hash: (name: string, data: Data, encoding: BufferEncoding = 'hex') => shown(algorithm(name)(bytes(data)), encoding),
		getHashes: () => Object.keys(HASHES),
		getCiphers: () => cipherNames,
		getFips: () => 0,
		Cipheriv: callable(Cipheriv),
		Decipheriv: callable(Decipheriv),
		createCipheriv: (name: string, key: unknown, iv: unknown, options?: object) => new Cipheriv(name, key, iv, options),
		createDecipheriv: (name: string, key: unknown, iv: unknown, options?: object) =>
			new Decipheriv(name, key, iv, options),
		KeyObject,
		createSecretKey,
		generateKeySync: (type: string, { length }: { length: number }) =>
			generateSecretKey(type, length, (size) => fill(new Uint8Array(size))),
		getCurves: () => [],
		randomBytes,
		pseudoRandomBytes: randomBytes,
		randomFillSync: (target: Uint8Array) => fill(target),
		randomFill: (target: Uint8Array, callback: (error: null, target: Uint8Array) => void) =>
			queueMicrotask(() => callback(null, fill(target))),
		randomInt,
		randomUUID: () => web.randomUUID(),
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
		pbkdf2Sync,
		pbkdf2: (...args: [...Parameters<typeof pbkdf2Sync>, Done]) =>
			later(() => pbkdf2Sync(...(args.slice(0, 5) as Parameters<typeof pbkdf2Sync>)), args[5]),
		scryptSync,
		scrypt: (password: Data, salt: Data, length: number, ...rest: unknown[]) =>
			later(
				() => scryptSync(password, salt, length, typeof rest[0] === 'object' ? (rest[0] as never) : {}),
				rest.at(-1)
			),
		hkdfSync,
		hkdf: (...args: [...Parameters<typeof hkdfSync>, (error: Error | null, key?: ArrayBuffer) => void]) =>
			later(() => hkdfSync(...(args.slice(0, 5) as Parameters<typeof hkdfSync>)) as unknown as Buffer, args[5]),
		webcrypto: web,
		subtle: web.subtle,
		getRandomValues: (target: Uint8Array<ArrayBuffer>) => web.getRandomValues(target),
		constants: {},
		...Object.fromEntries(
			[
				'createSign',
				'createVerify',
				'sign',
				'verify',
				'generateKeyPair',
				'generateKeyPairSync',
				'createPrivateKey',
				'createPublicKey',
				'createDiffieHellman',
				'createECDH',
				'publicEncrypt',
				'privateDecrypt'
			].map((name) => [name, refuse(name)])
		)
	};
}
