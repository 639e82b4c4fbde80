import { invalidValue, nodeError, type NodeError } from '../../../runtime/errors.ts';
import { plainObject } from '../../../runtime/validate.ts';
import { bytesOrNull } from '../keys.ts';

export type Format = 'pem' | 'der' | 'jwk';
export type EncodingType = 'pkcs1' | 'pkcs8' | 'spki' | 'sec1';

/** Encoding of a key to parse or write. */
export interface KeyEncoding {
	format: Format;
	type: EncodingType | undefined;
	cipher?: string | undefined;
	passphrase?: Uint8Array | undefined;
}

/** Purpose for which the options are checked. */
interface Purpose {
	/** Kind of the key to write; absent when parsing. */
	kind?: string;
	/** Absent if the key may be either. */
	isPublic?: boolean | undefined;
	/** Name of the options in messages. */
	name?: string;
}

export const incompatible = (encoding: unknown, why: string): NodeError =>
	nodeError(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS', `The selected key encoding ${String(encoding)} ${why}.`);

const named = (field: string, name?: string) => (name === undefined ? `options.${field}` : `${name}.${field}`);

/** @throws ERR_INVALID_ARG_VALUE */
function formatOf(format: unknown, isInput: boolean, name: string): Format {
	if (format === undefined && isInput) return 'pem';
	if (format === 'pem' || format === 'der' || format === 'jwk') return format;
	throw invalidValue(name, format);
}

/** @throws ERR_INVALID_ARG_VALUE, ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS */
function typeOf(
	type: unknown,
	isRequired: boolean,
	{ kind, isPublic }: Purpose,
	name: string
): EncodingType | undefined {
	if (type === undefined && !isRequired) return undefined;
	if (type === 'pkcs1') {
		if (kind !== undefined && kind !== 'rsa') throw incompatible(type, 'can only be used for RSA keys');
		return type;
	}
	if (type === 'spki' && isPublic !== false) return type;
	if (type === 'pkcs8' && isPublic !== true) return type;
	if (type === 'sec1' && isPublic !== true) {
		if (kind !== undefined && kind !== 'ec') throw incompatible(type, 'can only be used for EC keys');
		return type;
	}
	throw invalidValue(name, type);
}

/** @throws ERR_INVALID_ARG_VALUE, ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS */
export function keyEncoding(options: object, purpose: Purpose): KeyEncoding {
	const field = (name: string): unknown => Reflect.get(options, name);
	const isInput = purpose.kind === undefined;
	const format = formatOf(field('format'), isInput, named('format', purpose.name));
	const isRequired = (!isInput || format === 'der') && format !== 'jwk';
	const type = typeOf(field('type'), isRequired, purpose, named('type', purpose.name));
	if (purpose.isPublic === true) return { format, type };
	const { cipher, passphrase, encoding } = options as Record<'cipher' | 'passphrase' | 'encoding', unknown>;
	if (!isInput && format === 'jwk' && (cipher !== undefined || passphrase !== undefined)) {
		throw incompatible(format, 'does not support encryption');
	}
	const isEncrypted = !isInput && cipher !== undefined && cipher !== null;
	if (isEncrypted) {
		if (typeof cipher !== 'string') throw invalidValue(named('cipher', purpose.name), cipher);
		if (format === 'der' && type !== 'pkcs8') throw incompatible(type, 'does not support encryption');
	} else if (!isInput && passphrase !== undefined) {
		throw invalidValue(named('cipher', purpose.name), cipher);
	}
	const secret = bytesOrNull(passphrase, encoding as string | undefined);
	if (secret === null && (isEncrypted || (isInput && passphrase !== undefined))) {
		throw invalidValue(named('passphrase', purpose.name), passphrase);
	}
	return {
		format,
		type,
		cipher: isEncrypted ? (cipher as string) : undefined,
		passphrase: secret ?? undefined
	};
}

/** Options of `KeyObject.export`. @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE */
export function exportEncoding(options: unknown, kind: string, isPublic: boolean): KeyEncoding {
	plainObject(options, 'options');
	return keyEncoding(options as object, { kind, isPublic });
}
