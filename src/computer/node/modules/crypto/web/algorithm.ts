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
	/** @param length in bytes */
	derive?(key: CryptoKey, parameters: Parameters, length: number): Uint8Array;
}
