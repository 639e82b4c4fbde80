import { fromJwk, type Jwk, toJwk } from '../asymmetric/jwk.ts';
import { asymmetric } from '../asymmetric/load.ts';
import { type KeyMaterial, publicHalf } from '../asymmetric/part/material.ts';
import type { PairAlgorithm } from './algorithm.ts';
import { checkUsages, CryptoKey, pairKeyOf } from './crypto-key.ts';
import { checkJwkName, checkJwkUse, dataError } from './jwk.ts';
import { copyOf, notSupported, type Parameters } from './parameters.ts';

/** @throws DataError for an invalid key */
function reading(run: () => KeyMaterial): KeyMaterial {
	try {
		return run();
	} catch (error) {
		const isData = error instanceof asymmetric().KeyDataError || (error instanceof Error && 'code' in error);
		throw isData && !(error instanceof DOMException) ? dataError('Invalid keyData') : error;
	}
}

function keyIn(format: unknown, data: unknown, algorithm: PairAlgorithm, parameters: Parameters): KeyMaterial {
	const { fromRaw } = algorithm;
	if (format === 'jwk') return fromJwk(data, Reflect.get(Object(data), 'd') === undefined);
	const bytes = copyOf(data, 'The key');
	if (format === 'spki') return asymmetric().readSpki(bytes);
	if (format === 'pkcs8') return asymmetric().readPkcs8(bytes);
	if (format === 'raw' && fromRaw) return fromRaw(parameters, bytes);
	throw notSupported(`importKey of ${parameters.name} as "${String(format)}"`);
}

/** @throws DataError, NotSupportedError, SyntaxError, TypeError */
export function importPairKey(
	format: unknown,
	data: unknown,
	algorithm: PairAlgorithm,
	parameters: Parameters,
	isExtractable: boolean,
	usages: unknown
): CryptoKey {
	const key = reading(() => keyIn(format, data, algorithm, parameters));
	const isPublic = key.secret === undefined;
	const allowed = checkUsages(usages, isPublic ? algorithm.publicUsages : algorithm.privateUsages, isPublic);
	const described = algorithm.describe(parameters, key);
	if (format === 'jwk') {
		checkJwkUse(data, isExtractable, allowed);
		if (algorithm.jwkNames) checkJwkName(data, ...algorithm.jwkNames(described));
	}
	return new CryptoKey(key, described, isExtractable, allowed);
}

/** Exports the key in a format. @throws InvalidAccessError, NotSupportedError */
export function exportPairKey(format: unknown, key: CryptoKey, algorithm: PairAlgorithm): Uint8Array | object {
	const material = pairKeyOf(key);
	const isPublic = key.type === 'public';
	if (format === 'jwk') {
		const jwk: Jwk = toJwk(material);
		const alg = algorithm.jwkNames?.(key.algorithm)[0];
		return { key_ops: [...key.usages], ext: key.extractable, ...jwk, ...(alg === undefined ? {} : { alg }) };
	}
	const isFitting = format === 'pkcs8' ? !isPublic : isPublic;
	if (!isFitting)
		throw new DOMException(`Unable to export a ${key.type} key as "${String(format)}"`, 'InvalidAccessError');
	if (format === 'spki') return asymmetric().writeSpki(material);
	if (format === 'pkcs8') return asymmetric().writePkcs8(material);
	if (format === 'raw' && 'point' in material) return material.point;
	throw notSupported(`exportKey of ${key.algorithm.name} as "${String(format)}"`);
}

/** Generates a key pair. @throws OperationError, NotSupportedError, SyntaxError */
export function generatePair(
	algorithm: PairAlgorithm,
	parameters: Parameters,
	isExtractable: boolean,
	usages: unknown
): { publicKey: CryptoKey; privateKey: CryptoKey } {
	const { publicUsages, privateUsages } = algorithm;
	const all = checkUsages(usages, [...publicUsages, ...privateUsages]);
	const own = all.filter((usage) => privateUsages.includes(usage));
	if (own.length === 0) throw new DOMException('Usages cannot be empty when creating a key.', 'SyntaxError');
	const key = algorithm.generate(parameters);
	const described = algorithm.describe(parameters, key);
	const shared = all.filter((usage) => publicUsages.includes(usage));
	return {
		publicKey: new CryptoKey(publicHalf(key), described, true, shared),
		privateKey: new CryptoKey(key, described, isExtractable, own)
	};
}
