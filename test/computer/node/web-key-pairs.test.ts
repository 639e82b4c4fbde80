import { webcrypto } from 'node:crypto';
import { expect, it } from 'vitest';
import { SubtleCrypto } from '#computer/node/modules/crypto/web/subtle.ts';

type Subtle = webcrypto.SubtleCrypto;
type Parameters = { name: string; [field: string]: unknown };

const ours = new SubtleCrypto() as unknown as Subtle;
const native = webcrypto.subtle;
const DATA = new TextEncoder().encode('what is signed, and some more');
const EXPONENT = new Uint8Array([1, 0, 1]);
const rsa = (name: string, hash: string) => ({ name, modulusLength: 1024, publicExponent: EXPONENT, hash });
const hex = (bytes: ArrayBuffer | Uint8Array) => Buffer.from(bytes as ArrayBuffer).toString('hex');

/** Makes a pair natively or with the other implementation. The types do not know `Ed25519`. */
async function pairOf(subtle: Subtle, parameters: Parameters, usages: string[]): Promise<webcrypto.CryptoKeyPair> {
	return subtle.generateKey(
		parameters as unknown as webcrypto.RsaHashedKeyGenParams,
		true,
		usages as ['sign']
	) as unknown as webcrypto.CryptoKeyPair;
}

/** Copies a key to the other implementation. */
async function moved(from: Subtle, to: Subtle, key: webcrypto.CryptoKey, format: 'spki' | 'pkcs8' | 'jwk') {
	const data = await from.exportKey(format as 'jwk', key);
	return to.importKey(format as 'jwk', data, algorithmOf(key), true, key.usages);
}

const algorithmOf = (key: webcrypto.CryptoKey) => key.algorithm as unknown as webcrypto.RsaHashedImportParams;

const SIGNING: Record<string, [generate: Parameters, sign: Parameters]> = {
	'RSASSA-PKCS1-v1_5': [rsa('RSASSA-PKCS1-v1_5', 'SHA-256'), { name: 'RSASSA-PKCS1-v1_5' }],
	'RSA-PSS': [rsa('RSA-PSS', 'SHA-384'), { name: 'RSA-PSS', saltLength: 48 }],
	'P-256': [
		{ name: 'ECDSA', namedCurve: 'P-256' },
		{ name: 'ECDSA', hash: 'SHA-256' }
	],
	'P-384': [
		{ name: 'ECDSA', namedCurve: 'P-384' },
		{ name: 'ECDSA', hash: 'SHA-512' }
	],
	'P-521': [
		{ name: 'ECDSA', namedCurve: 'P-521' },
		{ name: 'ECDSA', hash: { name: 'SHA-1' } }
	],
	Ed25519: [{ name: 'Ed25519' }, { name: 'Ed25519' }],
	Ed448: [{ name: 'Ed448' }, { name: 'Ed448' }]
};

it.each(Object.entries(SIGNING))('signs with %s as Node does', async (_name, [generate, parameters]) => {
	const algorithm = parameters as unknown as webcrypto.AlgorithmIdentifier;
	for (const [from, to] of [
		[native, ours],
		[ours, native]
	] as const) {
		const { publicKey, privateKey } = await pairOf(from, generate, ['sign', 'verify']);
		const [own, other] = [await moved(from, to, publicKey, 'spki'), await moved(from, to, privateKey, 'pkcs8')];
		const facts = ({ type, extractable, usages, algorithm }: webcrypto.CryptoKey) => ({
			type,
			extractable,
			usages,
			algorithm
		});
		expect(facts(own)).toEqual(facts(publicKey));
		expect(facts(other)).toEqual(facts(privateKey));
		const signature = new Uint8Array(await from.sign(algorithm, privateKey, DATA));
		expect(await to.verify(algorithm, own, signature, DATA)).toBe(true);
		expect(await from.verify(algorithm, publicKey, await to.sign(algorithm, other, DATA), DATA)).toBe(true);
		signature[signature.length - 1]! ^= 1;
		expect(await to.verify(algorithm, own, signature, DATA)).toBe(false);
		for (const [key, format] of [
			[publicKey, 'spki'],
			[privateKey, 'pkcs8']
		] as const) {
			const again = await moved(from, to, key, 'jwk');
			expect(hex(await to.exportKey(format, again))).toBe(hex(await from.exportKey(format, key)));
			expect(await to.exportKey('jwk', again)).toEqual(await from.exportKey('jwk', key));
		}
		if (!generate.name.startsWith('RSA')) {
			const raw = await from.exportKey('raw', publicKey);
			const key = await to.importKey('raw', raw, algorithmOf(publicKey), true, ['verify']);
			expect(hex(await to.exportKey('raw', key))).toBe(hex(raw));
		}
	}
});

it.each(['P-256', 'P-384', 'P-521', 'X25519', 'X448'])('agrees on a secret by %s as Node does', async (curve) => {
	const parameters = curve.startsWith('X') ? { name: curve } : { name: 'ECDH', namedCurve: curve };
	const [alice, bob] = [
		await pairOf(native, parameters, ['deriveBits']),
		await pairOf(ours, parameters, ['deriveBits'])
	];
	const derive = (subtle: Subtle, key: webcrypto.CryptoKey, other: webcrypto.CryptoKey, bits: number | null) =>
		subtle.deriveBits({ name: parameters.name, public: other } as webcrypto.EcdhKeyDeriveParams, key, bits as number);
	const [hers, his] = [
		await moved(native, ours, alice.publicKey, 'spki'),
		await moved(ours, native, bob.publicKey, 'spki')
	];
	for (const bits of [null, 128]) {
		expect(hex(await derive(ours, bob.privateKey, hers, bits))).toBe(
			hex(await derive(native, alice.privateKey, his, bits))
		);
	}
});

