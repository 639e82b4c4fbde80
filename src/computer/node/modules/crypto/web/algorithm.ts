import type { KeyMaterial } from '../asymmetric/part/material.ts';
import type { SignatureOptions } from '../asymmetric/signatures.ts';
import type { CryptoKey, KeyAlgorithm, Usage } from './crypto-key.ts';
import type { Parameters } from './parameters.ts';

/** One algorithm with a secret key: missing members are unsupported operations. Bytes in, bytes out. */
export interface Algorithm {
	usages: readonly Usage[];
	/** Describes a key of these bytes. @throws DataError for invalid keys */
	describe(parameters: Parameters, secret: Uint8Array): KeyAlgorithm;
	/** Bits of a new key, or of one that is derived; `null` for whatever comes. @throws OperationError for a wrong length */
	length?(parameters: Parameters): number | null;
	/** Keys can be made, and given out. */
	isExportable: boolean;
	/** `alg` of such a key as JSON Web Key. */
	jwkName?(algorithm: KeyAlgorithm): string;
	sign?(key: CryptoKey, data: Uint8Array): Uint8Array;
	encrypt?(key: CryptoKey, parameters: Parameters, data: Uint8Array): Uint8Array;
	/** @throws OperationError for data that this key has not made */
	decrypt?(key: CryptoKey, parameters: Parameters, data: Uint8Array): Uint8Array;
	/** Wraps the bytes of a key, where that is no encryption of data. */
	wrap?(key: CryptoKey, data: Uint8Array): Uint8Array;
	/** @throws OperationError for what this key has not wrapped */
	unwrap?(key: CryptoKey, data: Uint8Array): Uint8Array;
	/** @param length in bytes */
	derive?(key: CryptoKey, parameters: Parameters, length: number): Uint8Array;
}

/** One algorithm with key pairs: missing members are unsupported operations. */
export interface PairAlgorithm {
	publicUsages: readonly Usage[];
	privateUsages: readonly Usage[];
	/** @throws OperationError, NotSupportedError for parameters that make no key */
	generate(parameters: Parameters): KeyMaterial;
	/** Describes a key. @throws DataError for one of another kind */
	describe(parameters: Parameters, key: KeyMaterial): KeyAlgorithm;
	/** A public key from its bytes alone. @throws DataError */
	fromRaw?(parameters: Parameters, bytes: Uint8Array): KeyMaterial;
	/** Names that `alg` of a JSON Web Key may have; the first is written. */
	jwkNames?(algorithm: KeyAlgorithm): string[];
	/** Settings of a signature of this key with these parameters. */
	signature?(algorithm: KeyAlgorithm, parameters: Parameters): { hash: string | null; options: SignatureOptions };
	encrypt?(key: CryptoKey, parameters: Parameters, data: Uint8Array): Uint8Array;
	/** @throws OperationError for data that the public key has not encrypted */
	decrypt?(key: CryptoKey, parameters: Parameters, data: Uint8Array): Uint8Array;
	/** All bytes that both sides share. @throws InvalidAccessError, OperationError */
	agree?(key: CryptoKey, parameters: Parameters): Uint8Array;
}
