import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
	AuthorityInfoAccessExtension,
	AuthorityKeyIdentifierExtension,
	BasicConstraintsExtension,
	cryptoProvider,
	ExtendedKeyUsageExtension,
	SubjectAlternativeNameExtension,
	SubjectKeyIdentifierExtension,
	X509CertificateGenerator
} from '@peculiar/x509';
import { expect, it } from 'vitest';
import { bundledNode } from './host/bundle.ts';

const web = webcrypto as unknown as Crypto;
cryptoProvider.set(web);

const ALGORITHMS: Record<string, RsaHashedKeyGenParams | (EcKeyGenParams & { hash?: string }) | Algorithm> = {
	rsa: {
		name: 'RSASSA-PKCS1-v1_5',
		modulusLength: 2048,
		publicExponent: new Uint8Array([1, 0, 1]),
		hash: 'SHA-256'
	},
	ec: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
	ed25519: { name: 'Ed25519' }
};

const NAMES = [
	{ type: 'dns', value: 'example.org' },
	{ type: 'dns', value: '*.Example.com' },
	{ type: 'dns', value: 'f*o.example.net' },
	{ type: 'dns', value: 'fo*.example.edu' },
	{ type: 'dns', value: "it's, two" },
	{ type: 'ip', value: '127.0.0.1' },
	{ type: 'ip', value: '2001:db8::1' },
	{ type: 'email', value: 'someone@Example.org' },
	{ type: 'url', value: 'https://example.org/a?b' }
] as const;

/** Certificate of an authority, a certificate signed by it, and the key of the latter: PEM. */
async function chainOf(kind: string): Promise<{ authority: string; leaf: string; key: string }> {
	const algorithm = ALGORITHMS[kind] as RsaHashedKeyGenParams & EcKeyGenParams;
	const pair = async () => (await web.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
	const [keys, own] = [await pair(), await pair()];
	const dates = { notBefore: new Date('2024-02-03T04:05:06Z'), notAfter: new Date('2061-12-31T23:59:59Z') };
	const authority = await X509CertificateGenerator.createSelfSigned({
		...dates,
		serialNumber: '0a',
		name: 'CN=Authority, O="Sand, Glass \\"and\\" <Sons>", C=GB',
		keys,
		signingAlgorithm: algorithm,
		extensions: [
			new BasicConstraintsExtension(true, 1, true),
			await SubjectKeyIdentifierExtension.create(keys.publicKey, false, web)
		]
	});
	const leaf = await X509CertificateGenerator.create({
		...dates,
		serialNumber: '00c0ffee',
		subject: 'CN=leaf.example.org, OU=One, OU=Two, L=Zürich, E=leaf@example.org',
		issuer: authority.subject,
		publicKey: own.publicKey,
		signingKey: keys.privateKey,
		signingAlgorithm: algorithm,
		extensions: [
			new SubjectAlternativeNameExtension([...NAMES]),
			new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']),
			new AuthorityInfoAccessExtension({ ocsp: 'http://ocsp.example.org/', caIssuers: 'http://example.org/ca.crt' }),
			await AuthorityKeyIdentifierExtension.create(keys.publicKey, false, web)
		]
	});
	const der = Buffer.from(await web.subtle.exportKey('pkcs8', own.privateKey)).toString('base64');
	const key = `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`;
	return { authority: authority.toString('pem'), leaf: leaf.toString('pem'), key };
}

const PROGRAM = `const { X509Certificate, createPrivateKey } = require('crypto');
const chains = JSON.parse(require('fs').readFileSync(__dirname + '/chains.json', 'utf8'));
const t = (call) => {
	try {
		return call();
	} catch (error) {
		return [error.name, error.code, error.library ?? error.message.replace(/Received .*/s, '')];
	}
};
const FIELDS = ['subject', 'issuer', 'subjectAltName', 'infoAccess', 'validFrom', 'validTo', 'fingerprint', 'fingerprint256', 'fingerprint512', 'keyUsage', 'serialNumber', 'ca', 'issuerCertificate'];
const HOSTS = ['example.org', 'EXAMPLE.org', 'a.example.com', 'a.b.example.com', 'example.com', 'foo.example.net', 'fxyo.example.net', 'bar.example.net', 'foo.example.edu', 'fo.example.edu', 'bar.example.edu', 'leaf.example.org', '.example.com', '.org', 'localhost', ''];
for (const [kind, { authority, leaf, key }] of Object.entries(chains)) {
	const [ca, own] = [new X509Certificate(authority), new X509Certificate(Buffer.from(leaf))];
	for (const one of [ca, own]) {
		console.log(kind, FIELDS.map((field) => one[field]), one.publicKey.asymmetricKeyDetails);
		console.log(one.toLegacyObject(), one.toString() === JSON.parse(JSON.stringify(one)), new X509Certificate(one.raw).raw.equals(one.raw));
	}
	console.log(ca.checkIssued(ca), own.checkIssued(ca), ca.checkIssued(own), ca.verify(ca.publicKey), own.verify(ca.publicKey), own.verify(own.publicKey));
	const secret = createPrivateKey(key);
	console.log(own.checkPrivateKey(secret), ca.checkPrivateKey(secret), require('crypto').createPublicKey(leaf).equals(own.publicKey));
	for (const host of HOSTS)
		for (const options of [undefined, { subject: 'always' }, { subject: 'never' }, { wildcards: false }, { partialWildcards: false }, { multiLabelWildcards: true }, { singleLabelSubdomains: true }])
			console.log(host, options, own.checkHost(host, options), ca.checkHost(host, options));
	for (const email of ['someone@example.org', 'Someone@example.org', 'leaf@example.org']) console.log(own.checkEmail(email), own.checkEmail(email, { subject: 'always' }));
	for (const ip of ['127.0.0.1', '127.0.0.2', '2001:db8::1', '2001:DB8:0:0:0:0:0:1', '::1', 'x']) console.log(ip, t(() => own.checkIP(ip)));
	for (const call of [() => own.checkHost(1), () => own.checkHost('a', 1), () => own.checkHost('a', { subject: 'x' }), () => own.checkHost('a', { wildcards: 1 }), () => own.checkIssued({}), () => own.verify(1), () => own.verify(secret), () => own.checkPrivateKey(own.publicKey), () => own.checkEmail(1), () => own.checkIP(1)]) console.log(t(call));
}
for (const given of [1, undefined, 'x', Buffer.alloc(5)]) console.log(t(() => new X509Certificate(given)));
const broken = Buffer.from(new X509Certificate(chains.ec.leaf).raw);
broken[broken.length - 1] ^= 1;
console.log(new X509Certificate(broken).verify(new X509Certificate(chains.ec.authority).publicKey));
`;

it('says of certificates what Node says', async () => {
	const pair = await bundledNode();
	const chains = Object.fromEntries(
		await Promise.all(Object.keys(ALGORITHMS).map(async (kind) => [kind, await chainOf(kind)] as const))
	);
	pair.write({ 'chains.json': JSON.stringify(chains), 'certificates.js': PROGRAM });
	const native = pair.native(['certificates.js']);
	expect(native).toMatchObject({ stderr: '', code: 0 });
	expect(pair.ours(['certificates.js'])).toEqual(native);
}, 60_000);
