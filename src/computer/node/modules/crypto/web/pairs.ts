import { constants } from '../constants.ts';
import { diffieHellman } from '../asymmetric/agreement.ts';
import { PrivateKeyObject, PublicKeyObject } from '../asymmetric/key-objects.ts';
import { asymmetric } from '../asymmetric/load.ts';
import type { EcKey, KeyMaterial, OkpKind, RsaKey } from '../asymmetric/part/material.ts';
import { rsaCalls } from '../asymmetric/rsa-encryption.ts';
import { fromBytes, toBytes } from '../big-integers.ts';
import { random } from '../random.ts';
import type { PairAlgorithm } from './algorithm.ts';
import { CryptoKey, materialIn, pairKeyOf } from './crypto-key.ts';
import { dataError } from './jwk.ts';
import { notSupported, operationError, type Parameters } from './parameters.ts';

const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = constants;
const LEAST_RSA_BITS = 256;
const MOST_RSA_BITS = 16_384;

/** @throws DataError for another kind of key */
function rsaIn(key: KeyMaterial): RsaKey {
	if (key.kind === 'rsa') return key;
	throw dataError('Invalid key type');
}

function rsa(name: string, own: Omit<PairAlgorithm, 'generate' | 'describe'>): PairAlgorithm {
	return {
		generate(parameters) {
			const bits = parameters.number('modulusLength');
			const exponent = fromBytes(parameters.bytes('publicExponent'));
			if (bits < LEAST_RSA_BITS || bits > MOST_RSA_BITS) throw operationError('The modulusLength is not supported.');
			if (exponent < 3n || exponent % 2n === 0n) throw operationError('The publicExponent is not supported.');
			void parameters.hash;
			return asymmetric().generateRsa(bits, exponent, random);
		},
		describe(parameters, key) {
			const { n, e } = rsaIn(key);
			const publicExponent = toBytes(e);
			return { name, modulusLength: n.toString(2).length, publicExponent, hash: { name: parameters.hash.name } };
		},
		...own
	};
}

const rsassa = rsa('RSASSA-PKCS1-v1_5', {
	publicUsages: ['verify'],
	privateUsages: ['sign'],
	jwkNames: ({ hash }) => [(hash?.name ?? '').replace('SHA-', 'RS')],
	signature: ({ hash }) => ({ hash: hash?.name ?? '', options: { padding: RSA_PKCS1_PADDING, encoding: 'der' } })
});

const rsaPss = rsa('RSA-PSS', {
	publicUsages: ['verify'],
	privateUsages: ['sign'],
	jwkNames: ({ hash }) => [(hash?.name ?? '').replace('SHA-', 'PS')],
	signature: ({ hash }, parameters) => ({
		hash: hash?.name ?? '',
		options: { padding: RSA_PKCS1_PSS_PADDING, saltLength: parameters.number('saltLength'), encoding: 'der' }
	})
});

/** Options for the equivalent calls of `node:crypto`. */
function oaepOptions(key: CryptoKey, parameters: Parameters) {
	const material = pairKeyOf(key);
	return {
		key: material.secret === undefined ? new PublicKeyObject(material) : new PrivateKeyObject(material),
		oaepHash: (key.algorithm.hash?.name ?? '').replace('-', '').toLowerCase(),
		oaepLabel: parameters.has('label') ? parameters.bytes('label') : undefined
	};
}

/** @throws OperationError for any error with the data */
function operating<Result>(run: () => Result): Result {
	try {
		return run();
	} catch (error) {
		throw error instanceof Error && 'code' in error ? operationError(error.message) : error;
	}
}

const rsaOaep = rsa('RSA-OAEP', {
	publicUsages: ['encrypt', 'wrapKey'],
	privateUsages: ['decrypt', 'unwrapKey'],
	jwkNames: ({ hash }) => [hash?.name === 'SHA-1' ? 'RSA-OAEP' : (hash?.name ?? '').replace('SHA', 'RSA-OAEP')],
	encrypt: (key, parameters, data) => operating(() => rsaCalls.publicEncrypt(oaepOptions(key, parameters), data)),
	decrypt: (key, parameters, data) => operating(() => rsaCalls.privateDecrypt(oaepOptions(key, parameters), data))
});

