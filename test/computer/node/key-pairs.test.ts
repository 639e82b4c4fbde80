import {
	constants,
	createPrivateKey,
	createPublicKey,
	createSign,
	createVerify,
	diffieHellman,
	generateKeyPairSync,
	type KeyObject,
	privateDecrypt,
	privateEncrypt,
	publicEncrypt,
	sign,
	verify
} from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { bundledNode, type Pair } from './host/bundle.ts';

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
}, 60_000);

/** Runs a program in our Node, which prints JSON. */
function ours<Output>(program: string, input: unknown, schema: z.ZodType<Output>): Output {
	const code = `const crypto = require('crypto');
const input = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const base64 = (bytes) => Buffer.from(bytes).toString('base64');
const bytes = (text) => Buffer.from(text, 'base64');
${program}`;
	pair.write({ 'program.js': code });
	const { stdout, stderr } = pair.ours(['program.js'], JSON.stringify(input));
	expect(stderr).toBe('');
	return schema.parse(JSON.parse(stdout));
}

// The types know fewer kinds and options than Node.
const PSS_OPTIONS = { modulusLength: 1024, hashAlgorithm: 'sha256', mgf1HashAlgorithm: 'sha1', saltLength: 16 };
const DH_OPTIONS = { namedCurve: '', group: 'modp14' };

const KINDS: Record<string, () => { publicKey: KeyObject; privateKey: KeyObject }> = {
	rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
	'rsa of an odd size': () => generateKeyPairSync('rsa', { modulusLength: 1033, publicExponent: 3 }),
	'rsa-pss': () => generateKeyPairSync('rsa-pss' as 'rsa', { modulusLength: 1024 }),
	'rsa-pss with restrictions': () => generateKeyPairSync('rsa-pss' as 'rsa', PSS_OPTIONS),
	secp224r1: () => generateKeyPairSync('ec', { namedCurve: 'secp224r1' }),
	'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
	'P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
	'P-521': () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
	secp256k1: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
	'P-256 written out': () => generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' }),
	'secp256k1 written out': () => generateKeyPairSync('ec', { namedCurve: 'secp256k1', paramEncoding: 'explicit' }),
	dsa: () => generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }),
	dh: () => generateKeyPairSync('dh' as 'ec', DH_OPTIONS),
	ed25519: () => generateKeyPairSync('ed25519'),
	ed448: () => generateKeyPairSync('ed448'),
	x25519: () => generateKeyPairSync('x25519'),
	x448: () => generateKeyPairSync('x448')
};

/** Encodings of a key: bytes of each, and a JWK if possible. */
function encodings(key: KeyObject): Record<string, unknown> {
	const isPublic = key.type === 'public';
	const plain = { rsa: 'pkcs1', ec: 'sec1' }[key.asymmetricKeyType as 'rsa'];
	const types = [isPublic ? 'spki' : 'pkcs8', ...(plain && !(isPublic && plain === 'sec1') ? [plain] : [])];
	const result: Record<string, unknown> = {};
	for (const type of types as 'pkcs1'[]) {
		result[`${type} pem`] = key.export({ type, format: 'pem' });
		result[`${type} der`] = key.export({ type, format: 'der' }).toString('base64');
	}
	const hasJwk =
		!/pss|dsa|dh/.test(key.asymmetricKeyType ?? '') && key.asymmetricKeyDetails?.namedCurve !== 'secp224r1';
	if (hasJwk) result['jwk'] = key.export({ format: 'jwk' });
	return result;
}

it('writes keys of every kind as the native Node does, byte for byte, and reads them', () => {
	const pairs = Object.fromEntries(Object.entries(KINDS).map(([kind, generate]) => [kind, generate()]));
	const pems = Object.fromEntries(
		Object.entries(pairs).map(([kind, { privateKey }]) => [kind, privateKey.export({ type: 'pkcs8', format: 'pem' })])
	);
	const program = `${encodings.toString()}
const details = (key) => ({ ...key.asymmetricKeyDetails, publicExponent: String(key.asymmetricKeyDetails.publicExponent) });
const answer = (pem) => {
	const privateKey = crypto.createPrivateKey(pem);
	const publicKey = crypto.createPublicKey(privateKey);
	const readAgain = [];
	for (const [key, create] of [[privateKey, crypto.createPrivateKey], [publicKey, crypto.createPublicKey]])
		for (const [name, value] of Object.entries(encodings(key))) {
			const [type, format = 'jwk'] = name.split(' ');
			readAgain.push(create({ key: format === 'der' ? bytes(value) : value, format, ...(format === 'der' ? { type } : {}) }).equals(key));
		}
	return { private: encodings(privateKey), public: encodings(publicKey), details: details(privateKey), readAgain };
};
console.log(JSON.stringify(Object.fromEntries(Object.entries(input).map(([kind, pem]) => [kind, answer(pem)]))));`;
	const encoded = z.record(z.string(), z.unknown());
	const answers = ours(
		program,
		pems,
		z.record(
			z.string(),
			z.object({ private: encoded, public: encoded, details: z.unknown(), readAgain: z.array(z.boolean()) })
		)
	);
	for (const [kind, { privateKey, publicKey }] of Object.entries(pairs)) {
		const answer = answers[kind];
		expect(answer?.private, kind).toEqual(encodings(privateKey));
		expect(answer?.public, kind).toEqual(encodings(publicKey));
		const details = privateKey.asymmetricKeyDetails;
		expect(answer?.details, kind).toEqual({ ...details, publicExponent: String(details?.publicExponent) });
		expect(answer?.readAgain, kind).not.toContain(false);
	}
});

