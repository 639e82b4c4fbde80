import {
	children,
	type Element,
	encode,
	integer,
	integerOf,
	isInteger,
	nothing,
	octets,
	octetsOf,
	oid,
	oidOf,
	parse,
	sequence
} from './der.ts';
import { KeyDataError } from './key-data-error.ts';

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';

/** Hash functions of PBKDF2 by the identifiers of their HMAC. */
const PRFS: Readonly<Record<string, string>> = {
	'1.2.840.113549.2.7': 'sha1',
	'1.2.840.113549.2.8': 'sha224',
	'1.2.840.113549.2.9': 'sha256',
	'1.2.840.113549.2.10': 'sha384',
	'1.2.840.113549.2.11': 'sha512'
};
const DEFAULT_PRF = 'sha1';

const AES_CBC: Readonly<Record<string, string>> = {
	'aes-128-cbc': '2.16.840.1.101.3.4.1.2',
	'aes-192-cbc': '2.16.840.1.101.3.4.1.22',
	'aes-256-cbc': '2.16.840.1.101.3.4.1.42'
};

/** Encryption of a private key with a passphrase (RFC 8018). */
export interface Encryption {
	cipher: string;
	iv: Uint8Array;
	salt: Uint8Array;
	iterations: number;
	hash: string;
}

/** Maximum number of iterations: more indicate data that are not a key, or an attack. */
const MOST_ITERATIONS = 10_000_000;

/** Ciphers with known parameters. */
export const keyCiphers = Object.keys(AES_CBC);

/** `EncryptedPrivateKeyInfo` (RFC 5208) with PBES2. */
export function writeEncrypted({ cipher, iv, salt, iterations, hash }: Encryption, data: Uint8Array): Uint8Array {
	const prf = Object.keys(PRFS).find((identifier) => PRFS[identifier] === hash) ?? '';
	const derivation = sequence(
		oid(PBKDF2),
		sequence(octets(salt), integer(iterations), ...(hash === DEFAULT_PRF ? [] : [sequence(oid(prf), nothing())]))
	);
	const scheme = sequence(oid(AES_CBC[cipher] ?? ''), octets(iv));
	return encode(sequence(sequence(oid(PBES2), sequence(derivation, scheme)), octets(data)));
}

/** @throws KeyDataError for an unknown scheme */
export function readEncrypted(der: Uint8Array): { encryption: Encryption; data: Uint8Array } {
	const [identifier, data] = children(parse(der));
	const [scheme, parameters] = children(identifier);
	if (oidOf(scheme) !== PBES2) throw new KeyDataError(`scheme ${oidOf(scheme)}`);
	const [derivation, encryption] = children(parameters);
	const [cipherOid, iv] = children(encryption);
	const cipher = keyCiphers.find((name) => AES_CBC[name] === oidOf(cipherOid));
	if (cipher === undefined) throw new KeyDataError('an unknown cipher');
	return { encryption: { cipher, iv: octetsOf(iv), ...readDerivation(derivation) }, data: octetsOf(data) };
}

function readDerivation(element: Element | undefined): Pick<Encryption, 'salt' | 'iterations' | 'hash'> {
	const [name, parameters] = children(element);
	if (oidOf(name) !== PBKDF2) throw new KeyDataError(`derivation ${oidOf(name)}`);
	const [salt, iterations, ...rest] = children(parameters);
	const prf = rest.find((one) => !isInteger(one));
	const hash = prf ? PRFS[oidOf(children(prf)[0])] : DEFAULT_PRF;
	const count = integerOf(iterations);
	if (hash === undefined || count < 1n || count > MOST_ITERATIONS) throw new KeyDataError('an unknown derivation');
	return { salt: octetsOf(salt), iterations: Number(count), hash };
}
