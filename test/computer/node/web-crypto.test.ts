import { webcrypto } from 'node:crypto';
import fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { SubtleCrypto } from '#computer/node/modules/crypto/web/subtle.ts';

type Subtle = webcrypto.SubtleCrypto;
type Name = string | { name: string; [field: string]: unknown };

const ours = new SubtleCrypto() as unknown as Subtle;
const native = webcrypto.subtle;

const bytes = (length: number, start = 1) => Uint8Array.from({ length }, (_, at) => (at * 7 + start) & 255);
const KEY = bytes(32);
const DATA = bytes(45, 9);

/** Result of an operation, or the name of its error: everything a program can distinguish. */
async function outcome(run: (subtle: Subtle) => Promise<unknown>, subtle: Subtle): Promise<unknown> {
	try {
		const result = await run(subtle);
		return result instanceof ArrayBuffer ? Buffer.from(result).toString('hex') : result;
	} catch (error) {
		// Node 20 uses another name for one of them.
		return error instanceof Error ? `throws ${error.name.replace(/Exception$/, 'Error')}` : error;
	}
}

const imported = (subtle: Subtle, algorithm: Name, usages: webcrypto.KeyUsage[], secret = KEY) =>
	subtle.importKey('raw', secret, algorithm as webcrypto.AlgorithmIdentifier, true, usages);

function sealing(algorithm: Exclude<Name, string>, secret = KEY, data = DATA) {
	return async (subtle: Subtle) => {
		const key = await imported(subtle, algorithm.name, ['encrypt', 'decrypt'], secret);
		const sealed = await subtle.encrypt(algorithm, key, data);
		const opened = Buffer.from(await subtle.decrypt(algorithm, key, sealed)).equals(data);
		const broken = new Uint8Array(sealed.slice(0));
		broken[broken.length - 1]! ^= 1;
		return [
			Buffer.from(sealed).toString('hex'),
			opened,
			await outcome(() => subtle.decrypt(algorithm, key, broken), subtle)
		];
	};
}

const derive = (algorithm: Exclude<Name, string>, length: number) => async (subtle: Subtle) =>
	subtle.deriveBits(
		algorithm,
		await imported(subtle, algorithm.name, ['deriveBits'], bytes(9)).catch(() =>
			subtle.importKey('raw', bytes(9), algorithm.name, false, ['deriveBits'])
		),
		length
	);

const facts = ({ type, algorithm, extractable, usages }: webcrypto.CryptoKey) => ({
	type,
	algorithm,
	extractable,
	usages
});
const hmac = (hash: string) => ({ name: 'HMAC', hash });
const gcm = (extra: object = {}) => ({ name: 'AES-GCM', iv: bytes(12), ...extra });
const ctr = (counter: Uint8Array, length: number) => ({ name: 'AES-CTR', counter, length });
const pbkdf2 = (extra: object = {}) => ({ name: 'PBKDF2', hash: 'SHA-256', salt: bytes(8), iterations: 3, ...extra });
const hkdf = (hash: string) => ({ name: 'HKDF', hash, salt: bytes(5), info: bytes(3) });

