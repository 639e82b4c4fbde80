import { aeskw, cbc, ctr, gcm } from '@noble/ciphers/aes.js';
import { fromBytes } from '../big-integers.ts';
import type { Algorithm } from './algorithm.ts';
import { secretOf, type CryptoKey } from './crypto-key.ts';
import { notSupported, operationError, type Parameters } from './parameters.ts';

const BLOCK = 16;

function aes(mode: string, own: Pick<Algorithm, 'encrypt' | 'decrypt'>): Algorithm {
	const name = `AES-${mode}`;
	return {
		usages: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'],
		isExportable: true,
		describe(_parameters, secret) {
			if (![16, 24, 32].includes(secret.length)) throw new DOMException('Invalid key length', 'DataError');
			return { name, length: secret.length * 8 };
		},
		length(parameters) {
			const length = parameters.number('length');
			if (![128, 192, 256].includes(length)) throw operationError('Invalid key length');
			return length;
		},
		jwkName: ({ length }) => `A${length}${mode}`,
		...own
	};
}

export const aesCbc = aes('CBC', {
	encrypt: (key, parameters, data) => cbc(secretOf(key), block(parameters, 'iv')).encrypt(data),
	decrypt: (key, parameters, data) => whole(() => cbc(secretOf(key), block(parameters, 'iv')).decrypt(data))
});

/** Only wraps keys (RFC 3394). */
export const aesKw: Algorithm = {
	...aes('KW', {}),
	usages: ['wrapKey', 'unwrapKey'],
	wrap(key, data) {
		if (data.length < BLOCK || data.length % 8 !== 0)
			throw operationError('The key has a length that cannot be wrapped.');
		return aeskw(secretOf(key)).encrypt(data);
	},
	unwrap: (key, data) => whole(() => aeskw(secretOf(key)).decrypt(data))
};

export const aesCtr = aes('CTR', { encrypt: counted, decrypt: counted });

export const aesGcm = aes('GCM', {
	encrypt(key, parameters, data) {
		const size = tagBytes(parameters);
		const sealed = gcmFor(key, parameters).encrypt(data);
		return sealed.subarray(0, data.length + size);
	},
	decrypt(key, parameters, data) {
		const size = tagBytes(parameters);
		if (data.length < size) throw operationError('The provided data is too small.');
		if (size === BLOCK) return whole(() => gcmFor(key, parameters).decrypt(data));
		// A short tag is a prefix of the long one, so it is verified by encrypting again.
		const body = data.subarray(0, data.length - size);
		const plain = gcmFor(key, parameters).encrypt(body).slice(0, body.length);
		const sealed = gcmFor(key, parameters).encrypt(plain).subarray(0, data.length);
		if (sealed.reduce((difference, byte, at) => difference | (byte ^ (data[at] ?? 0)), 0) !== 0) throw failed();
		return plain;
	}
});

function gcmFor(key: CryptoKey, parameters: Parameters) {
	const associated = parameters.has('additionalData') ? parameters.bytes('additionalData') : undefined;
	const iv = parameters.bytes('iv');
	if (iv.length === 0) throw operationError('The initialization vector is empty.');
	if (iv.length < 8) throw notSupported('An AES-GCM nonce of less than 8 bytes');
	return gcm(secretOf(key), iv, associated);
}

function tagBytes(parameters: Parameters): number {
	const bits = parameters.has('tagLength') ? parameters.number('tagLength') : 128;
	if (![32, 64, 96, 104, 112, 120, 128].includes(bits)) {
		throw operationError(`${bits} is not a valid AES-GCM tag length`);
	}
	return bits / 8;
}

/** The counter is the last `length` bits of its block, and wraps to 0 without carry into the others. */
function counted(key: CryptoKey, parameters: Parameters, data: Uint8Array): Uint8Array {
	const counter = block(parameters, 'counter');
	const length = parameters.number('length');
	if (length === 0 || length > 128) throw operationError('AES-CTR algorithm.length must be between 1 and 128');
	const range = 1n << BigInt(length);
	const start = fromBytes(counter);
	const blocksLeft = range - (start % range);
	const blocks = BigInt(Math.ceil(data.length / BLOCK));
	if (blocks > range) throw operationError('The counter would come round to where it began.');
	if (blocks <= blocksLeft) return ctr(secretOf(key), counter).encrypt(data);
	const until = Number(blocksLeft) * BLOCK;
	const result = new Uint8Array(data.length);
	result.set(ctr(secretOf(key), counter).encrypt(data.subarray(0, until)));
	result.set(ctr(secretOf(key), bytesOf(start - (start % range))).encrypt(data.subarray(until)), until);
	return result;
}

function bytesOf(value: bigint): Uint8Array {
	const bytes = new Uint8Array(BLOCK);
	for (let at = BLOCK - 1, rest = value; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 0xffn);
	return bytes;
}

function block(parameters: Parameters, field: string): Uint8Array {
	const bytes = parameters.bytes(field);
	if (bytes.length !== BLOCK) throw operationError(`${parameters.name}: '${field}' must contain exactly 16 bytes`);
	return bytes;
}

/** Uses one error for all faults of the data, so that it reveals nothing about the key. */
function whole(decrypt: () => Uint8Array): Uint8Array {
	try {
		return decrypt();
	} catch (error) {
		if (error instanceof DOMException || error instanceof TypeError) throw error;
		throw failed();
	}
}

const failed = (): DOMException => operationError('The operation failed for an operation-specific reason');
