import { Buffer } from 'buffer';
import { hkdf } from '@noble/hashes/hkdf.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { nodeError, outOfRange } from '../../runtime/errors.ts';
import { functionValue, integer, string } from '../../runtime/validate.ts';
import { digestOf } from './hashes.ts';
import { bytesOf, KeyObject, keyBytes } from './keys.ts';

const MAX_INT = 2 ** 31 - 1;
const MAX_INFO_BYTES = 1024;

type Done = (error: Error | null, key?: unknown) => void;

/** Checks the arguments and returns the function that derives the key: the two steps of the calls with a callback. */
function preparePbkdf2(...[password, salt, iterations, length, digest]: unknown[]): () => Buffer {
	string(digest, 'digest');
	const [secret, grain] = [bytesOf(password, 'password'), bytesOf(salt, 'salt')];
	integer(1, MAX_INT)(iterations, 'iterations');
	integer(0, MAX_INT)(length, 'keylen');
	const hash = digestOf(digest as string);
	const options = { c: iterations as number, dkLen: length as number };
	return () => (length === 0 ? Buffer.alloc(0) : Buffer.from(pbkdf2(hash, secret, grain, options)));
}

function prepareHkdf(...[digest, key, salt, info, length]: unknown[]): () => ArrayBuffer {
	string(digest, 'digest');
	const secret =
		key instanceof KeyObject
			? keyBytes(key)
			: bytesOf(
					key,
					'ikm',
					null,
					'of type string or an instance of SecretKeyObject, ArrayBuffer, TypedArray, DataView, or Buffer'
				);
	const [grain, context] = [bytesOf(salt, 'salt'), bytesOf(info, 'info')];
	integer(0, MAX_INT)(length, 'length');
	if (context.length > MAX_INFO_BYTES) {
		throw outOfRange('info', `must not contain more than ${MAX_INFO_BYTES} bytes`, context.length);
	}
	const hash = digestOf(digest as string);
	if ((length as number) > 255 * hash.outputLen) {
		throw nodeError(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length');
	}
	return () =>
		length === 0 ? new ArrayBuffer(0) : (hkdf(hash, secret, grain, context, length as number).buffer as ArrayBuffer);
}

function prepareScrypt(...[password, salt, length, options]: unknown[]): () => Buffer {
	const [secret, grain] = [bytesOf(password, 'password'), bytesOf(salt, 'salt')];
	integer(0, MAX_INT)(length, 'keylen');
	const given = (typeof options === 'object' && options !== null ? options : {}) as Record<string, number>;
	const sizes = {
		N: given['N'] ?? given['cost'] ?? 16_384,
		r: given['r'] ?? given['blockSize'] ?? 8,
		p: given['p'] ?? given['parallelization'] ?? 1
	};
	return () =>
		length === 0 ? Buffer.alloc(0) : Buffer.from(scrypt(secret, grain, { ...sizes, dkLen: length as number }));
}

/** Creates the call with a callback: checks synchronously, derives later. */
const later =
	(prepare: (...args: unknown[]) => () => unknown, count: number) =>
	(...args: unknown[]) => {
		const done = typeof args.at(-1) === 'function' && args.length <= count ? args.pop() : args[count];
		const run = prepare(...args);
		functionValue(done, 'callback');
		queueMicrotask(() => (done as Done)(null, run()));
	};

/** `crypto.pbkdf2`, `hkdf` and `scrypt`, with and without a callback, by @noble/hashes. */
export const derivations: Record<string, unknown> = {
	pbkdf2Sync: (...args: unknown[]) => preparePbkdf2(...args)(),
	pbkdf2: later(preparePbkdf2, 5),
	hkdfSync: (...args: unknown[]) => prepareHkdf(...args)(),
	hkdf: later(prepareHkdf, 5),
	scryptSync: (...args: unknown[]) => prepareScrypt(...args)(),
	scrypt: later(prepareScrypt, 4)
};