const CASES: Record<string, (subtle: Subtle) => Promise<unknown>> = {
	...Object.fromEntries(
		['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'sha-256'].map((name) => [
			name,
			(subtle: Subtle) => subtle.digest(name, DATA)
		])
	),
	'a part of a buffer': (subtle) => subtle.digest({ name: 'SHA-256' }, DATA.subarray(3, 9)),
	...Object.fromEntries(
		['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'].flatMap((hash) => [
			[
				`HMAC ${hash}`,
				async (subtle: Subtle) => {
					const key = await imported(subtle, hmac(hash), ['sign', 'verify'], bytes(150));
					const signature = await subtle.sign('HMAC', key, DATA);
					const verified = await Promise.all([DATA, KEY].map((data) => subtle.verify('HMAC', key, signature, data)));
					const short = await subtle.verify('HMAC', key, signature.slice(1), DATA);
					return [Buffer.from(signature).toString('hex'), verified, short, facts(key)];
				}
			],
			[`HKDF ${hash}`, derive(hkdf(hash), 520)],
			[`PBKDF2 ${hash}`, derive(pbkdf2({ hash }), 320)]
		])
	),
	...Object.fromEntries(
		[16, 24, 32].flatMap((size) => [
			[`CBC ${size}`, sealing({ name: 'AES-CBC', iv: bytes(16) }, bytes(size))],
			[`GCM ${size}`, sealing(gcm({ additionalData: bytes(7) }), bytes(size))]
		])
	),
	'GCM, other nonces': sealing(gcm({ iv: bytes(20) })),
	...Object.fromEntries(
		[32, 64, 96, 112].map((tagLength) => [`GCM, tag of ${tagLength}`, sealing(gcm({ tagLength }))])
	),
	'GCM, wrong tag': sealing(gcm({ tagLength: 100 })),
	'GCM, too short': async (subtle) => subtle.decrypt(gcm(), await imported(subtle, 'AES-GCM', ['decrypt']), bytes(3)),
	CTR: sealing(ctr(bytes(16), 64)),
	'CTR, whose counter begins again': sealing(ctr(new Uint8Array(16).fill(255), 3)),
	'CTR, whose counter comes round': sealing(ctr(bytes(16), 1)),
	'CBC, wrong iv': sealing({ name: 'AES-CBC', iv: bytes(15) }),
	'nothing encrypted': sealing({ name: 'AES-CBC', iv: bytes(16) }, KEY, new Uint8Array(0)),
	'PBKDF2 without iterations': derive(pbkdf2({ iterations: 0 }), 256),
	'odd bits': derive(pbkdf2(), 257),
	'HKDF, too much': derive(hkdf('SHA-256'), 256 * 256 * 8),
	'derived keys': async (subtle) => {
		const secret = await subtle.importKey('raw', bytes(9), 'PBKDF2', false, ['deriveKey']);
		const aes = await subtle.deriveKey(pbkdf2(), secret, { name: 'AES-GCM', length: 192 }, true, [
			'encrypt',
			'decrypt'
		]);
		const mac = await subtle.deriveKey(pbkdf2(), secret, hmac('SHA-512'), true, ['sign']);
		return [facts(aes), await subtle.exportKey('jwk', aes), facts(mac), await subtle.exportKey('jwk', mac)];
	},
	'made keys': async (subtle) => {
		const aes = await subtle.generateKey({ name: 'AES-CBC', length: 256 } as webcrypto.AesKeyGenParams, false, [
			'encrypt'
		]);
		const mac = await subtle.generateKey(hmac('SHA-384') as webcrypto.HmacKeyGenParams, true, ['verify']);
		const size = (await subtle.exportKey('raw', mac)).byteLength;
		return [facts(aes), facts(mac), size, await outcome(() => subtle.exportKey('raw', aes), subtle)];
	},
	'JSON Web Keys': async (subtle) => {
		const given = { kty: 'oct', k: 'AAECAwQFBgcICQoLDA0ODw', alg: 'A128GCM', key_ops: ['encrypt'], ext: true };
		const key = await subtle.importKey('jwk', given, 'AES-GCM', true, ['encrypt']);
		const wrong = [
			{ ...given, alg: 'A256GCM' },
			{ ...given, kty: 'RSA' },
			{ ...given, ext: false },
			{ ...given, key_ops: ['decrypt'] }
		];
		const refused = wrong.map((each) =>
			outcome(() => subtle.importKey('jwk', each, 'AES-GCM', true, ['encrypt']), subtle)
		);
		return [
			facts(key),
			await subtle.exportKey('raw', key).then((raw) => Buffer.from(raw).toString('hex')),
			await Promise.all(refused)
		];
	},
	'unknown digest': (subtle) => subtle.digest('MD5', DATA),
	'no bytes': (subtle) => subtle.digest('SHA-256', 'text' as never),
	'wrong length of a key': (subtle) => imported(subtle, 'AES-GCM', ['encrypt'], bytes(15)),
	'empty key': (subtle) => imported(subtle, hmac('SHA-1'), ['sign'], bytes(0)),
	'no usage': (subtle) => imported(subtle, 'AES-GCM', []),
	'usage of another': (subtle) => imported(subtle, 'AES-GCM', ['sign']),
	'a derived secret that is to be extractable': (subtle) => imported(subtle, 'HKDF', ['deriveBits']),
	'a key that may not': async (subtle) => subtle.encrypt(gcm(), await imported(subtle, 'AES-GCM', ['decrypt']), DATA),
	'a key of another': async (subtle) =>
		subtle.encrypt({ name: 'AES-CBC', iv: bytes(16) }, await imported(subtle, 'AES-GCM', ['encrypt']), DATA)
};

it.each(Object.entries(CASES))('%s: as the browser would', async (_name, run) => {
	expect(await outcome(run, ours)).toEqual(await outcome(run, native));
});

it('seals what Web Crypto opens, whatever the key, nonce and data', async () => {
	const some = (constraints: object) => fc.uint8Array(constraints);
	await fc.assert(
		fc.asyncProperty(
			some({ minLength: 32, maxLength: 32 }),
			some({ minLength: 12, maxLength: 40 }),
			some({ maxLength: 70 }),
			async (secret, iv, data) => {
				const [key, theirs] = await Promise.all(
					[ours, native].map((each) => imported(each, 'AES-GCM', ['encrypt', 'decrypt'], secret))
				);
				const opened = await native.decrypt(gcm({ iv }), theirs!, await ours.encrypt(gcm({ iv }), key!, data));
				expect(new Uint8Array(opened)).toEqual(data);
			}
		),
		{ numRuns: 50 }
	);
});

it('says what is not there', async () => {
	for (const run of [
		() => ours.generateKey({ name: 'ML-DSA-44' }, true, ['sign', 'verify']),
		() => ours.generateKey('PBKDF2', true, ['deriveBits']),
		() => ours.importKey('spki', bytes(9), 'HMAC', true, ['sign']),
		async () => ours.encrypt(gcm({ iv: bytes(7) }), await imported(ours, 'AES-GCM', ['encrypt']), DATA),
		() => ours.importKey('pkcs1' as 'raw', bytes(9), { name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
	])
		await expect(run()).rejects.toMatchObject({
			name: 'NotSupportedError',
			message: expect.stringContaining('ECDSA')
		});
});
