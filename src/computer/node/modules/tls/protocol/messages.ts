import { concatBytes } from '@noble/hashes/utils.js';
import { TlsAlert } from './alerts.ts';
import { number, numbers, readNumbers, vector, WireReader } from './wire.ts';

/** Handshake messages (RFC 8446, B.3). */
export const MESSAGE = {
	CLIENT_HELLO: 1,
	SERVER_HELLO: 2,
	NEW_SESSION_TICKET: 4,
	ENCRYPTED_EXTENSIONS: 8,
	CERTIFICATE: 11,
	CERTIFICATE_REQUEST: 13,
	CERTIFICATE_VERIFY: 15,
	FINISHED: 20,
	KEY_UPDATE: 24
} as const;

/** Extensions (RFC 8446, 4.2). */
export const EXTENSION = {
	SERVER_NAME: 0,
	SUPPORTED_GROUPS: 10,
	SIGNATURE_ALGORITHMS: 13,
	ALPN: 16,
	SUPPORTED_VERSIONS: 43,
	KEY_EXCHANGE_MODES: 45,
	KEY_SHARE: 51
} as const;

export const TLS_1_2 = 0x0303;
export const TLS_1_3 = 0x0304;
export const X25519 = 29;
/** Random value of a server's hello that requests another hello (RFC 8446, 4.1.3). */
export const RETRY_RANDOM = Uint8Array.from(
	'cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c'.match(/../g) ?? [],
	(digits) => Number.parseInt(digits, 16)
);

export type Extensions = ReadonlyMap<number, Uint8Array>;

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const latin1Text = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

export const message = (type: number, ...parts: readonly Uint8Array[]): Uint8Array =>
	concatBytes(number(1, type), vector(3, ...parts));

const extensionList = (extensions: Extensions): Uint8Array =>
	vector(2, ...[...extensions].map(([id, content]) => concatBytes(number(2, id), vector(2, content))));

/** @throws TlsAlert `illegal_parameter` for a duplicate */
function readExtensions(bytes: Uint8Array): Extensions {
	const reader = new WireReader(bytes);
	const found = new Map<number, Uint8Array>();
	while (!reader.isAtEnd) {
		const id = reader.number(2);
		if (found.has(id)) throw new TlsAlert('illegal_parameter', 'bad extension');
		found.set(id, reader.vector(2));
	}
	return found;
}

export interface ClientHello {
	random: Uint8Array;
	sessionId: Uint8Array;
	suites: readonly number[];
	extensions: Extensions;
}

export function writeClientHello({ random, sessionId, suites, extensions }: ClientHello): Uint8Array {
	const compressions = vector(1, number(1, 0));
	const fields = [number(2, TLS_1_2), random, vector(1, sessionId), numbers(suites), compressions];
	return message(MESSAGE.CLIENT_HELLO, ...fields, extensionList(extensions));
}

/** @throws TlsAlert */
export function readClientHello(body: Uint8Array): ClientHello {
	const reader = new WireReader(body);
	reader.number(2);
	const random = reader.bytesOf(32);
	const sessionId = reader.vector(1);
	const suites = readNumbers(reader.vector(2));
	reader.vector(1);
	const extensions: Extensions = reader.isAtEnd ? new Map() : readExtensions(reader.vector(2));
	reader.end();
	return { random, sessionId, suites, extensions };
}

export interface ServerHello {
	random: Uint8Array;
	sessionId: Uint8Array;
	suite: number;
	extensions: Extensions;
}

export function writeServerHello({ random, sessionId, suite, extensions }: ServerHello): Uint8Array {
	const fields = [number(2, TLS_1_2), random, vector(1, sessionId), number(2, suite), number(1, 0)];
	return message(MESSAGE.SERVER_HELLO, ...fields, extensionList(extensions));
}

/** @throws TlsAlert */
export function readServerHello(body: Uint8Array): ServerHello {
	const reader = new WireReader(body);
	reader.number(2);
	const random = reader.bytesOf(32);
	const sessionId = reader.vector(1);
	const suite = reader.number(2);
	reader.number(1);
	const extensions: Extensions = reader.isAtEnd ? new Map() : readExtensions(reader.vector(2));
	reader.end();
	return { random, sessionId, suite, extensions };
}

export const writeEncryptedExtensions = (extensions: Extensions): Uint8Array =>
	message(MESSAGE.ENCRYPTED_EXTENSIONS, extensionList(extensions));

/** @throws TlsAlert */
export function readEncryptedExtensions(body: Uint8Array): Extensions {
	const reader = new WireReader(body);
	const extensions = readExtensions(reader.vector(2));
	reader.end();
	return extensions;
}

