import { Buffer } from 'buffer';
import { cbc, ecb, gcm } from '@noble/ciphers/aes.js';
import { nodeError } from '../../runtime/errors.ts';
import streams from '../stream.ts';
import { keyBytes } from './keys.ts';
import { encoded, type Encoding } from './encoded.ts';
import { opensslError } from './openssl-error.ts';

const BLOCK = 16;
const MODES = ['cbc', 'ctr', 'ecb', 'gcm'];
const EMPTY = new Uint8Array(0);

export const cipherNames = [128, 192, 256].flatMap((bits) => MODES.map((mode) => `aes-${bits}-${mode}`));

interface AuthTagOptions {
	authTagLength?: number;
}

/**
 * Both directions of `crypto.Cipheriv` and `crypto.Decipheriv`: AES by @noble/ciphers, emitting each block as soon as
 * it is known.
 */
class Cipher extends streams.Transform {
	readonly #mode: string;
	readonly #key: Uint8Array;
	readonly #tagLength: number;
	/** CBC: the last encrypted block. CTR and GCM: the counter. */
	#state: Uint8Array;
	#pending: Uint8Array = EMPTY;
	#keystream: Uint8Array = EMPTY;
	#all: Uint8Array[] = [];
	#aad: Uint8Array[] = [];
	#tag: Uint8Array | null = null;
	#padding = true;
	#isFinished = false;
	readonly #iv: Uint8Array;

