import type { KeyMaterial } from '../asymmetric/part/material.ts';
import type { SignatureOptions } from '../asymmetric/signatures.ts';
import type { CryptoKey, KeyAlgorithm, Usage } from './crypto-key.ts';
import type { Parameters } from './parameters.ts';

/** Algorithm with a secret key: missing members are unsupported operations. Bytes in, bytes out. */
export interface Algorithm {
	usages: readonly Usage[];
	/** Describes a key with these bytes. @throws DataError for invalid keys */
	describe(parameters: Parameters, secret: Uint8Array): KeyAlgorithm;
	/**
	 * Size of a generated or derived key in bits; `null` if any size is allowed.
	 * @throws OperationError for a wrong length
	 */
	length?(parameters: Parameters): number | null;
	/** Set if keys can be generated and exported. */
	isExportable: boolean;
	/** `alg` of such a key in a JSON Web Key. */
	jwkName?(algorithm: KeyAlgorithm): string;
	sign?(key: CryptoKey, data: Uint8Array): Uint8Array;
	encrypt?(key: CryptoKey, parameters: Parameters, data: Uint8Array): Uint8Array;
	/** @throws OperationError for data not encrypted with this key */
	decrypt?(key: CryptoKey, parameters: Parameters, data: Uint8Array): Uint8Array;
	/** Wraps the bytes of a key, if that differs from encrypting data. */
	wrap?(key: CryptoKey, data: Uint8Array): Uint8Array;
	/** @throws OperationError for data not wrapped with this key */
	unwrap?(key: CryptoKey, data: Uint8Array): Uint8Array;
	/** @param length in bytes */
	derive?(key: CryptoKey, parameters: Parameters, length: number): Uint8Array;
}

/** Algorithm with key pairs: missing members are unsupported operations. */
export interface PairAlgorithm {
	publicUsages: readonly Usage[];
	privateUsages: readonly Usage[];
	/** @throws OperationError, NotSupportedError for invalid parameters */
	generate(parameters: Parameters): KeyMaterial;
	/** Describes a key. @throws DataError for another kind of key */
	describe(parameters: Parameters, key: KeyMaterial): KeyAlgorithm;
	/** Creates a public key from raw bytes. @throws DataError */
	fromRaw?(parameters: Parameters, bytes: Uint8Array): KeyMaterial;
	/** Accepted values of `alg` in a JSON Web Key; the first one is written. */
	jwkNames?(algorithm: KeyAlgorithm): string[];
	/** Settings of a signature with this key and these parameters. */
	signature?(algorithm: KeyAlgorithm, parameters: Parameters): { hash: string | null; options: SignatureOptions };
	encrypt?(key: CryptoKey, parameters: Parameters, data: Uint8Array): Uint8Array;
	/** @throws OperationError for data not encrypted with the public key */
	decrypt?(key: CryptoKey, parameters: Parameters, data: Uint8Array): Uint8Array;
	/** Derives all shared bytes. @throws InvalidAccessError, OperationError */
	agree?(key: CryptoKey, parameters: Parameters): Uint8Array;
}
