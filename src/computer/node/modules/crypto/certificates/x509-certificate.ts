import { Buffer } from 'buffer';
import { invalidArgument, invalidValue, nodeError } from '../../../runtime/errors.ts';
import { boolean, optional, plainObject, string } from '../../../runtime/validate.ts';
import { asymmetric } from '../asymmetric/load.ts';
import { PublicKeyObject } from '../asymmetric/key-objects.ts';
import type { Certificate } from '../asymmetric/part/certificate.ts';
import { publicHalf } from '../asymmetric/part/material.ts';
import { verifyData } from '../asymmetric/signatures.ts';
import { constants } from '../constants.ts';
import { algorithm } from '../hashes.ts';
import { KeyObject, materialOf } from '../keys.ts';
import { opensslError } from '../openssl-error.ts';
import { findPem, writePem } from '../pem.ts';
import { type HostOptions, isHost } from './host.ts';
import { keyFields } from './legacy-key.ts';
import {
	accessText,
	addressText,
	canonicalAddress,
	commonNames,
	emailNames,
	GENERAL,
	generalNameText,
	generalText,
	nameObject,
	nameText
} from './names.ts';

const LABELS = ['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE'];

const noStart = () =>
	opensslError('0480006C', 'PEM routines', 'no start line', 'PEM', [
		'error:0688010A:asn1 encoding routines::nested asn1 error',
		'error:06800066:asn1 encoding routines::bad object header',
		'error:0680009B:asn1 encoding routines::too long'
	]);