it.each(['SHA-1', 'SHA-256'])('encrypts by RSA-OAEP with %s as Node does', async (hash) => {
	const { publicKey, privateKey } = await pairOf(native, rsa('RSA-OAEP', hash), ['encrypt', 'decrypt']);
	const [own, other] = [await moved(native, ours, publicKey, 'jwk'), await moved(native, ours, privateKey, 'pkcs8')];
	const parameters = { name: 'RSA-OAEP', label: DATA.slice(0, 4) };
	expect(hex(await ours.decrypt(parameters, other, await native.encrypt(parameters, publicKey, DATA)))).toBe(hex(DATA));
	expect(hex(await native.decrypt(parameters, privateKey, await ours.encrypt(parameters, own, DATA)))).toBe(hex(DATA));
	const failed = await ours.decrypt('RSA-OAEP', other, new Uint8Array(128)).catch((error: Error) => error.name);
	expect(failed).toBe('OperationError');
});

it('wraps keys as Node does', async () => {
	const secret = DATA.slice(0, 16);
	const use: webcrypto.KeyUsage[] = ['wrapKey', 'unwrapKey'];
	const wrapped: string[] = [];
	for (const subtle of [native, ours]) {
		const kek = await subtle.importKey('raw', new Uint8Array(16), 'AES-KW', false, use);
		const key = await subtle.importKey('raw', secret, 'AES-GCM', true, ['encrypt']);
		const bytes = await subtle.wrapKey('raw', key, kek, 'AES-KW');
		wrapped.push(hex(bytes));
		const again = await subtle.unwrapKey('raw', bytes, kek, 'AES-KW', 'AES-GCM', true, ['encrypt']);
		expect(hex(await subtle.exportKey('raw', again))).toBe(hex(secret));
		const broken = new Uint8Array(bytes);
		broken[0]! ^= 1;
		const unwrap = subtle.unwrapKey('raw', broken, kek, 'AES-KW', 'AES-GCM', true, ['encrypt']);
		expect(await unwrap.catch((error: Error) => error.name)).toBe('OperationError');
		const gcm = await subtle.importKey('raw', secret, 'AES-GCM', false, use);
		const sealed = await subtle.wrapKey('jwk', key, gcm, { name: 'AES-GCM', iv: new Uint8Array(12) });
		const parameters = { name: 'AES-GCM', iv: new Uint8Array(12) };
		const opened = await subtle.unwrapKey('jwk', sealed, gcm, parameters, 'AES-GCM', true, ['encrypt']);
		expect(hex(await subtle.exportKey('raw', opened))).toBe(hex(secret));
	}
	expect(wrapped[0]).toBe(wrapped[1]);
});

const P256 = { name: 'ECDSA', namedCurve: 'P-256' };

/** Operations that are not allowed: both refuse them with the same error name. */
const REFUSED: Record<string, (subtle: Subtle) => Promise<unknown>> = {
	'no usages': (subtle) => pairOf(subtle, P256, []),
	'usages of the public key alone': (subtle) => pairOf(subtle, P256, ['verify']),
	'usages of another kind': (subtle) => pairOf(subtle, P256, ['encrypt']),
	'an unknown curve': (subtle) => pairOf(subtle, { name: 'ECDSA', namedCurve: 'P-1' }, ['sign']),
	'bytes that are no key': (subtle) => subtle.importKey('spki', DATA, P256, true, ['verify']),
	'a point off the curve': (subtle) => subtle.importKey('raw', new Uint8Array(65).fill(4), P256, true, ['verify']),
	'a key of another curve': async (subtle) => {
		const { publicKey } = await pairOf(subtle, { name: 'ECDSA', namedCurve: 'P-384' }, ['sign', 'verify']);
		return subtle.importKey('spki', await subtle.exportKey('spki', publicKey), P256, true, ['verify']);
	},
	'signing with a public key': async (subtle) => {
		const { publicKey } = await pairOf(subtle, P256, ['sign', 'verify']);
		return subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, publicKey, DATA);
	},
	'another algorithm than the key’s': async (subtle) => {
		const { privateKey } = await pairOf(subtle, P256, ['sign', 'verify']);
		return subtle.sign('Ed25519', privateKey, DATA);
	},
	'a public key as pkcs8': async (subtle) => {
		const { publicKey } = await pairOf(subtle, P256, ['sign', 'verify']);
		return subtle.exportKey('pkcs8', publicKey);
	},
	'a key that stays': async (subtle) => {
		const pair = (await subtle.generateKey(P256, false, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
		return subtle.exportKey('pkcs8', pair.privateKey);
	},
	'a JWK for another use': async (subtle) => {
		const { publicKey } = await pairOf(subtle, P256, ['sign', 'verify']);
		const jwk = { ...(await subtle.exportKey('jwk', publicKey)), key_ops: ['sign'] };
		return subtle.importKey('jwk', jwk, P256, true, ['verify']);
	}
};

it.each(Object.entries(REFUSED))('refuses %s as Node does', async (_name, run) => {
	const nameOf = async (subtle: Subtle) => {
		const error: unknown = await run(subtle).catch((reason: unknown) => reason);
		return error instanceof Error ? error.name.replace(/Exception$/, 'Error') : 'no error';
	};
	expect(await nameOf(ours)).toBe(await nameOf(native));
});
