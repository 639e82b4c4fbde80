import { callable } from '../../callable.ts';
import { KeyObject } from '../keys.ts';
import { diffieHellman, ECDH } from './agreement.ts';
import { generateKeyPair, generateKeyPairSync } from './generation.ts';
import { keyObjectFrom } from './crypto-keys.ts';
import { createPrivateKey, createPublicKey } from './key-input.ts';
import { asymmetric } from './load.ts';
import { rsaCalls } from './rsa-encryption.ts';
import { Sign, sign, Verify, verify } from './sign-streams.ts';

Object.defineProperty(KeyObject, 'from', { value: keyObjectFrom, writable: true, configurable: true });

/** Functions of `node:crypto` for asymmetric keys. */
export const keyPairCalls = {
	createPrivateKey,
	createPublicKey,
	generateKeyPair,
	generateKeyPairSync,
	Sign: callable(Sign),
	Verify: callable(Verify),
	createSign: (name: unknown, options?: object) => new Sign(name, options),
	createVerify: (name: unknown, options?: object) => new Verify(name, options),
	sign,
	verify,
	...rsaCalls,
	diffieHellman,
	ECDH: callable(ECDH),
	createECDH: (curve: unknown) => new ECDH(curve),
	getCurves: () => Object.keys(asymmetric().CURVES)
};