const CURVES = ['P-256', 'P-384', 'P-521'];

/** OpenSSL's name of the curve. @throws NotSupportedError */
function curveIn(parameters: Parameters): string {
	const name = String(parameters.value('namedCurve'));
	const curve = CURVES.includes(name) ? asymmetric().curveNamed(name) : undefined;
	if (curve === undefined) throw notSupported(`The curve ${name}`);
	return curve;
}

function ec(name: string, own: Omit<PairAlgorithm, 'generate' | 'describe' | 'fromRaw'>): PairAlgorithm {
	return {
		generate: (parameters) => asymmetric().generateEc(curveIn(parameters)),
		describe(parameters, key) {
			const curve = curveIn(parameters);
			if (key.kind !== 'ec' || key.curve !== curve) throw dataError('Invalid key type');
			return { name, namedCurve: String(parameters.value('namedCurve')) };
		},
		fromRaw(parameters, bytes): EcKey {
			const curve = curveIn(parameters);
			return { kind: 'ec', curve, point: asymmetric().convertPoint(curve, bytes, 'uncompressed') };
		},
		...own
	};
}

const ecdsa = ec('ECDSA', {
	publicUsages: ['verify'],
	privateUsages: ['sign'],
	signature: (_algorithm, parameters) => ({ hash: parameters.hash.name, options: { encoding: 'ieee-p1363' } })
});

/** Derives the secret shared with `public` of the parameters. @throws InvalidAccessError, OperationError */
function agree(key: CryptoKey, parameters: Parameters): Uint8Array {
	const other = parameters.value('public');
	const [own, material] = [pairKeyOf(key), materialIn(other)];
	if (!(other instanceof CryptoKey) || !material) throw new TypeError("'public' has to be a CryptoKey.");
	const { name, namedCurve } = other.algorithm;
	if (other.type !== 'public' || name !== key.algorithm.name || namedCurve !== key.algorithm.namedCurve) {
		throw new DOMException('The keys do not belong together', 'InvalidAccessError');
	}
	const [privateKey, publicKey] = [new PrivateKeyObject(own), new PublicKeyObject(material)];
	return operating(() => new Uint8Array(diffieHellman({ privateKey, publicKey })));
}

const AGREEMENT = { publicUsages: [], privateUsages: ['deriveKey', 'deriveBits'], agree } as const;

function okp(
	name: string,
	own: Pick<PairAlgorithm, 'publicUsages' | 'privateUsages' | 'signature' | 'agree' | 'jwkNames'>
) {
	const kind = name.toLowerCase() as OkpKind;
	const algorithm: PairAlgorithm = {
		generate: () => asymmetric().generateOkp(kind),
		describe(_parameters, key) {
			if (key.kind !== kind) throw dataError('Invalid key type');
			return { name };
		},
		fromRaw: (_parameters, bytes) => asymmetric().okpPublic(kind, bytes),
		...own
	};
	return algorithm;
}

/** Edwards curves include their own hash. */
const edwards = (name: string) =>
	okp(name, {
		publicUsages: ['verify'],
		privateUsages: ['sign'],
		jwkNames: () => [name, 'EdDSA'],
		signature: () => ({ hash: null, options: { encoding: 'der' } })
	});

/** Algorithms with key pairs by upper-case name. */
export const PAIRS: Readonly<Record<string, PairAlgorithm>> = {
	'RSASSA-PKCS1-V1_5': rsassa,
	'RSA-PSS': rsaPss,
	'RSA-OAEP': rsaOaep,
	ECDSA: ecdsa,
	ECDH: ec('ECDH', AGREEMENT),
	ED25519: edwards('Ed25519'),
	ED448: edwards('Ed448'),
	X25519: okp('X25519', AGREEMENT),
	X448: okp('X448', AGREEMENT)
};
