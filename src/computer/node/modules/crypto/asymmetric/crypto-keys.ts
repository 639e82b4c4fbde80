import { invalidArgument } from '../../../runtime/errors.ts';
import { type KeyObject, SecretKeyObject } from '../keys.ts';
import { CryptoKey, materialIn, secretOf } from '../web/crypto-key.ts';
import { PrivateKeyObject, PublicKeyObject } from './key-objects.ts';

/** `KeyObject.from`: converts a key of Web Crypto. @throws ERR_INVALID_ARG_TYPE */
export function keyObjectFrom(key: unknown): KeyObject {
	if (!(key instanceof CryptoKey)) throw invalidArgument('key', 'an instance of CryptoKey', key);
	const material = materialIn(key);
	if (!material) return new SecretKeyObject(secretOf(key));
	return material.secret === undefined ? new PublicKeyObject(material) : new PrivateKeyObject(material);
}