/** `server_name` with one host name (RFC 6066, 3). */
export const serverNameExtension = (host: string): Uint8Array => vector(2, number(1, 0), vector(2, latin1(host)));

/** @throws TlsAlert */
export function readServerName(bytes: Uint8Array): string {
	const list = new WireReader(new WireReader(bytes).vector(2));
	if (list.number(1) !== 0) throw new TlsAlert('decode_error');
	return latin1Text(list.vector(2));
}

/** Names of application protocols (RFC 7301), with one byte per character. */
export const protocolsExtension = (names: readonly string[]): Uint8Array =>
	vector(2, ...names.map((name) => vector(1, latin1(name))));

/** @throws TlsAlert */
export function readProtocols(bytes: Uint8Array): string[] {
	const list = new WireReader(new WireReader(bytes).vector(2));
	const names: string[] = [];
	while (!list.isAtEnd) names.push(latin1Text(list.vector(1)));
	return names;
}

/** Encodes a public key with its group. */
export const keyShare = (point: Uint8Array): Uint8Array => concatBytes(number(2, X25519), vector(2, point));

/** The X25519 key in a client's hello; undefined if there is none. @throws TlsAlert */
export function sharedKey(bytes: Uint8Array): Uint8Array | undefined {
	const list = new WireReader(new WireReader(bytes).vector(2));
	while (!list.isAtEnd) {
		const group = list.number(2);
		const point = list.vector(2);
		if (group === X25519) return point;
	}
	return undefined;
}

/** The key in a server's hello. @throws TlsAlert if it is of another group */
export function selectedKey(bytes: Uint8Array): Uint8Array {
	const reader = new WireReader(bytes);
	if (reader.number(2) !== X25519) throw new TlsAlert('illegal_parameter', 'wrong curve');
	const point = reader.vector(2);
	reader.end();
	return point;
}

/** Encodes certificates as DER, the side's own first. @param context of the request, empty from a server */
export function writeCertificates(context: Uint8Array, chain: readonly Uint8Array[]): Uint8Array {
	const entries = chain.map((der) => concatBytes(vector(3, der), number(2, 0)));
	return message(MESSAGE.CERTIFICATE, vector(1, context), vector(3, ...entries));
}

/** @throws TlsAlert */
export function readCertificates(body: Uint8Array): Uint8Array[] {
	const reader = new WireReader(body);
	reader.vector(1);
	const list = new WireReader(reader.vector(3));
	reader.end();
	const chain: Uint8Array[] = [];
	while (!list.isAtEnd) {
		chain.push(Uint8Array.from(list.vector(3)));
		list.vector(2);
	}
	return chain;
}

export function writeCertificateRequest(schemes: readonly number[]): Uint8Array {
	const extensions = new Map([[EXTENSION.SIGNATURE_ALGORITHMS, numbers(schemes)]]);
	return message(MESSAGE.CERTIFICATE_REQUEST, number(1, 0), extensionList(extensions));
}

/** @throws TlsAlert */
export function readCertificateRequest(body: Uint8Array): { context: Uint8Array; schemes: number[] } {
	const reader = new WireReader(body);
	const context = Uint8Array.from(reader.vector(1));
	const extensions = readExtensions(reader.vector(2));
	reader.end();
	return { context, schemes: readSchemes(extensions) };
}

/** Signature schemes that the peer accepts. @throws TlsAlert `missing_extension` */
export function readSchemes(extensions: Extensions): number[] {
	const bytes = extensions.get(EXTENSION.SIGNATURE_ALGORITHMS);
	if (!bytes) throw new TlsAlert('missing_extension');
	return readNumbers(new WireReader(bytes).vector(2));
}

/** Content that a side signs to prove that it owns the key of its certificate (RFC 8446, 4.4.3). */
export function signedContent(side: 'client' | 'server', transcript: Uint8Array): Uint8Array {
	const spaces = new Uint8Array(64).fill(0x20);
	return concatBytes(spaces, latin1(`TLS 1.3, ${side} CertificateVerify`), number(1, 0), transcript);
}

export const writeCertificateVerify = (scheme: number, signature: Uint8Array): Uint8Array =>
	message(MESSAGE.CERTIFICATE_VERIFY, number(2, scheme), vector(2, signature));

/** @throws TlsAlert */
export function readCertificateVerify(body: Uint8Array): { scheme: number; signature: Uint8Array } {
	const reader = new WireReader(body);
	const scheme = reader.number(2);
	const signature = reader.vector(2);
	reader.end();
	return { scheme, signature };
}
