import { fromBytes, power, toBytes } from '../../big-integers.ts';
import { convertPoint, ecKey, okpKey, okpPublic, OKP_OIDS } from './curves.ts';
import { curveOf, curveParameters } from './curve-parameters.ts';
import {
	bits,
	bitsOf,
	children,
	context,
	type Element,
	encode,
	integer,
	integerOf,
	isSequence,
	nothing,
	octets,
	octetsOf,
	oid,
	oidOf,
	parse,
	sequence,
	tagged
} from './der.ts';
import { type DsaKey, type EcKey, type KeyMaterial, OKP_KINDS, type OkpKind, type RsaKey } from './material.ts';
import { pssElement, pssOf, RSA_PSS } from './pss-parameters.ts';
import { KeyDataError } from './key-data-error.ts';

const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';
const DSA = '1.2.840.10040.4.1';
const DH = '1.2.840.113549.1.3.1';

/** Forms of a private key without an algorithm identifier: PKCS #1, SEC 1 and OpenSSL's own for DSA. */
export type PlainForm = 'pkcs1' | 'sec1' | 'dsa';

const okpKindOf = (algorithm: string): OkpKind | undefined => OKP_KINDS.find((kind) => OKP_OIDS[kind] === algorithm);

function algorithmOf(key: KeyMaterial): Element {
	switch (key.kind) {
		case 'rsa':
			return sequence(oid(RSA), nothing());
		case 'rsa-pss':
			return sequence(oid(RSA_PSS), ...(key.pss ? [pssElement(key.pss)] : []));
		case 'ec':
			return sequence(oid(EC), curveParameters(key));
		case 'dsa':
			return sequence(oid(DSA), sequence(integer(key.p), integer(key.q), integer(key.g)));
		case 'dh':
			return sequence(oid(DH), sequence(integer(key.p), integer(key.g)));
		default:
			return sequence(oid(OKP_OIDS[key.kind]));
	}
}

const rsaPublic = ({ n, e }: RsaKey): Element => sequence(integer(n), integer(e));

function rsaPrivate({ n, e, secret }: RsaKey): Element {
	if (!secret) throw new Error('the private numbers are missing');
	const { d, p, q, dp, dq, qi } = secret;
	return sequence(...[0, n, e, d, p, q, dp, dq, qi].map((value) => integer(value)));
}

/** `ECPrivateKey` (RFC 5915). */
function ecPrivate(key: EcKey, hasCurve: boolean): Element {
	const named = hasCurve ? [context(0, curveParameters(key))] : [];
	const secret = octets(key.secret ?? new Uint8Array(0));
	return sequence(integer(1), secret, ...named, context(1, bits(key.point)));
}

function pointOf(key: KeyMaterial): Uint8Array {
	switch (key.kind) {
		case 'rsa':
		case 'rsa-pss':
			return encode(rsaPublic(key));
		case 'dsa':
		case 'dh':
			return encode(integer(key.y));
		default:
			return key.point;
	}
}

/** `SubjectPublicKeyInfo` (RFC 5280). */
export const writeSpki = (key: KeyMaterial): Uint8Array => encode(sequence(algorithmOf(key), bits(pointOf(key))));

function innerPrivate(key: KeyMaterial): Uint8Array {
	switch (key.kind) {
		case 'rsa':
		case 'rsa-pss':
			return encode(rsaPrivate(key));
		case 'ec':
			return encode(ecPrivate(key, false));
		case 'dsa':
		case 'dh':
			return encode(integer(key.secret ?? 0n));
		default:
			return encode(octets(key.secret ?? new Uint8Array(0)));
	}
}

/** `PrivateKeyInfo` (RFC 5208). */
export const writePkcs8 = (key: KeyMaterial): Uint8Array =>
	encode(sequence(integer(0), algorithmOf(key), octets(innerPrivate(key))));

export const writePkcs1 = (key: RsaKey): Uint8Array => encode(key.secret ? rsaPrivate(key) : rsaPublic(key));
export const writeSec1 = (key: EcKey): Uint8Array => encode(ecPrivate(key, true));

function readRsaPublic(element: Element, kind: RsaKey['kind'] = 'rsa'): RsaKey {
	const [n, e, ...more] = children(element);
	if (more.length > 0) throw new KeyDataError('more numbers than a public key has');
	return { kind, n: integerOf(n), e: integerOf(e) };
}

function readRsaPrivate(element: Element, kind: RsaKey['kind'] = 'rsa'): RsaKey {
	const numbers = children(element);
	const [version, n, e, d, p, q, dp, dq, qi] = numbers.slice(0, 9).map(integerOf);
	if (version !== 0n || n === undefined || e === undefined || d === undefined || qi === undefined) {
		throw new KeyDataError('numbers of a private key are missing');
	}
	if (!p || !q || !dp || !dq) throw new KeyDataError('the primes are missing');
	return { kind, n, e, secret: { d, p, q, dp, dq, qi } };
}

function readEcPrivate(element: Element, parameters?: Element): EcKey {
	const [version, secret, ...rest] = children(element);
	if (integerOf(version) !== 1n) throw new KeyDataError('a version that is not 1');
	const named = parameters ?? children(tagged(rest, 0))[0];
	const { curve, isExplicit } = curveOf(named);
	const key = ecKey(curve, octetsOf(secret));
	return isExplicit ? { ...key, isExplicit } : key;
}

