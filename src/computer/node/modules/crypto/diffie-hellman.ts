import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import { integer } from '../../runtime/validate.ts';
import { bitLength, fromBytes, isPrime, power, randomBits, randomPrime, toBytes } from './big-integers.ts';
import { bytesOf, isBuffer } from './keys.ts';
import { random } from './random.ts';
import { encoded, type Encoding } from './encoded.ts';

/** Results of checking the parameters, bits of `verifyError`. */
const NOT_PRIME = 1;
const NOT_SAFE_PRIME = 2;
const UNSUITABLE_GENERATOR = 8;
const CHECK_ROUNDS = 2;

const BYTES_OR_SIZE = 'one of type number or string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView';
const MIN_BITS = 512;

/** Groups of RFC 2409 and RFC 3526: size of the prime, and the number added to the digits of pi in it. */
const GROUPS: Record<string, [bits: number, added: number]> = {
	modp1: [768, 149_686],
	modp2: [1024, 129_093],
	modp5: [1536, 741_804],
	modp14: [2048, 124_476],
	modp15: [3072, 1_690_314],
	modp16: [4096, 240_904],
	modp17: [6144, 929_484],
	modp18: [8192, 4_743_158]
};

/** `2^bits - 2^(bits - 64) - 1 + 2^64 * (floor(2^(bits - 130) * pi) + added)`, as RFC 3526 defines its primes. */
function groupPrime(bits: number, added: number): bigint {
	const known = primes.get(bits);
	if (known !== undefined) return known;
	const size = BigInt(bits);
	const prime = (1n << size) - (1n << (size - 64n)) - 1n + ((piDigits(size - 130n) + BigInt(added)) << 64n);
	primes.set(bits, prime);
	return prime;
}

const primes = new Map<number, bigint>();

/** Prime of a well-known group. @throws ERR_CRYPTO_UNKNOWN_DH_GROUP */
export function groupNamed(name: unknown): bigint {
	const key = String(name).toLowerCase();
	const group = Object.hasOwn(GROUPS, key) ? GROUPS[key] : undefined;
	if (!group) throw nodeError(Error, 'ERR_CRYPTO_UNKNOWN_DH_GROUP', 'Unknown DH group');
	return groupPrime(...group);
}

/** `floor(2^bits * pi)`, using Machin's formula. */
function piDigits(bits: bigint): bigint {
	const guard = 64n;
	const one = 1n << (bits + guard);
	const arctan = (inverse: bigint) => {
		let term = one / inverse;
		let sum = term;
		for (let at = 1n; term !== 0n; at++) {
			term /= inverse * inverse;
			sum += (at & 1n ? -term : term) / (2n * at + 1n);
		}
		return sum;
	};
	return (4n * (4n * arctan(5n) - arctan(239n))) >> guard;
}

const shown = (value: Uint8Array, encoding: Encoding): Buffer | string => encoded(Buffer.from(value), encoding);

/** `crypto.DiffieHellmanGroup`: one of the well-known groups, with its own keys. */
export class DiffieHellmanGroup {
	_prime: bigint;
	_generator: bigint;
	_private: bigint | null = null;
	_public: bigint | null = null;
	_verified: number | undefined;

	/** @throws ERR_CRYPTO_UNKNOWN_DH_GROUP */
	constructor(name: unknown) {
		this._prime = groupNamed(name);
		this._generator = 2n;
	}

	/** Errors in the parameters, as bits; 0 if there are none. */
	get verifyError(): number {
		return (this._verified ??= this._verify());
	}

	_verify(): number {
		if (
			Object.values(GROUPS).some((group) => group[0] === bitLength(this._prime) && groupPrime(...group) === this._prime)
		)
			return 0;
		if (!isPrime(this._prime, random, CHECK_ROUNDS)) return NOT_PRIME;
		const isSafe = isPrime(this._prime >> 1n, random, CHECK_ROUNDS);
		const isSuitable = this._generator < this._prime - 1n;
		return (isSafe ? 0 : NOT_SAFE_PRIME) | (isSuitable ? 0 : UNSUITABLE_GENERATOR);
	}

	generateKeys(encoding?: Encoding): Buffer | string {
		this._private ??= 1n + (randomBits(bitLength(this._prime), random) % (this._prime - 2n));
		this._public = power(this._generator, this._private, this._prime);
		return this.getPublicKey(encoding);
	}

