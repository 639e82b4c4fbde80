import { hmac as run } from '@noble/hashes/hmac.js';
import type { Algorithm } from './algorithm.ts';
import { secretOf } from './crypto-key.ts';
import { hashNamed, operationError, type Parameters } from './parameters.ts';

export const hmac: Algorithm = {
	usages: ['sign', 'verify'],
	isExportable: true,
	describe(parameters, secret) {
		const bits = secret.length * 8;
		if (bits === 0) throw new DOMException('Zero-length key is not supported', 'DataError');
		const length = parameters.has('length') ? parameters.number('length') : bits;
		if (length > bits || length <= bits - 8) throw new DOMException('Invalid key length', 'DataError');
		return { name: 'HMAC', hash: { name: parameters.hash.name }, length };
	},
	length(parameters: Parameters) {
		if (!parameters.has('length')) return parameters.hash.run.blockLen * 8;
		const length = parameters.number('length');
		if (length === 0) throw operationError('Zero-length key is not supported');
		return length;
	},
	jwkName: ({ hash }) => (hash?.name ?? '').replace('SHA-', 'HS'),
	sign: (key, data) => run(hashNamed(key.algorithm.hash?.name ?? '').run, secretOf(key), data)
};