const DATA = Buffer.from('what is signed');
const { RSA_PKCS1_PSS_PADDING: padding } = constants;

/** Signatures: kind of key, hash function, options. */
const SCHEMES: [kind: string, hash: string | null, options: Record<string, unknown>][] = [
	['rsa', 'sha1', {}],
	['rsa', 'RSA-SHA256', {}],
	['rsa', 'sha512', {}],
	['rsa', 'sha256', { padding, saltLength: 32 }],
	['rsa', 'sha384', { padding, saltLength: -1 }],
	['rsa', 'sha256', { padding }],
	['rsa of an odd size', 'sha256', { padding }],
	['rsa of an odd size', 'md5', {}],
	['rsa-pss', 'sha1', {}],
	['rsa-pss with restrictions', 'sha256', {}],
	['secp224r1', 'sha256', {}],
	['P-256', 'sha256', {}],
	['P-256', 'sha512', { dsaEncoding: 'ieee-p1363' }],
	['P-384', 'sha384', {}],
	['P-521', 'sha512', { dsaEncoding: 'ieee-p1363' }],
	['P-521', 'sha1', {}],
	['secp256k1', 'sha256', {}],
	['dsa', 'sha256', {}],
	['dsa', 'sha1', { dsaEncoding: 'ieee-p1363' }],
	['ed25519', null, {}],
	['ed448', null, {}]
];

it('signs so that each Node verifies what the other has signed', () => {
	const pairs = Object.fromEntries(Object.entries(KINDS).map(([kind, generate]) => [kind, generate()]));
	const rounds = SCHEMES.map(([kind, hash, options]) => {
		const { publicKey, privateKey } = pairs[kind] as (typeof pairs)[string];
		const native = sign(hash, DATA, { key: privateKey, ...options });
		const changed = Buffer.from(native);
		changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
		return {
			hash,
			options,
			pem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
			spki: publicKey.export({ type: 'spki', format: 'pem' }),
			data: DATA.toString('base64'),
			native: native.toString('base64'),
			changed: changed.toString('base64')
		};
	});
	const program = `const answer = ({ hash, options, pem, spki, data: text, native, changed }) => {
	const data = bytes(text);
	const signature = crypto.sign(hash, data, { key: pem, ...options });
	const streamed = hash && crypto.createSign(hash).update(data.subarray(0, 3)).update(data.subarray(3)).sign({ key: pem, ...options });
	const check = (key, signature) => crypto.verify(hash, data, { key, ...options }, bytes(signature));
	return {
		signature: base64(signature), streamed: streamed && base64(streamed),
		checks: [check(spki, native), check(pem, native), check(spki, changed), check(spki, ''),
			crypto.verify(hash, Buffer.from('other'), { key: spki, ...options }, bytes(native))],
		stream: hash && crypto.createVerify(hash).update(data).verify({ key: spki, ...options }, native, 'base64')
	};
};
console.log(JSON.stringify(input.map(answer)));`;
	const schema = z.object({
		signature: z.string(),
		streamed: z.string().nullable(),
		checks: z.array(z.boolean()),
		stream: z.boolean().nullable()
	});
	const answers = ours(program, rounds, z.array(schema));
	for (const [at, [kind, hash, options]] of SCHEMES.entries()) {
		const { signature = '', streamed = '', checks, stream } = answers[at] ?? {};
		const { publicKey, privateKey } = pairs[kind] as (typeof pairs)[string];
		const label = [kind, hash, JSON.stringify(options)].join(' ');
		const given = { key: publicKey, ...options };
		expect(verify(hash, DATA, given, Buffer.from(signature, 'base64')), label).toBe(true);
		expect(checks, label).toEqual([true, true, false, false, false]);
		if (hash === null) {
			expect(signature, label).toBe(rounds[at]?.native);
			continue;
		}
		expect(
			createVerify(hash)
				.update(DATA)
				.verify(given, streamed ?? '', 'base64'),
			label
		).toBe(true);
		expect(stream, label).toBe(true);
		const isFixed = kind === 'rsa' && options['padding'] === undefined;
		if (isFixed) expect(streamed, label).toBe(createSign(hash).update(DATA).sign(privateKey, 'base64'));
	}
});

