import { hkdf as runHkdf } from '@noble/hashes/hkdf.js';
import { pbkdf2 as runPbkdf2 } from '@noble/hashes/pbkdf2.js';
import type { Algorithm } from './algorithm.ts';
import { secretOf } from './crypto-key.ts';
import { operationError } from './parameters.ts';

function derivation(name: string, derive: NonNullable<Algorithm['derive']>): Algorithm {
	return {
		usages: ['deriveKey', 'deriveBits'],
		isExportable: false,
		describe: () => ({ name }),
		length: () => null,
		derive
	};
}

export const pbkdf2 = derivation('PBKDF2', (key, parameters, length) => {
	const iterations = parameters.number('iterations');
	if (iterations === 0) throw operationError('iterations cannot be zero');
	const salt = parameters.bytes('salt');
	return length === 0
		? new Uint8Array(0)
		: runPbkdf2(parameters.hash.run, secretOf(key), salt, { c: iterations, dkLen: length });
});

export const hkdf = derivation('HKDF', (key, parameters, length) => {
	const { run } = parameters.hash;
	if (length > 255 * run.outputLen) throw operationError('The length is more than HKDF can give.');
	const [salt, info] = [parameters.bytes('salt'), parameters.bytes('info')];
	return length === 0 ? new Uint8Array(0) : runHkdf(run, secretOf(key), salt, info, length);
});
