import { Buffer } from 'buffer';
import { invalidArgument, invalidValue, nodeError } from '../../../runtime/errors.ts';
import { functionValue, string } from '../../../runtime/validate.ts';
import { type Running, digestOf } from '../hashes.ts';
import { encoded, type Encoding } from '../encoded.ts';
import { bytesOf } from '../keys.ts';
import streams from '../../stream.ts';
import { privateKey, publicKey } from './key-input.ts';
import { namedHash, signData, signDigest, type SignatureOptions, verifyData, verifyDigest } from './signatures.ts';

const field = (options: unknown, name: string): unknown =>
	typeof options === 'object' && options !== null ? Reflect.get(options, name) : undefined;

/** @throws ERR_INVALID_ARG_VALUE */
function integerOption(options: unknown, name: string): number | undefined {
	const value = field(options, name);
	if (value === undefined) return undefined;
	if (typeof value === 'number' && value === value >> 0) return value;
	throw invalidValue(`options.${name}`, value);
}

/** Options besides the key. @throws ERR_INVALID_ARG_VALUE */
function signatureOptions(options: unknown): SignatureOptions {
	const padding = integerOption(options, 'padding');
	const saltLength = integerOption(options, 'saltLength');
	const encoding = field(options, 'dsaEncoding') ?? 'der';
	if (encoding !== 'der' && encoding !== 'ieee-p1363') throw invalidValue('options.dsaEncoding', encoding);
	return { padding, saltLength, encoding };
}

const DATA = 'of type string or an instance of Buffer, TypedArray, or DataView';

function checkKey(key: unknown): void {
	if (!key) throw nodeError(Error, 'ERR_CRYPTO_SIGN_KEY_REQUIRED', 'No key provided to sign');
}

/** Base of `crypto.Sign` and `crypto.Verify`: hashes everything written. */
class Digesting extends streams.Writable {
	readonly #name: string;
	readonly #running: Running;
	#isFinished = false;

	/** @throws ERR_INVALID_ARG_TYPE, ERR_CRYPTO_INVALID_DIGEST */
	constructor(name: unknown, options?: object) {
		super(options);
		string(name, 'algorithm');
		this.#name = String(name);
		this.#running = digestOf(this.#name, 'Invalid digest').create() as Running;
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
	update(data: unknown, encoding?: Encoding): this {
		if (typeof data !== 'string' && !ArrayBuffer.isView(data)) throw invalidArgument('data', DATA, data);
		if (typeof data === 'string' && encoding === 'hex' && data.length % 2 !== 0) {
			throw invalidValue('encoding', encoding, `is invalid for data of length ${data.length}`);
		}
		if (this.#isFinished) throw nodeError(Error, 'ERR_CRYPTO_INVALID_STATE', 'Not initialised');
		this.#running.update(bytesOf(data, 'data', encoding));
		return this;
	}

	override _write(chunk: Uint8Array, encoding: BufferEncoding, done: () => void): void {
		this.update(chunk, encoding);
		done();
	}

	/** Hash function and digest. @throws on the second call */
	_digest() {
		if (this.#isFinished) throw new Error('Not initialised');
		this.#isFinished = true;
		return { hash: namedHash(this.#name), digest: this.#running.digest() };
	}
}

export class Sign extends Digesting {
	/** @throws ERR_CRYPTO_SIGN_KEY_REQUIRED and errors of reading the key */
	sign(options: unknown, encoding?: Encoding): Buffer | string {
		checkKey(options);
		const key = privateKey(options);
		const settings = signatureOptions(options);
		const { hash, digest } = this._digest();
		return encoded(Buffer.from(signDigest(key, hash, digest, settings)), encoding);
	}
}

export class Verify extends Digesting {
	/** @throws ERR_INVALID_ARG_TYPE and errors of reading the key */
	verify(options: unknown, signature: unknown, encoding?: Encoding): boolean {
		const key = publicKey(options);
		const settings = signatureOptions(options);
		const bytes = bytesOf(signature, 'signature', encoding);
		const { hash, digest } = this._digest();
		return verifyDigest(key, hash, digest, bytes, settings);
	}
}

type Done<Result> = (error: Error | null, result?: Result) => void;

/** Runs synchronously, or with a callback after the call has returned. */
function nowOrLater<Result>(run: () => Result, done: unknown): Result | void {
	if (done === undefined) return run();
	setTimeout(() => {
		let result: Result;
		try {
			result = run();
		} catch (error) {
			return (done as Done<Result>)(error as Error);
		}
		(done as Done<Result>)(null, result);
	}, 0);
}

/** `crypto.sign`. @throws ERR_INVALID_ARG_TYPE, ERR_CRYPTO_SIGN_KEY_REQUIRED and errors of reading the key */
export function sign(name: unknown, data: unknown, key: unknown, done?: unknown): Buffer | void {
	if (name !== null && name !== undefined) string(name, 'algorithm');
	if (done !== undefined) functionValue(done, 'callback');
	const bytes = bytesOf(data, 'data');
	checkKey(key);
	const settings = signatureOptions(key);
	const parsed = privateKey(key);
	return nowOrLater(() => Buffer.from(signData(parsed, (name as string) ?? null, bytes, settings)), done);
}

/** `crypto.verify`. @throws ERR_INVALID_ARG_TYPE and errors of reading the key */
export function verify(name: unknown, data: unknown, key: unknown, signature: unknown, done?: unknown): boolean | void {
	if (name !== null && name !== undefined) string(name, 'algorithm');
	if (done !== undefined) functionValue(done, 'callback');
	const bytes = bytesOf(data, 'data');
	const settings = signatureOptions(key);
	const given = bytesOf(signature, 'signature', undefined, 'an instance of Buffer, TypedArray, or DataView');
	const parsed = publicKey(key);
	return nowOrLater(() => verifyData(parsed, (name as string) ?? null, bytes, given, settings), done);
}
