import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../../../runtime/errors.ts';
import { plainObject, string } from '../../../runtime/validate.ts';
import { bitLength, fromBytes, toBytes } from '../big-integers.ts';
import { encoded, type Encoding } from '../encoded.ts';
import { bytesOf, KeyObject, materialOf, wrongKeyType } from '../keys.ts';
import { opensslError } from '../openssl-error.ts';
import { asymmetric } from './load.ts';
import type { EcKey, KeyMaterial } from './part/material.ts';

type Form = 'compressed' | 'uncompressed' | 'hybrid';

const shown = (bytes: Uint8Array, encoding: Encoding): Buffer | string => encoded(Buffer.from(bytes), encoding);

const invalidCurve = () => nodeError(TypeError, 'ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name');
/** Error of Node's bindings, without a code in its text. */
const failed = (what: string) => Object.assign(new Error(what), { code: 'ERR_CRYPTO_OPERATION_FAILED' });

/** @throws ERR_CRYPTO_INVALID_CURVE */
function curveOf(name: unknown): string {
	string(name, 'curve');
	const curve = asymmetric().curveNamed(String(name));
	if (curve === undefined) throw invalidCurve();
	return curve;
}

/** @throws ERR_CRYPTO_ECDH_INVALID_FORMAT */
function formOf(format: unknown): Form {
	if (format === undefined || format === null || format === '' || format === 'uncompressed') return 'uncompressed';
	if (format === 'compressed' || format === 'hybrid') return format;
	const words = `Invalid ECDH format: ${String(format)}`;
	throw nodeError(TypeError, 'ERR_CRYPTO_ECDH_INVALID_FORMAT', words);
}

/** Runs a parser of keys. @throws the given error for data that are not a key */
function reading<Result>(run: () => Result, failure: () => Error): Result {
	try {
		return run();
	} catch (error) {
		throw error instanceof asymmetric().KeyDataError ? failure() : error;
	}
}

/** `crypto.ECDH`. */
export class ECDH {
	_curve: string;
	_secret: Uint8Array | null = null;
	_point: Uint8Array | null = null;

	/** @throws ERR_INVALID_ARG_TYPE, ERR_CRYPTO_INVALID_CURVE */
	constructor(curve: unknown) {
		this._curve = curveOf(curve);
	}

	/** Converts a point to another form. @throws ERR_CRYPTO_INVALID_CURVE, ERR_CRYPTO_OPERATION_FAILED */
	static convertKey(
		key: unknown,
		curve: unknown,
		inputEncoding?: Encoding,
		outputEncoding?: Encoding,
		format?: unknown
	): Buffer | string {
		string(curve, 'curve');
		const bytes = bytesOf(key, 'key', inputEncoding);
		const form = formOf(format);
		const name = curveOf(curve);
		const convert = () => asymmetric().convertPoint(name, bytes, form);
		return shown(
			reading(convert, () => failed('Failed to convert Buffer to EC_POINT')),
			outputEncoding
		);
	}

	generateKeys(encoding?: Encoding, format?: unknown): Buffer | string {
		const { secret, point } = asymmetric().generateEc(this._curve);
		[this._secret, this._point] = [secret ?? null, point];
		return this.getPublicKey(encoding, format);
	}

