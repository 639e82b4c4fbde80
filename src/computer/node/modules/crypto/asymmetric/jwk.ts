import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../../../runtime/errors.ts';
import { oneOf, string } from '../../../runtime/validate.ts';
import { fromBytes, toBytes } from '../big-integers.ts';
import { asymmetric } from './load.ts';
import type { EcKey, KeyMaterial, OkpKey, RsaKey } from './part/material.ts';

/** A JSON Web Key (RFC 7517). */
export type Jwk = Record<string, string>;

const OKP_NAMES: Readonly<Record<string, OkpKey['kind']>> = {
	Ed25519: 'ed25519',
	Ed448: 'ed448',
	X25519: 'x25519',
	X448: 'x448'
};

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const numberText = (value: bigint): string => text(toBytes(value));

/** @throws ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE, ERR_CRYPTO_JWK_UNSUPPORTED_CURVE */
export function toJwk(key: KeyMaterial): Jwk {
	switch (key.kind) {
		case 'rsa':
			return rsaJwk(key);
		case 'ec':
			return ecJwk(key);
		case 'rsa-pss':
		case 'dsa':
		case 'dh':
			throw nodeError(Error, 'ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE', 'Unsupported JWK Key Type.');
		default: {
			const crv = Object.keys(OKP_NAMES).find((name) => OKP_NAMES[name] === key.kind) ?? '';
			return { crv, ...(key.secret ? { d: text(key.secret) } : {}), x: text(key.point), kty: 'OKP' };
		}
	}
}

function rsaJwk({ n, e, secret }: RsaKey): Jwk {
	const known = { kty: 'RSA', n: numberText(n), e: numberText(e) };
	if (!secret) return known;
	const { d, p, q, dp, dq, qi } = secret;
	const numbers = Object.entries({ d, p, q, dp, dq, qi }).map(([name, value]) => [name, numberText(value)]);
	return { ...known, ...(Object.fromEntries(numbers) as Jwk) };
}

function ecJwk({ curve, point, secret }: EcKey): Jwk {
	const half = (point.length - 1) / 2;
	const crv = asymmetric().CURVES[curve]?.crv;
	if (crv === undefined) {
		throw nodeError(Error, 'ERR_CRYPTO_JWK_UNSUPPORTED_CURVE', `Unsupported JWK EC curve: ${curve}.`);
	}
	return {
		kty: 'EC',
		x: text(point.subarray(1, 1 + half)),
		y: text(point.subarray(1 + half)),
		crv,
		...(secret ? { d: text(secret) } : {})
	};
}

const invalid = (what: string) => nodeError(TypeError, 'ERR_CRYPTO_INVALID_JWK', `Invalid JWK ${what}`);

/**
 * @param given any value, from a program. @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_CRYPTO_INVALID_JWK
 */
export function fromJwk(given: unknown, isPublic: boolean): KeyMaterial {
	if (typeof given !== 'object' || given === null) throw invalidArgument('key.key', 'of type object', given);
	const field = (name: string): string => {
		const value: unknown = Reflect.get(given, name);
		string(value, `key.${name}`);
		return value as string;
	};
	const kty: unknown = Reflect.get(given, 'kty');
	oneOf(['RSA', 'EC', 'OKP'])(kty, 'key.kty');
	const isPrivate = !isPublic;
	if (kty === 'RSA') return rsaFrom(field, isPrivate);
	return kty === 'EC'
		? ecFrom(field, Reflect.get(given, 'crv'), isPrivate)
		: okpFrom(field, Reflect.get(given, 'crv'), isPrivate);
}

type Field = (name: string) => string;
const bytesFrom = (value: string): Uint8Array => new Uint8Array(Buffer.from(value, 'base64'));
const numberFrom = (value: string): bigint => fromBytes(bytesFrom(value));

function rsaFrom(field: Field, isPrivate: boolean): RsaKey {
	const [n, e] = [numberFrom(field('n')), numberFrom(field('e'))];
	if (!isPrivate) return { kind: 'rsa', n, e };
	const [d, p, q, dp, dq, qi] = ['d', 'p', 'q', 'dp', 'dq', 'qi'].map((name) => numberFrom(field(name)));
	if (!d || !p || !q || !dp || !dq || !qi) throw invalid('RSA key');
	return { kind: 'rsa', n, e, secret: { d, p, q, dp, dq, qi } };
}

function ecFrom(field: Field, crv: unknown, isPrivate: boolean): EcKey {
	oneOf(['P-256', 'secp256k1', 'P-384', 'P-521'])(crv, 'key.crv');
	const [x, y] = [bytesFrom(field('x')), bytesFrom(field('y'))];
	const secret = isPrivate ? bytesFrom(field('d')) : undefined;
	const curve = asymmetric().curveNamed(String(crv)) ?? '';
	const size = asymmetric().curveBytes(curve);
	const point = new Uint8Array(1 + 2 * size);
	point[0] = 4;
	try {
		point.set(toBytes(fromBytes(x), size), 1);
		point.set(toBytes(fromBytes(y), size), 1 + size);
		const known: EcKey = { kind: 'ec', curve, point: asymmetric().convertPoint(curve, point, 'uncompressed') };
		if (secret === undefined) return known;
		const own = asymmetric().ecKey(curve, secret);
		if (!own.point.every((byte, at) => byte === point[at])) throw invalid('EC key');
		return own;
	} catch (error) {
		throw error instanceof asymmetric().KeyDataError || error instanceof RangeError ? invalid('EC key') : error;
	}
}

function okpFrom(field: Field, crv: unknown, isPrivate: boolean): OkpKey {
	oneOf(Object.keys(OKP_NAMES))(crv, 'key.crv');
	const kind = OKP_NAMES[String(crv)] ?? 'ed25519';
	const [x, d] = [bytesFrom(field('x')), isPrivate ? bytesFrom(field('d')) : undefined];
	try {
		return d ? asymmetric().okpKey(kind, d) : asymmetric().okpPublic(kind, x);
	} catch (error) {
		throw error instanceof asymmetric().KeyDataError ? invalid('data') : error;
	}
}