	constructor(
		name: string,
		key: unknown,
		iv: unknown,
		private readonly isDecipher: boolean,
		options: AuthTagOptions = {}
	) {
		super();
		const [, bits = '', mode = ''] = /^aes-?(128|192|256)-(cbc|ctr|ecb|gcm)$/.exec(String(name).toLowerCase()) ?? [];
		if (mode === '') throw nodeError(Error, 'ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
		this.#mode = mode;
		this.#key = new Uint8Array(keyBytes(key));
		if (this.#key.length * 8 !== Number(bits)) {
			throw nodeError(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length');
		}
		this.#iv = iv === null || iv === undefined ? EMPTY : new Uint8Array(keyBytes(iv));
		const isFitting =
			mode === 'ecb' ? this.#iv.length === 0 : mode === 'gcm' ? this.#iv.length > 0 : this.#iv.length === BLOCK;
		if (!isFitting) throw nodeError(TypeError, 'ERR_CRYPTO_INVALID_IV', 'Invalid initialization vector');
		this.#state = new Uint8Array(BLOCK);
		this.#state.set(this.#iv.subarray(0, BLOCK));
		// GCM reserves counter 1 for the tag.
		if (mode === 'gcm') this.#state.set([0, 0, 0, 2], 12);
		this.#tagLength = options.authTagLength ?? BLOCK;
	}

	update(data: unknown, inputEncoding?: Encoding, outputEncoding?: Encoding): Buffer | string {
		if (this.#isFinished) throw nodeError(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state for operation update');
		const bytes =
			typeof data === 'string'
				? Buffer.from(data, inputEncoding === 'buffer' || !inputEncoding ? 'utf8' : inputEncoding)
				: keyBytes(data);
		this.#checkEncoding(outputEncoding);
		return shown(this.#take(bytes), outputEncoding);
	}

	#encoding: string | undefined;

	/** The output encoding must not change. @throws ERR_UNKNOWN_ENCODING */
	#checkEncoding(encoding: Encoding): void {
		if (!encoding || encoding === 'buffer') return;
		if (!Buffer.isEncoding(encoding)) {
			throw nodeError(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${String(encoding)}`);
		}
		const name = String(encoding).toLowerCase().replace('utf-8', 'utf8');
		if (this.#encoding !== undefined && this.#encoding !== name) throw new Error('Cannot change encoding');
		this.#encoding = name;
	}

	/** @throws if the data cannot have come from this key, or are truncated */
	final(outputEncoding?: Encoding): Buffer | string {
		if (this.#isFinished) throw nodeError(Error, 'ERR_CRYPTO_INVALID_STATE', 'Unsupported state');
		this.#checkEncoding(outputEncoding);
		this.#isFinished = true;
		return shown(this.#finish(), outputEncoding);
	}

	setAutoPadding(padding = true): this {
		this.#padding = padding;
		return this;
	}

	setAAD(data: Uint8Array): this {
		this.#aad.push(new Uint8Array(data));
		return this;
	}

	getAuthTag(): Buffer {
		if (!this.#tag || this.isDecipher) {
			throw nodeError(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state for operation getAuthTag');
		}
		return Buffer.from(this.#tag.subarray(0, this.#tagLength));
	}

	setAuthTag(tag: Uint8Array | string, encoding?: BufferEncoding): this {
		this.#tag = typeof tag === 'string' ? Buffer.from(tag, encoding) : new Uint8Array(tag);
		return this;
	}

	override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
		this.push(this.update(chunk));
		done();
	}

	override _flush(done: (error?: Error | null) => void): void {
		try {
			this.push(this.final());
			done();
		} catch (error) {
			done(error as Error);
		}
	}

	#take(bytes: Uint8Array): Uint8Array {
		if (this.#mode === 'gcm') this.#all.push(new Uint8Array(bytes));
		if (this.#mode === 'ctr') return this.#counted(bytes);
		// With a nonce of another length the counter starts at a value that is only computed at the end.
		if (this.#mode === 'gcm') return this.#iv.length === 12 ? this.#counted(bytes) : EMPTY;
		const data = Buffer.concat([this.#pending, bytes]);
		// The last block may be padding.
		const keep =
			this.isDecipher && this.#padding && data.length % BLOCK === 0 && data.length > 0 ? BLOCK : data.length % BLOCK;
		this.#pending = new Uint8Array(data.subarray(data.length - keep));
		return this.#blocks(new Uint8Array(data.subarray(0, data.length - keep)), false);
	}

	#finish(): Uint8Array {
		if (this.#mode === 'gcm') return this.#finishGcm();
		if (this.#mode === 'ctr') return EMPTY;
		if (this.isDecipher ? this.#pending.length % BLOCK !== 0 : !this.#padding && this.#pending.length > 0) {
			throw opensslError('1C80006B', 'Provider routines', 'wrong final block length');
		}
		if (this.isDecipher && this.#padding && this.#pending.length === 0) {
			throw opensslError('1C80006B', 'Provider routines', 'wrong final block length');
		}
		try {
			return this.#padding ? this.#blocks(this.#pending, true) : EMPTY;
		} catch {
			throw opensslError('1C800064', 'Provider routines', 'bad decrypt');
		}
	}

	#blocks(bytes: Uint8Array, isLast: boolean): Uint8Array {
		if (bytes.length === 0 && !isLast) return EMPTY;
		const options = { disablePadding: !isLast };
		const cipher = this.#mode === 'ecb' ? ecb(this.#key, options) : cbc(this.#key, this.#state, options);
		const result = this.isDecipher ? cipher.decrypt(bytes) : cipher.encrypt(bytes);
		const encrypted = this.isDecipher ? bytes : result;
		if (this.#mode === 'cbc') this.#state = encrypted.slice(-BLOCK);
		return result;
	}

	#counted(bytes: Uint8Array): Uint8Array {
		const result = new Uint8Array(bytes.length);
		for (let at = 0; at < bytes.length; at++) {
			if (this.#keystream.length === 0) {
				this.#keystream = ecb(this.#key, { disablePadding: true }).encrypt(this.#state);
				const last = this.#mode === 'gcm' ? 12 : 0;
				for (let place = BLOCK - 1; place >= last; place--) {
					this.#state[place] = ((this.#state[place] ?? 0) + 1) & 0xff;
					if (this.#state[place] !== 0) break;
				}
			}
			result[at] = (bytes[at] ?? 0) ^ (this.#keystream[0] ?? 0);
			this.#keystream = this.#keystream.subarray(1);
		}
		return result;
	}

	#finishGcm(): Uint8Array {
		const all = new Uint8Array(Buffer.concat(this.#all));
		const cipher = gcm(this.#key, this.#iv, new Uint8Array(Buffer.concat(this.#aad)));
		const isGiven = this.#iv.length === 12;
		if (!this.isDecipher) {
			const encrypted = cipher.encrypt(all);
			this.#tag = encrypted.slice(-BLOCK);
			return isGiven ? EMPTY : encrypted.subarray(0, -BLOCK);
		}
		try {
			if (this.#tag?.length !== BLOCK) throw new Error('no tag');
			const plain = cipher.decrypt(new Uint8Array(Buffer.concat([all, this.#tag])));
			return isGiven ? EMPTY : plain;
		} catch {
			throw new Error('Unsupported state or unable to authenticate data');
		}
	}
}

const shown = (bytes: Uint8Array, encoding: Encoding): Buffer | string =>
	encoded(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding);

export class Cipheriv extends Cipher {
	constructor(name: string, key: unknown, iv: unknown, options?: object) {
		super(name, key, iv, false, options);
	}
}

export class Decipheriv extends Cipher {
	constructor(name: string, key: unknown, iv: unknown, options?: object) {
		super(name, key, iv, true, options);
	}
}