	/** @throws ERR_CRYPTO_INVALID_KEYPAIR, ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY */
	computeSecret(other: unknown, inputEncoding?: Encoding, outputEncoding?: Encoding): Buffer | string {
		const bytes = bytesOf(other, 'otherPublicKey', inputEncoding);
		const { _secret: secret, _curve: curve } = this;
		if (!secret || !this._fits()) throw nodeError(RangeError, 'ERR_CRYPTO_INVALID_KEYPAIR', 'Invalid key pair');
		const compute = () => {
			const point = asymmetric().convertPoint(curve, bytes, 'uncompressed');
			return asymmetric().sharedEc(curve, secret, point);
		};
		const words = 'Public key is not valid for specified curve';
		const shared = reading(compute, () => nodeError(Error, 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY', words));
		return shown(shared, outputEncoding);
	}

	/** Returns whether the public key belongs to the private one. */
	_fits(): boolean {
		if (!this._secret || !this._point) return false;
		return Buffer.compare(asymmetric().ecKey(this._curve, this._secret).point, this._point) === 0;
	}

	/** @throws ERR_CRYPTO_OPERATION_FAILED, ERR_CRYPTO_ECDH_INVALID_FORMAT */
	getPublicKey(encoding?: Encoding, format?: unknown): Buffer | string {
		const form = formOf(format);
		if (!this._point) throw failed('Failed to get ECDH public key');
		return shown(asymmetric().convertPoint(this._curve, this._point, form), encoding);
	}

	/** @throws ERR_CRYPTO_OPERATION_FAILED */
	getPrivateKey(encoding?: Encoding): Buffer | string {
		if (!this._secret) throw failed('Failed to get ECDH private key');
		// Without leading zeros, as OpenSSL writes the number.
		return shown(toBytes(fromBytes(this._secret)), encoding);
	}

	/** @throws ERR_CRYPTO_INVALID_KEYTYPE */
	setPrivateKey(key: unknown, encoding?: Encoding): this {
		const bytes = bytesOf(key, 'key', encoding);
		const words = 'Private key is not valid for specified curve.';
		const made = reading(
			() => asymmetric().ecKey(this._curve, bytes),
			() => nodeError(RangeError, 'ERR_CRYPTO_INVALID_KEYTYPE', words)
		);
		[this._secret, this._point] = [made.secret ?? null, made.point];
		return this;
	}

	/** @throws ERR_CRYPTO_OPERATION_FAILED */
	setPublicKey(key: unknown, encoding?: Encoding): this {
		const bytes = bytesOf(key, 'key', encoding);
		this._point = reading(
			() => asymmetric().convertPoint(this._curve, bytes, 'uncompressed'),
			() => failed('Failed to convert Buffer to EC_POINT')
		);
		return this;
	}
}

const KINDS = ['dh', 'ec', 'x25519', 'x448'];

/** @throws ERR_INVALID_ARG_VALUE, ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE */
function keyOption(options: object, name: 'publicKey' | 'privateKey'): KeyMaterial {
	const given: unknown = Reflect.get(options, name);
	if (!(given instanceof KeyObject)) {
		const words = `The property 'options.${name}' is invalid. Received ${String(given)}`;
		throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
	}
	const isPrivate = name === 'privateKey';
	if (isPrivate && given.type !== 'private') throw wrongKeyType(given.type, 'private');
	return materialOf(given);
}

const mismatch = () => opensslError('1C8000CB', 'Provider routines', 'mismatching domain parameters');

/**
 * `crypto.diffieHellman`: computes the shared secret of two keys.
 * @throws ERR_CRYPTO_INCOMPATIBLE_KEY and errors of OpenSSL
 */
export function diffieHellman(options: unknown): Buffer {
	plainObject(options, 'options');
	const own = keyOption(options as object, 'privateKey');
	const other = keyOption(options as object, 'publicKey');
	if (own.kind !== other.kind || !KINDS.includes(own.kind)) {
		const words = `Incompatible key types for Diffie-Hellman: ${own.kind} and ${other.kind}`;
		throw nodeError(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY', words);
	}
	return Buffer.from(shared(own, other));
}

function shared(own: KeyMaterial, other: KeyMaterial): Uint8Array {
	const { sharedDh, sharedEc, sharedX } = asymmetric();
	if (own.kind === 'ec' && other.kind === 'ec') return sharedEcKeys(own, other, sharedEc);
	if (own.kind === 'dh' && other.kind === 'dh') {
		if (own.p !== other.p || own.g !== other.g) throw mismatch();
		return toBytes(sharedDh(own.p, own.secret ?? 0n, other.y), Math.ceil(bitLength(own.p) / 8));
	}
	if ((own.kind === 'x25519' || own.kind === 'x448') && own.secret && other.kind === own.kind) {
		const { kind, secret } = own;
		const failure = () => opensslError('1C8000B7', 'Provider routines', 'failed during derivation');
		return reading(() => sharedX(kind, secret, other.point), failure);
	}
	throw invalidArgument('options', 'keys that agree', own.kind);
}

function sharedEcKeys(own: EcKey, other: EcKey, share: ReturnType<typeof asymmetric>['sharedEc']): Uint8Array {
	if (own.curve !== other.curve || !own.secret) throw mismatch();
	return share(own.curve, own.secret, other.point);
}
