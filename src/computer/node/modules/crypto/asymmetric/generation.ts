import { invalidArgument, invalidValue, nodeError } from '../../../runtime/errors.ts';
import { functionValue, integer, optional, plainObject, string } from '../../../runtime/validate.ts';
import { fromBytes, randomPrime } from '../big-integers.ts';
import { groupNamed } from '../diffie-hellman.ts';
import { digestOf, hashName } from '../hashes.ts';
import { bytesOrNull } from '../keys.ts';
import { random } from '../random.ts';
import { keyEncoding, type KeyEncoding } from './key-encoding.ts';
import { PrivateKeyObject, PublicKeyObject, writePrivate, writePublic } from './key-objects.ts';
import { asymmetric } from './load.ts';
import { type KeyMaterial, OKP_KINDS, type OkpKind, type PssParameters } from './part/material.ts';

type Options = Record<string, unknown>;
type Make = () => KeyMaterial;

const UINT32 = 2 ** 32 - 1;
const INT32 = 2 ** 31 - 1;
const DEFAULT_EXPONENT = 65_537;
const LEAST_RSA_BITS = 512;
/** Larger keys would take a browser minutes, and are not needed. */
const MOST_RSA_BITS = 16_384;

const uint32 = integer(0, UINT32);

function rsaMaker(options: Options): { bits: number; make: () => KeyMaterial & { kind: 'rsa' | 'rsa-pss' } } {
	const { modulusLength, publicExponent } = options;
	uint32(modulusLength, 'options.modulusLength');
	optional(uint32)(publicExponent, 'options.publicExponent');
	const [bits, exponent] = [modulusLength as number, (publicExponent as number | undefined) ?? DEFAULT_EXPONENT];
	return {
		bits,
		make: () => {
			if (bits < LEAST_RSA_BITS) throw new Error('error:1C8000AB:Provider routines::key size too small');
			if (bits > MOST_RSA_BITS) throw new Error('error:02000069:rsa routines::modulus too large');
			if (exponent < 3 || exponent % 2 === 0) {
				throw new Error('error:020000B2:rsa routines::pub exponent out of range');
			}
			return asymmetric().generateRsa(bits, BigInt(exponent), random);
		}
	};
}

/**
 * Restrictions of an RSASSA-PSS key; undefined if there are none.
 * @throws ERR_INVALID_ARG_TYPE, ERR_CRYPTO_INVALID_DIGEST
 */
function restrictionsOf(options: Options): PssParameters | undefined {
	const { hash, mgf1Hash, hashAlgorithm, mgf1HashAlgorithm, saltLength } = options;
	optional(integer(0, INT32))(saltLength, 'options.saltLength');
	optional(string)(hashAlgorithm, 'options.hashAlgorithm');
	optional(string)(mgf1HashAlgorithm, 'options.mgf1HashAlgorithm');
	const named = newerOf('hash', hash, 'hashAlgorithm', hashAlgorithm);
	const maskNamed = newerOf('mgf1Hash', mgf1Hash, 'mgf1HashAlgorithm', mgf1HashAlgorithm);
	if (named === undefined && maskNamed === undefined && saltLength === undefined) return undefined;
	for (const name of [named, maskNamed]) if (name !== undefined) checkDigest(name, name === named ? 'md' : 'MGF1');
	const own = named ?? 'sha1';
	const length = (saltLength as number | undefined) ?? (named === undefined ? 20 : digestOf(own).outputLen);
	return { hash: hashName(own), maskHash: hashName(maskNamed ?? own), saltLength: length };
}

function checkDigest(name: string, kind: string): void {
	digestOf(name, `Invalid ${kind === 'md' ? '' : 'MGF1 '}digest: ${name}`);
}

/**
 * Value of an option that also has an older name. @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE if both differ
 */
function newerOf(oldName: string, old: unknown, name: string, value: unknown): string | undefined {
	if (old === undefined) return value as string | undefined;
	string(old, `options.${oldName}`);
	if (value !== undefined && value !== old) throw invalidValue(`options.${oldName}`, old);
	return old as string;
}

function dsaMaker({ modulusLength, divisorLength }: Options): Make {
	uint32(modulusLength, 'options.modulusLength');
	optional(integer(0, INT32))(divisorLength, 'options.divisorLength');
	const bits = modulusLength as number;
	const divisor = (divisorLength as number | undefined) ?? (bits < 2048 ? 160 : 224);
	return () => asymmetric().generateDsa(bits, divisor, random);
}

function ecMaker({ namedCurve, paramEncoding }: Options): Make {
	string(namedCurve, 'options.namedCurve');
	if (paramEncoding !== undefined && paramEncoding !== 'named' && paramEncoding !== 'explicit') {
		throw invalidValue('options.paramEncoding', paramEncoding);
	}
	const curve = asymmetric().curveNamed(String(namedCurve));
	if (curve === undefined) throw nodeError(TypeError, 'ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name');
	const isExplicit = paramEncoding === 'explicit';
	return () => ({ ...asymmetric().generateEc(curve), ...(isExplicit ? { isExplicit } : {}) });
}

const conflict = (one: string, other: string) =>
	nodeError(
		TypeError,
		'ERR_INCOMPATIBLE_OPTION_PAIR',
		`Option "${one}" cannot be used in combination with option "${other}"`
	);

