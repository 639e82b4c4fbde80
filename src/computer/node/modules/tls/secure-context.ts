import { Buffer } from 'buffer';
import { invalidArgument, nodeError, unsupported } from '../../runtime/errors.ts';
import { nullable, string } from '../../runtime/validate.ts';
import { privateKey } from '../crypto/asymmetric/key-input.ts';
import { publicHalf, type KeyMaterial } from '../crypto/asymmetric/part/material.ts';
import { PublicKeyObject } from '../crypto/asymmetric/key-objects.ts';
import { X509Certificate } from '../crypto/certificates/x509-certificate.ts';
import { KeyObject } from '../crypto/keys.ts';
import { opensslError } from '../crypto/openssl-error.ts';
import { sslError } from './errors.ts';
import { issuersOf } from './issuers.ts';
import { TlsAlert } from './protocol/alerts.ts';
import type { Identity } from './protocol/session.ts';

export interface SecureContextOptions {
	key?: unknown;
	cert?: unknown;
	ca?: unknown;
	pfx?: unknown;
	passphrase?: unknown;
	ciphers?: unknown;
	minVersion?: unknown;
	maxVersion?: unknown;
	secureProtocol?: unknown;
}

const VERSIONS: readonly unknown[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** Keys and certificates of a side, and its trusted authorities. */
export class SecureContext {
	/** Read by programs. */
	readonly context = this;
	readonly _identity: Identity | undefined;
	/** `null`: Node's default authorities. */
	readonly _authorities: readonly X509Certificate[] | null;

	/**
	 * @throws ERR_INVALID_ARG_TYPE, ERR_TLS_INVALID_PROTOCOL_VERSION, and errors of OpenSSL for keys and certificates
	 */
	constructor(options: SecureContextOptions) {
		checkVersions(options);
		checkCiphers(options.ciphers);
		if (options.pfx) throw unsupported('tls with the option pfx', 'Give the options key and cert.');
		const { ca } = options;
		this._authorities = ca === undefined || ca === null ? null : listed(ca, 'ca').flatMap(certificates);
		this._identity = identityOf(options, this._authorities ?? []);
	}
}

/**
 * Returns the first key with its certificates, adding trusted ones of its issuers if none were specified.
 * @throws ERR_OSSL_X509_KEY_VALUES_MISMATCH if key and certificate do not match
 */
function identityOf(
	{ cert, key, passphrase }: SecureContextOptions,
	trusted: readonly X509Certificate[]
): Identity | undefined {
	const chains = cert ? listed(cert, 'cert').map(certificates) : [];
	const keys = key ? keysOf(key, passphrase) : [];
	const [chain] = chains;
	const [own] = chain ?? [];
	const [material] = keys;
	if (!chain || !own || !material) return undefined;
	const publicKey = new PublicKeyObject(publicHalf(material));
	// OpenSSL stores one pair for each kind of key: neither is complete here.
	if (publicKey.asymmetricKeyType !== own.publicKey.asymmetricKeyType) return undefined;
	if (!publicKey.equals(own.publicKey)) {
		throw opensslError('05800074', 'x509 certificate routines', 'key values mismatch', 'X509');
	}
	const whole = chain.length === 1 ? issuersOf(own, trusted) : chain;
	return { key: material, chain: whole.map(({ raw }) => Uint8Array.from(raw)) };
}

interface GivenKey {
	pem?: unknown;
	key?: unknown;
	passphrase?: unknown;
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_OSSL_UNSUPPORTED, ERR_OSSL_BAD_DECRYPT */
function keysOf(given: unknown, passphrase: unknown): KeyMaterial[] {
	const isList = Array.isArray(given);
	return (isList ? (given as unknown[]) : [given]).map((one) => {
		const isSet =
			isList && typeof one === 'object' && one !== null && !ArrayBuffer.isView(one) && !(one instanceof KeyObject);
		const { pem, key, passphrase: own }: GivenKey = isSet ? one : { pem: one };
		const data = pem ?? key;
		if (data instanceof KeyObject) return privateKey(data);
		checkData(data, 'key');
		return privateKey({ key: data, format: 'pem', passphrase: own ?? passphrase });
	});
}

/** Converts an option with one value or a list to a list. @throws ERR_INVALID_ARG_TYPE */
function listed(given: unknown, name: string): unknown[] {
	const all = Array.isArray(given) ? (given as unknown[]).flat() : [given];
	for (const one of all) checkData(one, name);
	return all;
}

/** @throws ERR_INVALID_ARG_TYPE */
function checkData(value: unknown, name: string): void {
	if (typeof value === 'string' || ArrayBuffer.isView(value)) return;
	const expected = 'of type string or an instance of Buffer, TypedArray, or DataView';
	throw invalidArgument(`options.${name}`, expected, value);
}

const BLOCKS = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^]*?-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/** All certificates in a text. @throws ERR_OSSL_PEM_NO_START_LINE */
function certificates(given: unknown): X509Certificate[] {
	const view = given as Uint8Array;
	const text =
		typeof given === 'string' ? given : Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString();
	const blocks = text.match(BLOCKS);
	if (!blocks) throw opensslError('0480006C', 'PEM routines', 'no start line', 'PEM');
	return blocks.map((block) => new X509Certificate(block));
}

/** Names of ciphers and of groups of them. */
const CIPHER = /^[!+-]?[A-Z][A-Z\d_+@=-]*$/;

/** @throws ERR_INVALID_ARG_TYPE, ERR_SSL_NO_CIPHER_MATCH for a list without any plausible name */
function checkCiphers(given: unknown): void {
	nullable(string)(given, 'options.ciphers');
	if (typeof given !== 'string' || given === '' || given.split(/[:, ]/).some((name) => CIPHER.test(name))) return;
	throw sslError(new TlsAlert('internal_error', 'no cipher match'));
}

const METHODS = /^(?:TLS|SSLv23)_(?:client_|server_)?method$/;
const OLD_METHODS = /^TLSv1(?:_[12])?_(?:client_|server_)?method$/;

/** @throws ERR_TLS_INVALID_PROTOCOL_VERSION, ERR_TLS_INVALID_PROTOCOL_METHOD, ERR_TLS_PROTOCOL_VERSION_CONFLICT */
function checkVersions({ minVersion, maxVersion, secureProtocol }: SecureContextOptions): void {
	if (secureProtocol) {
		const method = String(secureProtocol);
		if (minVersion !== undefined || maxVersion !== undefined) {
			const given = JSON.stringify(minVersion ?? maxVersion);
			const words = `TLS protocol version ${given} conflicts with secureProtocol ${JSON.stringify(method)}`;
			throw nodeError(TypeError, 'ERR_TLS_PROTOCOL_VERSION_CONFLICT', words);
		}
		if (OLD_METHODS.test(method)) throw tooOld(method);
		if (!METHODS.test(method))
			throw nodeError(TypeError, 'ERR_TLS_INVALID_PROTOCOL_METHOD', `Unknown method: ${method}`);
	}
	checkVersion(minVersion, 'minimum');
	checkVersion(maxVersion, 'maximum');
	if (maxVersion && maxVersion !== 'TLSv1.3') throw tooOld(String(maxVersion));
}

/** @throws ERR_TLS_INVALID_PROTOCOL_VERSION */
function checkVersion(version: unknown, which: 'minimum' | 'maximum'): void {
	if (!version || VERSIONS.includes(version)) return;
	const words = `${JSON.stringify(version)} is not a valid ${which} TLS protocol version`;
	throw nodeError(TypeError, 'ERR_TLS_INVALID_PROTOCOL_VERSION', words);
}

const tooOld = (version: string): Error => unsupported(`tls with ${version}`, 'Allow TLSv1.3, the only version here.');

/** `tls.createSecureContext`. */
export const createSecureContext = (options: SecureContextOptions = {}): SecureContext => new SecureContext(options);