/** Domain parameters of DSA, in encoding order. */
function readDomain(element: Element | undefined): Pick<DsaKey, 'p' | 'q' | 'g'> {
	const [p, q, g] = children(element);
	return { p: integerOf(p), q: integerOf(q), g: integerOf(g) };
}

function readDsa(element: Element): DsaKey {
	const [version, p, q, g, y, secret] = children(element).map(integerOf);
	if (version !== 0n || !p || !q || !g || !y || !secret) throw new KeyDataError('numbers of a key of DSA are missing');
	return { kind: 'dsa', p, q, g, y, secret };
}

/** @throws KeyDataError, or Error for a key that is invalid for its curve */
export function readPlain(der: Uint8Array, form: PlainForm): KeyMaterial {
	const element = parse(der);
	if (form === 'pkcs1') return readRsaPrivate(element);
	return form === 'sec1' ? readEcPrivate(element) : readDsa(element);
}

/** Algorithm identifier and its parameters. */
function readAlgorithm(element: Element | undefined): { algorithm: string; parameters: Element | undefined } {
	const [algorithm, parameters] = children(element);
	return { algorithm: oidOf(algorithm), parameters };
}

/** @throws KeyDataError, or Error for a key that is invalid for its curve or algorithm */
export function readPkcs8(der: Uint8Array): KeyMaterial {
	const [version, identifier, inner] = children(parse(der));
	integerOf(version);
	const { algorithm, parameters } = readAlgorithm(identifier);
	const element = parse(octetsOf(inner));
	const kind = okpKindOf(algorithm);
	if (kind) return okpKey(kind, octetsOf(element));
	if (algorithm === RSA) return readRsaPrivate(element);
	if (algorithm === RSA_PSS) {
		const key = readRsaPrivate(element, 'rsa-pss');
		return parameters ? { ...key, pss: pssOf(parameters) } : key;
	}
	if (algorithm === EC) return readEcPrivate(element, parameters);
	const secret = integerOf(element);
	if (algorithm === DSA) {
		const domain = readDomain(parameters);
		return { kind: 'dsa', ...domain, y: power(domain.g, secret, domain.p), secret };
	}
	if (algorithm === DH) {
		const [p, g] = children(parameters).slice(0, 2).map(integerOf) as [bigint, bigint];
		return { kind: 'dh', p, g, y: power(g, secret, p), secret };
	}
	throw new KeyDataError(`algorithm ${algorithm}`);
}

/** @throws KeyDataError, or Error for a point that is not on its curve */
export function readSpki(der: Uint8Array): KeyMaterial {
	const [identifier, point] = children(parse(der));
	const { algorithm, parameters } = readAlgorithm(identifier);
	const bytes = bitsOf(point);
	const kind = okpKindOf(algorithm);
	if (kind) return okpPublic(kind, bytes.slice());
	if (algorithm === RSA) return readRsaPublic(parse(bytes));
	if (algorithm === RSA_PSS) {
		const key = readRsaPublic(parse(bytes), 'rsa-pss');
		return parameters ? { ...key, pss: pssOf(parameters) } : key;
	}
	if (algorithm === EC) {
		const { curve, isExplicit } = curveOf(parameters);
		return { kind: 'ec', curve, point: convertPoint(curve, bytes, 'uncompressed'), isExplicit };
	}
	const y = integerOf(parse(bytes));
	if (algorithm === DSA) return { kind: 'dsa', ...readDomain(parameters), y };
	if (algorithm === DH) {
		const [p, g] = children(parameters).slice(0, 2).map(integerOf) as [bigint, bigint];
		return { kind: 'dh', p, g, y };
	}
	throw new KeyDataError(`algorithm ${algorithm}`);
}

export const readPkcs1Public = (der: Uint8Array): KeyMaterial => readRsaPublic(parse(der));

/** Detects the form of a private key: PKCS #1, SEC 1, PKCS #8, or encrypted PKCS #8. */
export function formOf(der: Uint8Array): 'pkcs1' | 'sec1' | 'pkcs8' | 'encrypted' {
	const [first, second] = children(parse(der));
	if (isSequence(first)) return 'encrypted';
	if (isSequence(second)) return 'pkcs8';
	return integerOf(first) === 1n ? 'sec1' : 'pkcs1';
}

/** Encodes a DSA or ECDSA signature as DER from both numbers, concatenated. */
export function signatureToDer(raw: Uint8Array): Uint8Array {
	const number = (part: Uint8Array) => integer(fromBytes(part));
	const half = raw.length / 2;
	return encode(sequence(number(raw.subarray(0, half)), number(raw.subarray(half))));
}

/** Parses both numbers, each padded to `size` bytes. null if they do not fit or it is invalid. */
export function signatureFromDer(der: Uint8Array, size: number): Uint8Array | null {
	try {
		const [r, s, ...more] = children(parse(der)).map(integerOf);
		if (r === undefined || s === undefined || more.length > 0) return null;
		const [first, second] = [toBytes(r, size), toBytes(s, size)];
		if (first.length > size || second.length > size) return null;
		const raw = new Uint8Array(size * 2);
		raw.set(first);
		raw.set(second, size);
		return raw;
	} catch (error) {
		if (error instanceof KeyDataError) return null;
		throw error;
	}
}
