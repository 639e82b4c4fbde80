import { X509Certificate } from '../crypto/certificates/x509-certificate.ts';
import { invalidArgument, invalidValue, nodeError } from '../../runtime/errors.ts';
import { Socket } from '../net/socket.ts';
import { createSecureContext } from './secure-context.ts';

const KINDS: readonly unknown[] = ['default', 'bundled', 'system', 'extra'];
const NONE: readonly string[] = Object.freeze([]);

/** Trusted certificates, and their texts. */
interface Authorities {
	certificates: readonly X509Certificate[];
	pem: readonly string[];
}

/** Authorities of the file, once it has been read. */
let extra: Authorities | null = null;
/** Authorities that the program set instead. */
let chosen: Authorities | null = null;

/**
 * Default trusted authorities: those of the file in `NODE_EXTRA_CA_CERTS`, or what the program set. The tab has none of
 * its own, because connections of programs only reach servers of the tab.
 */
export function defaultAuthorities(): readonly X509Certificate[] {
	return usual().certificates;
}

const ofTheFile = (): Authorities => (extra ??= authorities(readExtra()));
const usual = (): Authorities => chosen ?? ofTheFile();

function authorities(certificates: readonly X509Certificate[]): Authorities {
	return { certificates, pem: Object.freeze(certificates.map(String)) };
}

/** `tls.getCACertificates`: certificates in PEM. */
export function getCACertificates(type: unknown = 'default'): readonly string[] {
	if (!KINDS.includes(type)) throw invalidValue('type', type, 'is invalid');
	if (type === 'bundled' || type === 'system') return NONE;
	return (type === 'extra' ? ofTheFile() : usual()).pem;
}

/**
 * `tls.setDefaultCACertificates`: replaces the default authorities.
 * @throws ERR_INVALID_ARG_TYPE, ERR_CRYPTO_OPERATION_FAILED
 */
export function setDefaultCACertificates(certificates: unknown): void {
	if (!Array.isArray(certificates)) throw invalidArgument('certs', 'an instance of Array', certificates);
	for (const [i, one] of certificates.entries()) {
		if (typeof one !== 'string' && !ArrayBuffer.isView(one))
			throw invalidArgument(`certs[${i}]`, 'of type string or an instance of ArrayBufferView', one);
	}
	chosen = authorities(certificates.length === 0 ? [] : parsed(certificates));
}

function parsed(certificates: readonly unknown[]): readonly X509Certificate[] {
	try {
		return createSecureContext({ ca: certificates })._authorities ?? [];
	} catch {
		const words = 'No valid certificates found in the provided array';
		throw nodeError(Error, 'ERR_CRYPTO_OPERATION_FAILED', words);
	}
}

function readExtra(): readonly X509Certificate[] {
	const { process, sys, resolvePath } = Socket.runtime;
	const file = process.env['NODE_EXTRA_CA_CERTS'];
	if (!file) return [];
	try {
		return createSecureContext({ ca: sys.readFile(resolvePath(file)) })._authorities ?? [];
	} catch (error) {
		const { message } = error as Error;
		process.emitWarning(`Ignoring extra certs from \`${file}\`, load failed: ${message}`);
		return [];
	}
}