function dhMaker(options: Options): Make {
	const { group, primeLength, prime, generator } = options;
	if (group !== undefined && group !== null) {
		for (const other of ['prime', 'primeLength', 'generator']) {
			if (options[other] !== undefined && options[other] !== null) throw conflict('group', other);
		}
		string(group, 'options.group');
		const known = groupNamed(group);
		return () => asymmetric().generateDh(known, 2n, random);
	}
	if (prime !== undefined && prime !== null) {
		if (primeLength !== undefined && primeLength !== null) throw conflict('prime', 'primeLength');
		const bytes = bytesOrNull(prime);
		if (!bytes)
			throw invalidArgument('options.prime', 'an instance of Buffer, TypedArray, DataView, or ArrayBuffer', prime);
		if (generator !== undefined && generator !== null) integer(0, INT32)(generator, 'options.generator');
		const base = BigInt((generator as number | null | undefined) ?? 2);
		return () => asymmetric().generateDh(fromBytes(bytes), base, random);
	}
	if (primeLength === undefined || primeLength === null) {
		const words = 'At least one of the group, prime, or primeLength options is required';
		throw nodeError(TypeError, 'ERR_MISSING_OPTION', words);
	}
	integer(0, INT32)(primeLength, 'options.primeLength');
	if (generator !== undefined && generator !== null) integer(0, INT32)(generator, 'options.generator');
	const size = primeLength as number;
	const base = BigInt((generator as number | null | undefined) ?? 2);
	return () => asymmetric().generateDh(safePrimeOf(size), base, random);
}

/** Safe prime of a size: those of the standard groups are as good as a new one, which takes long to find. */
function safePrimeOf(bits: number): bigint {
	const known = { 768: 'modp1', 1024: 'modp2', 1536: 'modp5', 2048: 'modp14', 3072: 'modp15', 4096: 'modp16' }[bits];
	return known ? groupNamed(known) : randomPrime(bits, random, { safe: true });
}

const isOkp = (type: string): type is OkpKind => OKP_KINDS.some((kind) => kind === type);

/**
 * Returns the function that generates a key of a kind.
 * @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE and others for its options
 */
function makerOf(type: unknown, options: unknown): Make {
	string(type, 'type');
	const kind = type as string;
	if (isOkp(kind)) return () => asymmetric().generateOkp(kind);
	const makers = ['rsa', 'rsa-pss', 'dsa', 'ec', 'dh'];
	if (!makers.includes(kind)) throw invalidValue('type', type, 'must be a supported key type');
	plainObject(options, 'options');
	const given = options as Options;
	switch (kind) {
		case 'rsa':
			return rsaMaker(given).make;
		case 'rsa-pss': {
			const { make } = rsaMaker(given);
			const pss = restrictionsOf(given);
			return () => ({ ...make(), kind: 'rsa-pss', ...(pss ? { pss } : {}) });
		}
		case 'dsa':
			return dsaMaker(given);
		case 'ec':
			return ecMaker(given);
		default:
			return dhMaker(given);
	}
}

type Encodings = { public: KeyEncoding | null; private: KeyEncoding | null };

/** Requested encodings of the keys. @throws ERR_INVALID_ARG_VALUE, ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS */
function encodingsOf(kind: string, options: unknown): Encodings {
	if (options !== undefined) plainObject(options, 'options');
	const encoding = (name: string, isPublic: boolean): KeyEncoding | null => {
		const given: unknown = options === undefined ? undefined : Reflect.get(options as object, name);
		if (given === undefined || given === null) return null;
		if (typeof given !== 'object') throw invalidValue(`options.${name}`, given);
		return keyEncoding(given, { kind, isPublic, name: `options.${name}` });
	};
	return { public: encoding('publicKeyEncoding', true), private: encoding('privateKeyEncoding', false) };
}

function pairOf(key: KeyMaterial, encodings: Encodings) {
	return {
		publicKey: encodings.public ? writePublic(key, encodings.public) : new PublicKeyObject(key),
		privateKey: encodings.private ? writePrivate(key, encodings.private) : new PrivateKeyObject(key)
	};
}

/** `crypto.generateKeyPairSync`. @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE and others for its options */
export function generateKeyPairSync(type: unknown, options?: unknown): ReturnType<typeof pairOf> {
	const encodings = encodingsOf(String(type), options);
	return pairOf(makerOf(type, options)(), encodings);
}

type Done = (error: Error | null, publicKey?: unknown, privateKey?: unknown) => void;

/** `crypto.generateKeyPair`: the key is generated after the call has returned. */
export function generateKeyPair(type: unknown, ...rest: unknown[]): void {
	const [options, done] = typeof rest[0] === 'function' ? [undefined, rest[0]] : rest;
	functionValue(done, 'callback');
	const encodings = encodingsOf(String(type), options);
	const make = makerOf(type, options);
	setTimeout(() => {
		let pair: ReturnType<typeof pairOf>;
		try {
			pair = pairOf(make(), encodings);
		} catch (error) {
			return (done as Done)(error as Error);
		}
		(done as Done)(null, pair.publicKey, pair.privateKey);
	}, 0);
}

/** Promises resolve with both keys in an object. */
Object.defineProperty(generateKeyPair, Symbol.for('nodejs.util.promisify.custom'), {
	value: (type: unknown, options?: unknown) =>
		new Promise((resolve, reject) => {
			generateKeyPair(type, options, (error: Error | null, publicKey: unknown, privateKey: unknown) =>
				error ? reject(error) : resolve({ publicKey, privateKey })
			);
		})
});