/** @throws ERR_INVALID_ARG_TYPE, ERR_OSSL_PEM_NO_START_LINE */
function derOf(given: unknown): Uint8Array {
	const isText = typeof given === 'string';
	if (!isText && !ArrayBuffer.isView(given)) {
		throw invalidArgument('buffer', 'of type string or an instance of Buffer, TypedArray, or DataView', given);
	}
	const bytes = isText ? Buffer.from(given) : Buffer.from(given.buffer, given.byteOffset, given.byteLength);
	const block = findPem(bytes.toString('latin1'), LABELS);
	return new Uint8Array(block ? block.bytes : bytes);
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Formats a time like OpenSSL: `Sep  3 21:40:37 2022 GMT`. */
function timeText(time: Date): string {
	const clock = time.toISOString().slice(11, 19);
	const day = String(time.getUTCDate()).padStart(2);
	return `${MONTHS[time.getUTCMonth()]} ${day} ${clock} ${time.getUTCFullYear()} GMT`;
}

const fingerprint = (hash: string, der: Uint8Array): string =>
	(Buffer.from(algorithm(hash)(der)).toString('hex').toUpperCase().match(/../g) ?? []).join(':');

const SUBJECTS: readonly unknown[] = ['default', 'always', 'never'];
const FLAGS = ['wildcards', 'partialWildcards', 'multiLabelWildcards', 'singleLabelSubdomains'];

/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
function checkHostOptions(options: unknown): HostOptions {
	if (options === undefined) return {};
	plainObject(options, 'options');
	const given = options as Record<string, unknown>;
	const { subject } = given;
	if (subject !== undefined && !SUBJECTS.includes(subject)) throw invalidValue('options.subject', subject);
	for (const flag of FLAGS) optional(boolean)(given[flag], `options.${flag}`);
	return given;
}

/** `crypto.X509Certificate`. */
export class X509Certificate {
	readonly #der: Uint8Array;
	readonly #certificate: Certificate;
	#publicKey: PublicKeyObject | undefined;

	/** @throws ERR_INVALID_ARG_TYPE, ERR_OSSL_PEM_NO_START_LINE */
	constructor(given: unknown) {
		this.#der = derOf(given);
		const { KeyDataError, readCertificate } = asymmetric();
		try {
			this.#certificate = readCertificate(this.#der);
		} catch (error) {
			throw error instanceof KeyDataError ? noStart() : error;
		}
	}

	get subject(): string | undefined {
		return nameText(this.#certificate.subject);
	}

	get issuer(): string | undefined {
		return nameText(this.#certificate.issuer);
	}

	get subjectAltName(): string | undefined {
		return this.#certificate.alternativeNames?.map(generalNameText).join(', ');
	}

	get infoAccess(): string | undefined {
		return this.#certificate.access?.map(accessText).join('\n');
	}

	get issuerCertificate(): undefined {
		return undefined;
	}

	get validFrom(): string {
		return timeText(this.#certificate.validFrom);
	}

	get validTo(): string {
		return timeText(this.#certificate.validTo);
	}

	get validFromDate(): Date {
		return new Date(this.#certificate.validFrom);
	}

	get validToDate(): Date {
		return new Date(this.#certificate.validTo);
	}

	get fingerprint(): string {
		return fingerprint('sha1', this.#der);
	}

	get fingerprint256(): string {
		return fingerprint('sha256', this.#der);
	}

	get fingerprint512(): string {
		return fingerprint('sha512', this.#der);
	}

	get keyUsage(): string[] | undefined {
		return this.#certificate.extendedKeyUsage ?? undefined;
	}

	get serialNumber(): string {
		const digits = this.#certificate.serial.toString(16).toUpperCase();
		return digits.padStart(digits.length + (digits.length % 2), '0');
	}

	get raw(): Buffer {
		return Buffer.from(this.#der);
	}

	get publicKey(): PublicKeyObject {
		return (this.#publicKey ??= new PublicKeyObject(asymmetric().readSpki(this.#certificate.spki)));
	}

	get ca(): boolean {
		return this.#certificate.isAuthority;
	}

	/**
	 * Returns the name of the certificate that matches the host. @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
	 */
	checkHost(name: unknown, options?: unknown): string | undefined {
		string(name, 'name');
		const given = checkHostOptions(options);
		const names = (this.#certificate.alternativeNames ?? []).filter(({ kind }) => kind === GENERAL.DNS);
		const subject = given.subject ?? 'default';
		const hasSubject = subject === 'always' || (subject === 'default' && names.length === 0);
		const all = [...names.map(generalText), ...(hasSubject ? commonNames(this.#certificate.subject) : [])];
		return all.find((one) => isHost(one, name as string, given));
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
	checkEmail(email: unknown, options?: unknown): string | undefined {
		string(email, 'email');
		const { subject = 'default' } = checkHostOptions(options);
		const names = (this.#certificate.alternativeNames ?? []).filter(({ kind }) => kind === GENERAL.EMAIL);
		const hasSubject = subject === 'always' || (subject === 'default' && names.length === 0);
		const all = [...names.map(generalText), ...(hasSubject ? emailNames(this.#certificate.subject) : [])];
		// Only the domain is case-insensitive.
		const same = (text: string) => text.replace(/@.*$/, (domain) => domain.toLowerCase());
		return all.some((one) => same(one) === same(email as string)) ? (email as string) : undefined;
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
	checkIP(address: unknown): string | undefined {
		string(address, 'ip');
		const wanted = String(address);
		const canonical = canonicalAddress(wanted);
		if (canonical === null) throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', 'Invalid IP');
		const names = (this.#certificate.alternativeNames ?? []).filter(({ kind }) => kind === GENERAL.IP);
		return names.some(({ bytes }) => addressText(bytes) === canonical) ? wanted : undefined;
	}

	/** Returns whether the other certificate matches this one's issuer. @throws ERR_INVALID_ARG_TYPE */
	checkIssued(other: unknown): boolean {
		if (!(other instanceof X509Certificate)) {
			throw invalidArgument('otherCert', 'an instance of X509Certificate', other);
		}
		const [own, issuer] = [this.#certificate, other.#certificate];
		if (Buffer.compare(own.issuerBytes, issuer.subjectBytes) !== 0) return false;
		const { kind } = materialOf(other.publicKey);
		if (own.scheme && !kind.startsWith(own.scheme.kind)) return false;
		const [wanted, known] = [own.authorityKeyId, issuer.subjectKeyId];
		return !wanted || !known || Buffer.compare(wanted, known) === 0;
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
	checkPrivateKey(key: unknown): boolean {
		if (!(key instanceof KeyObject)) throw invalidArgument('pkey', 'an instance of KeyObject', key);
		if (key.type !== 'private') throw invalidValue('pkey', key);
		return new PublicKeyObject(publicHalf(materialOf(key))).equals(this.publicKey);
	}

	/** Verifies the signature with the issuer's key. @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
	verify(key: unknown): boolean {
		if (!(key instanceof KeyObject)) throw invalidArgument('pkey', 'an instance of KeyObject', key);
		if (key.type !== 'public') throw invalidValue('pkey', key);
		const { scheme, signed, signature } = this.#certificate;
		const material = materialOf(key);
		if (!scheme || !material.kind.startsWith(scheme.kind)) return false;
		const { saltLength } = scheme;
		const padding = saltLength === undefined ? undefined : constants.RSA_PKCS1_PSS_PADDING;
		return verifyData(material, scheme.hash, signed, signature, { padding, saltLength, encoding: 'der' });
	}

	/** Returns the certificate in the format of `tls`. */
	toLegacyObject(): Record<string, unknown> {
		const { subject, issuer } = this.#certificate;
		const usage = this.keyUsage;
		const names = this.subjectAltName;
		const access = this.#certificate.access;
		return {
			subject: nameObject(subject),
			issuer: nameObject(issuer),
			...(names === undefined ? {} : { subjectaltname: names }),
			...(access ? { infoAccess: accessObject(access.map(accessText)) } : {}),
			ca: this.ca,
			...keyFields(materialOf(this.publicKey), this.#certificate.spki),
			valid_from: this.validFrom,
			valid_to: this.validTo,
			fingerprint: this.fingerprint,
			fingerprint256: this.fingerprint256,
			fingerprint512: this.fingerprint512,
			...(usage === undefined ? {} : { ext_key_usage: usage }),
			serialNumber: this.serialNumber,
			raw: this.raw
		};
	}

	toString(): string {
		return writePem('CERTIFICATE', this.#der);
	}

	toJSON(): string {
		return this.toString();
	}
}

/** Access locations by method: `OCSP - URI` → URLs. */
function accessObject(lines: string[]): Record<string, string[]> {
	const object = Object.create(null) as Record<string, string[]>;
	for (const line of lines) {
		const [, kind = '', value = ''] = /^(.*? - [^:]*):(.*)$/.exec(line) ?? [];
		(object[kind] ??= []).push(value);
	}
	return object;
}
