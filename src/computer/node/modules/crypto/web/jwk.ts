import { Buffer } from 'buffer';
import type { Algorithm } from './algorithm.ts';
import type { CryptoKey, Usage } from './crypto-key.ts';
import { secretOf } from './crypto-key.ts';

interface SecretJwk {
	kty: 'oct';
	k: string;
	alg?: string;
	key_ops: Usage[];
	ext: boolean;
}

/** A secret key as JSON Web Key, RFC 7517. */
export function toJwk(key: CryptoKey, { jwkName }: Algorithm): SecretJwk {
	const k = Buffer.from(secretOf(key)).toString('base64').replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
	return { key_ops: [...key.usages], ext: key.extractable, kty: 'oct', k, alg: jwkName?.(key.algorithm) };
}

/**
 * The bytes of a secret JSON Web Key.
 * @param given of a program: anything
 * @throws DataError where it is no such key, or is not for this
 */
export function fromJwk(given: unknown, isExtractable: boolean, usages: readonly Usage[]): Uint8Array {
	const field = (name: string): unknown =>
		typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
	const [kty, k] = [field('kty'), field('k')];
	if (kty !== 'oct' || typeof k !== 'string') throw dataError('Invalid keyData');
	checkJwkUse(given, isExtractable, usages);
	if (!/^[\w-]*$/.test(k)) throw dataError('Invalid keyData');
	return new Uint8Array(Buffer.from(k.replaceAll('-', '+').replaceAll('_', '/'), 'base64'));
}

/** @throws DataError where the key says that it is not for this */
export function checkJwkUse(given: unknown, isExtractable: boolean, usages: readonly Usage[]): void {
	const { ext, key_ops: operations } = Object(given) as { ext?: unknown; key_ops?: unknown };
	if (ext === false && isExtractable) throw dataError('JWK "ext" Parameter and extractable mismatch');
	if (Array.isArray(operations) && usages.some((usage) => !operations.includes(usage))) {
		throw dataError('Key operations and usage mismatch');
	}
}

/** @throws DataError where the key names another algorithm than it is imported for */
export function checkJwkName(given: unknown, ...names: (string | undefined)[]): void {
	const alg: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'alg') : undefined;
	if (alg !== undefined && !names.some((name) => name === alg))
		throw dataError('JWK "alg" does not match the requested algorithm');
}

export const dataError = (message: string): DOMException => new DOMException(message, 'DataError');
