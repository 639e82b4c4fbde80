import {
	bitsOf,
	booleanOf,
	children,
	contentOf,
	type Element,
	encode,
	integerOf,
	isOid,
	octetsOf,
	oidOf,
	parse,
	rawOf,
	tagged,
	tagNumber,
	textOf,
	timeOf
} from './der.ts';
import { KeyDataError } from './key-data-error.ts';
import { pssOf, RSA_PSS } from './pss-parameters.ts';

/** Names of a subject or an issuer: object identifiers and values, grouped by set. */
export type DistinguishedName = [oid: string, value: string][][];

/** General name of an extension (RFC 5280, 4.2.1.6), with the number of its kind. */
export interface GeneralName {
	kind: number;
	bytes: Uint8Array;
}

/** Signature algorithm of a certificate: a null hash is determined by the curve. */
export interface CertificateSignature {
	hash: string | null;
	/** Prefix of the kind of the signing key. */
	kind: string;
	saltLength?: number;
}

/** A certificate (RFC 5280). */
export interface Certificate {
	signed: Uint8Array;
	serial: bigint;
	issuer: DistinguishedName;
	subject: DistinguishedName;
	issuerBytes: Uint8Array;
	subjectBytes: Uint8Array;
	validFrom: Date;
	validTo: Date;
	spki: Uint8Array;
	signature: Uint8Array;
	/** null for an unknown algorithm. */
	scheme: CertificateSignature | null;
	alternativeNames: GeneralName[] | null;
	access: { method: string; name: GeneralName }[] | null;
	extendedKeyUsage: string[] | null;
	isAuthority: boolean;
	subjectKeyId: Uint8Array | null;
	authorityKeyId: Uint8Array | null;
}

const SIGNATURES: Readonly<Record<string, CertificateSignature>> = {
	'1.2.840.113549.1.1.4': { hash: 'md5', kind: 'rsa' },
	'1.2.840.113549.1.1.5': { hash: 'sha1', kind: 'rsa' },
	'1.2.840.113549.1.1.14': { hash: 'sha224', kind: 'rsa' },
	'1.2.840.113549.1.1.11': { hash: 'sha256', kind: 'rsa' },
	'1.2.840.113549.1.1.12': { hash: 'sha384', kind: 'rsa' },
	'1.2.840.113549.1.1.13': { hash: 'sha512', kind: 'rsa' },
	'1.2.840.10045.4.1': { hash: 'sha1', kind: 'ec' },
	'1.2.840.10045.4.3.1': { hash: 'sha224', kind: 'ec' },
	'1.2.840.10045.4.3.2': { hash: 'sha256', kind: 'ec' },
	'1.2.840.10045.4.3.3': { hash: 'sha384', kind: 'ec' },
	'1.2.840.10045.4.3.4': { hash: 'sha512', kind: 'ec' },
	'1.2.840.10040.4.3': { hash: 'sha1', kind: 'dsa' },
	'2.16.840.1.101.3.4.3.2': { hash: 'sha256', kind: 'dsa' },
	'1.3.101.112': { hash: null, kind: 'ed' },
	'1.3.101.113': { hash: null, kind: 'ed' }
};

const SUBJECT_KEY_ID = '2.5.29.14';
const ALTERNATIVE_NAMES = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const AUTHORITY_KEY_ID = '2.5.29.35';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const ACCESS = '1.3.6.1.5.5.7.1.1';

/** Fields of the signed part (RFC 5280, 4.1). The version is absent in version 1. */
function signedFields(certificate: Element): Element[] {
	const fields = children(children(certificate)[0]);
	return tagged(fields, 0) ? fields.slice(1) : fields;
}

/** `SubjectPublicKeyInfo` of a certificate. @throws KeyDataError */
export function certificateKey(der: Uint8Array): Uint8Array {
	const [, , , , , key] = signedFields(parse(der));
	if (!key) throw new KeyDataError('the key is missing');
	return encode(key);
}

const nameOf = (element: Element | undefined): DistinguishedName =>
	children(element).map((set) =>
		children(set).map((pair) => {
			const [type, value] = children(pair);
			return [oidOf(type), textOf(value)];
		})
	);

const generalName = (element: Element): GeneralName => ({ kind: tagNumber(element), bytes: contentOf(element) });

function extensionsOf(fields: Element[]): Map<string, Element> {
	const list = tagged(fields, 3);
	const extensions = list ? children(children(list)[0]) : [];
	return new Map(
		extensions.map((extension) => {
			const parts = children(extension);
			return [oidOf(parts[0]), parse(octetsOf(parts.at(-1)))];
		})
	);
}

function schemeOf(element: Element | undefined): CertificateSignature | null {
	const [type, parameters] = children(element);
	const algorithm = oidOf(type);
	if (algorithm !== RSA_PSS) return SIGNATURES[algorithm] ?? null;
	if (!parameters) return null;
	const { hash, saltLength } = pssOf(parameters);
	return { hash, saltLength, kind: 'rsa' };
}

/** @throws KeyDataError */
export function readCertificate(der: Uint8Array): Certificate {
	const whole = parse(der);
	const [signed, algorithm, signature] = children(whole);
	const fields = signedFields(whole);
	const [serial, , issuer, validity, subject, spki] = fields;
	if (!signed || !issuer || !subject || !spki) throw new KeyDataError('fields of the certificate are missing');
	const [from, to] = children(validity);
	const extensions = extensionsOf(fields);
	const keyIds = extensions.get(AUTHORITY_KEY_ID);
	const authority = keyIds && tagged(children(keyIds), 0);
	const subjectKeyId = extensions.get(SUBJECT_KEY_ID);
	const usages = extensions.get(EXTENDED_KEY_USAGE);
	const names = extensions.get(ALTERNATIVE_NAMES);
	const access = extensions.get(ACCESS);
	const constraints = extensions.get(BASIC_CONSTRAINTS);
	return {
		signed: rawOf(signed),
		serial: integerOf(serial),
		issuer: nameOf(issuer),
		subject: nameOf(subject),
		issuerBytes: rawOf(issuer),
		subjectBytes: rawOf(subject),
		validFrom: timeOf(from),
		validTo: timeOf(to),
		spki: rawOf(spki),
		signature: bitsOf(signature),
		scheme: schemeOf(algorithm),
		alternativeNames: names ? children(names).map(generalName) : null,
		access: access ? children(access).map(accessOf) : null,
		extendedKeyUsage: usages ? children(usages).filter(isOid).map(oidOf) : null,
		isAuthority: constraints !== undefined && booleanOf(children(constraints)[0]),
		subjectKeyId: subjectKeyId ? octetsOf(subjectKeyId) : null,
		authorityKeyId: authority ? contentOf(authority) : null
	};
}

function accessOf(element: Element): { method: string; name: GeneralName } {
	const [method, name] = children(element);
	if (!name) throw new KeyDataError('the place of the access is missing');
	return { method: oidOf(method), name: generalName(name) };
}