it('makes keys that the native Node reads', () => {
	const program = `const pem = { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } };
const made = {
	rsa: crypto.generateKeyPairSync('rsa', { modulusLength: 1024, ...pem }),
	pss: crypto.generateKeyPairSync('rsa-pss', { modulusLength: 1024, hashAlgorithm: 'sha256', saltLength: 20, ...pem }),
	ec: crypto.generateKeyPairSync('ec', { namedCurve: 'P-384', ...pem }),
	dsa: crypto.generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160, ...pem }),
	dh: crypto.generateKeyPairSync('dh', { group: 'modp5', ...pem }),
	ed25519: crypto.generateKeyPairSync('ed25519', pem),
	x448: crypto.generateKeyPairSync('x448', pem)
};
console.log(JSON.stringify(made));`;
	const schema = z.record(z.string(), z.object({ publicKey: z.string(), privateKey: z.string() }));
	const made = Object.entries(ours(program, null, schema));
	expect(made).toHaveLength(7);
	for (const [name, { publicKey, privateKey }] of made) {
		const key = createPrivateKey(privateKey);
		expect(createPublicKey(publicKey).equals(createPublicKey(key)), name).toBe(true);
		if (!['dh', 'x448'].includes(name)) {
			const hash = name === 'ed25519' ? null : 'sha256';
			expect(verify(hash, DATA, publicKey, sign(hash, DATA, privateKey)), name).toBe(true);
		}
	}
});

it.each(['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc'])('encrypts keys with %s as the native Node does', (cipher) => {
	const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const passphrase = 'correct horse';
	const forms = [
		{ type: 'pkcs8', format: 'pem' },
		{ type: 'sec1', format: 'pem' }
	] as const;
	const native = forms.map((form) => privateKey.export({ ...form, cipher, passphrase }));
	const program = `const { native, forms, cipher, passphrase } = input;
const keys = native.map((key) => crypto.createPrivateKey({ key, passphrase }));
console.log(JSON.stringify(keys.map((key, at) => key.export({ ...forms[at], cipher, passphrase }))));`;
	const made = ours(program, { native, forms, cipher, passphrase }, z.array(z.string()));
	expect(made).toHaveLength(2);
	for (const key of made) expect(createPrivateKey({ key, passphrase }).equals(privateKey)).toBe(true);
});

it('encrypts for the native Node and decrypts what it encrypts', () => {
	const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
	const variants = [{}, { oaepHash: 'sha256', oaepLabel: Buffer.from('label') }];
	const labels = ['', 'label'];
	const data = Buffer.from('secret');
	const native = variants.map((options) => publicEncrypt({ key: publicKey, ...options }, data).toString('base64'));
	const program = `const { pem, native, labels } = input;
const variants = [{}, { oaepHash: 'sha256', oaepLabel: Buffer.from(labels[1]) }];
console.log(JSON.stringify({
	opened: native.map((data, at) => crypto.privateDecrypt({ key: pem, ...variants[at] }, bytes(data)).toString()),
	closed: variants.map((options) => base64(crypto.publicEncrypt({ key: pem, ...options }, Buffer.from('secret')))),
	signed: base64(crypto.privateEncrypt(pem, Buffer.from('secret'))),
	turned: crypto.publicDecrypt(pem, crypto.privateEncrypt(pem, Buffer.from('secret'))).toString()
}));`;
	const pem = privateKey.export({ type: 'pkcs1', format: 'pem' });
	const schema = z.object({
		opened: z.array(z.string()),
		closed: z.array(z.string()),
		signed: z.string(),
		turned: z.string()
	});
	const answer = ours(program, { pem, native, labels }, schema);
	expect([...answer.opened, answer.turned]).toEqual(['secret', 'secret', 'secret']);
	answer.closed.forEach((closed, at) => {
		const opened = privateDecrypt({ key: privateKey, ...variants[at] }, Buffer.from(closed, 'base64'));
		expect(opened.toString()).toBe('secret');
	});
	expect(answer.signed).toBe(privateEncrypt(privateKey, data).toString('base64'));
});

it.each(['x25519', 'x448', 'P-256', 'P-521', 'dh'])('shares the secret of %s with the native Node', (kind) => {
	const generate = KINDS[kind] as (typeof KINDS)[string];
	const [own, other] = [generate(), generate()];
	const program = `const { privateKey, publicKey } = input;
console.log(JSON.stringify(base64(crypto.diffieHellman({ privateKey: crypto.createPrivateKey(privateKey), publicKey: crypto.createPublicKey(publicKey) }))));`;
	const input = {
		privateKey: own.privateKey.export({ type: 'pkcs8', format: 'pem' }),
		publicKey: other.publicKey.export({ type: 'spki', format: 'pem' })
	};
	const shared = diffieHellman({ privateKey: other.privateKey, publicKey: own.publicKey }).toString('base64');
	expect(ours(program, input, z.string())).toBe(shared);
});
