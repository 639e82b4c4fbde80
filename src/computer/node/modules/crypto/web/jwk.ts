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

/** Exports a secret key as JSON Web Key, RFC 7517. */
export function toJwk(key: CryptoKey, { jwkName }: Algorithm): SecretJwk {
	const k = Buffer.from(secretOf(key)).toString('base64').replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
	return { key_ops: [...key.usages], ext: key.extractable, kty: 'oct', k, alg: jwkName?.(key.algorithm) };
}

/**
 * Parses the bytes of a secret JSON Web Key.
 * @param given any value, from a program
 * @throws DataError if it is not such a key, or not for this use
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

/** @throws DataError if the key is not for this use */
export function checkJwkUse(given: unknown, isExtractable: boolean, usages: readonly Usage[]): void {
	const { ext, key_ops: operations } = Object(given) as { ext?: unknown; key_ops?: unknown };
	if (ext === false && isExtractable) throw dataError('JWK "ext" Parameter and extractable mismatch');
	if (Array.isArray(operations) && usages.some((usage) => !operations.includes(usage))) {
		throw dataError('Key operations and usage mismatch');
	}
}

/** @throws DataError if the key is for another algorithm than requested */
export function checkJwkName(given: unknown, ...names: (string | undefined)[]): void {
	const alg: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'alg') : undefined;
	if (alg !== undefined && !names.some((name) => name === alg))
		throw dataError('JWK "alg" does not match the requested algorithm');
}

export const dataError = (message: string): DOMException => new DOMException(message, 'DataError');