	/** Secret shared with the owner of a public key, padded to the size of the prime. */
	computeSecret(other: unknown, inputEncoding?: Encoding, outputEncoding?: Encoding): Buffer | string {
		const key = fromBytes(bytesOf(other, 'otherPublicKey', inputEncoding));
		if (key <= 1n) throw nodeError(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Supplied key is too small');
		if (key >= this._prime - 1n) throw nodeError(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Supplied key is too large');
		if (this._private === null) throw nodeError(Error, 'ERR_CRYPTO_INVALID_STATE', 'No private key');
		return shown(toBytes(power(key, this._private, this._prime), this._size), outputEncoding);
	}

	get _size(): number {
		return Math.ceil(bitLength(this._prime) / 8);
	}

	getPrime(encoding?: Encoding): Buffer | string {
		return shown(toBytes(this._prime), encoding);
	}

	getGenerator(encoding?: Encoding): Buffer | string {
		return shown(toBytes(this._generator), encoding);
	}

	getPublicKey(encoding?: Encoding): Buffer | string {
		if (this._public === null) {
			throw nodeError(Error, 'ERR_CRYPTO_INVALID_STATE', 'No public key - did you forget to generate one?');
		}
		return shown(toBytes(this._public, this._size), encoding);
	}

	getPrivateKey(encoding?: Encoding): Buffer | string {
		if (this._private === null) {
			throw nodeError(Error, 'ERR_CRYPTO_INVALID_STATE', 'No private key - did you forget to generate one?');
		}
		return shown(toBytes(this._private), encoding);
	}
}

/** `crypto.DiffieHellman`: a group chosen by the program. */
export class DiffieHellman extends DiffieHellmanGroup {
	/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE, ERR_OSSL_DH_BAD_GENERATOR, ERR_OSSL_DH_MODULUS_TOO_SMALL */
	constructor(sizeOrKey: unknown, keyEncoding?: unknown, generator?: unknown, generatorEncoding?: unknown) {
		super('modp1');
		const hasEncoding = keyEncoding === 'buffer' || (typeof keyEncoding === 'string' && Buffer.isEncoding(keyEncoding));
		const given = hasEncoding ? generator : keyEncoding || generator;
		const encoding = (hasEncoding ? generatorEncoding : generator) as Encoding;
		if (typeof sizeOrKey === 'number') integer(-(2 ** 31), 2 ** 31 - 1)(sizeOrKey, 'sizeOrKey');
		else if (typeof sizeOrKey !== 'string' && !isBytes(sizeOrKey)) {
			throw invalidArgument('sizeOrKey', BYTES_OR_SIZE, sizeOrKey);
		}
		this._generator = generatorOf(given, encoding);
		if (typeof sizeOrKey === 'number') {
			if (sizeOrKey < MIN_BITS) {
				const words = 'error:0280007E:Diffie-Hellman routines::modulus too small';
				throw nodeError(Error, 'ERR_OSSL_DH_MODULUS_TOO_SMALL', words);
			}
			// A new safe prime takes long to find; those of the standard groups are as good.
			const known = Object.values(GROUPS).find(([bits]) => bits === sizeOrKey);
			this._prime = known ? groupPrime(...known) : randomPrime(sizeOrKey, random, { safe: true });
			return;
		}
		this._prime = fromBytes(bytesOf(sizeOrKey, 'sizeOrKey', hasEncoding ? (keyEncoding as Encoding) : undefined));
	}

	setPublicKey(key: unknown, encoding?: Encoding): void {
		this._public = fromBytes(bytesOf(key, 'key', encoding));
	}

	setPrivateKey(key: unknown, encoding?: Encoding): void {
		this._private = fromBytes(bytesOf(key, 'key', encoding));
	}
}

const isBytes = (value: unknown) => ArrayBuffer.isView(value) || isBuffer(value);

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE, ERR_OSSL_DH_BAD_GENERATOR */
function generatorOf(given: unknown, encoding: Encoding): bigint {
	if (given === undefined || given === null || given === 0 || given === '' || given === false) return 2n;
	if (typeof given === 'number') integer(-(2 ** 31), 2 ** 31 - 1)(given, 'generator');
	else if (typeof given !== 'string' && !isBytes(given)) {
		throw invalidArgument('generator', BYTES_OR_SIZE, given);
	}
	const value = typeof given === 'number' ? BigInt(given) : fromBytes(bytesOf(given, 'generator', encoding));
	if (value > 1n) return value;
	throw nodeError(Error, 'ERR_OSSL_DH_BAD_GENERATOR', 'error:02800065:Diffie-Hellman routines::bad generator');
}
