import 'reflect-metadata';
import {
	AuthorityKeyIdentifierExtension,
	BasicConstraintsExtension,
	ExtendedKeyUsage,
	ExtendedKeyUsageExtension,
	KeyUsageFlags,
	KeyUsagesExtension,
	SubjectAlternativeNameExtension,
	SubjectKeyIdentifierExtension,
	X509Certificate
} from '@peculiar/x509';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type PeerCertificate } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAuthority } from '#server/machines/authority.ts';
import { inTime } from '#test/in-time.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);

/** Certificate presented to a program that trusts `ca` for `host`, or why it does not trust the answer. */
async function answered(authority: Awaited<ReturnType<typeof createAuthority>>, host: string, asked = host) {
	const server = createServer({
		SNICallback: (_name, done) =>
			void authority.contextFor(host).then(
				(context) => done(null, context),
				(error: Error) => done(error)
			)
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const trial = new Promise<PeerCertificate>((resolve, reject) => {
		const socket = connect({ port, host: '127.0.0.1', servername: asked, ca: authority.certificate }, () => {
			resolve(socket.getPeerCertificate());
			socket.destroy();
		});
		socket.once('error', reject);
	});
	return inTime(trial, 'the answer of the host');
}

const extensionsOf = (certificate: X509Certificate) => ({
	constraints: certificate.getExtension(BasicConstraintsExtension),
	usages: certificate.getExtension(KeyUsagesExtension),
	extended: certificate.getExtension(ExtendedKeyUsageExtension),
	names: certificate.getExtension(SubjectAlternativeNameExtension),
	key: certificate.getExtension(SubjectKeyIdentifierExtension),
	issuerKey: certificate.getExtension(AuthorityKeyIdentifierExtension)
});

const validity = ({ notBefore, notAfter }: X509Certificate) => [notBefore.getTime() - NOW, notAfter.getTime() - NOW];

describe('the authority of a machine', () => {
	it('signs certificates of hosts and nothing else, under a name of its own', async () => {
		vi.useFakeTimers({ toFake: ['Date'], now: NOW });
		onTestFinished(() => void vi.useRealTimers());
		const certificate = new X509Certificate((await createAuthority()).certificate);
		const other = new X509Certificate((await createAuthority()).certificate);
		expect(certificate.subject).toMatch(/^CN=Sandglass machine [\da-f]{8}$/);
		expect(certificate.issuer).toBe(certificate.subject);
		expect(other.subject).not.toBe(certificate.subject);
		expect(certificate.serialNumber).toMatch(/^7f[\da-f]{30}$/);
		expect(validity(certificate)).toEqual([-DAY_MS, 365 * DAY_MS]);
		const { constraints, usages, key } = extensionsOf(certificate);
		expect(constraints).toMatchObject({ ca: true, pathLength: 0, critical: true });
		expect(usages).toMatchObject({ usages: KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, critical: true });
		expect(key?.keyId).toMatch(/^[\da-f]{40}$/);
		expect(await certificate.verify()).toBe(true);
	});

	it('is trusted for a host by what has its certificate, and for no other host', async () => {
		const authority = await createAuthority();
		const host = `${'a'.repeat(60)}.example.com`;
		const { subject, issuer, raw } = await answered(authority, host);
		const signed = new X509Certificate(raw);
		const own = new X509Certificate(authority.certificate);
		expect([subject.CN, issuer.CN]).toEqual(['Sandglass proxy', own.subject.slice(3)]);
		expect(signed.serialNumber).toMatch(/^7f[\da-f]{30}$/);
		const { constraints, usages, extended, names, key, issuerKey } = extensionsOf(signed);
		expect(constraints).toMatchObject({ ca: false, critical: true });
		expect(usages).toMatchObject({ usages: KeyUsageFlags.digitalSignature, critical: true });
		expect(extended?.usages).toEqual([ExtendedKeyUsage.serverAuth]);
		expect(names?.names.toJSON()).toEqual([{ type: 'dns', value: host }]);
		expect(key?.keyId).toMatch(/^[\da-f]{40}$/);
		expect(issuerKey?.keyId).toBe(extensionsOf(own).key?.keyId);
		await expect(answered(authority, host, 'other.example.com')).rejects.toMatchObject({
			code: 'ERR_TLS_CERT_ALTNAME_INVALID'
		});
		const stranger = { ...authority, certificate: (await createAuthority()).certificate };
		await expect(answered(stranger, host)).rejects.toThrow(/certificate/);
	});

	it('makes the certificate of a host once, and keeps the last 256', async () => {
		const { contextFor } = await createAuthority();
		const first = await contextFor('first.example');
		const second = await contextFor('second.example');
		for (let index = 0; index < 254; index++) await contextFor(`${index}.example`);
		expect(await contextFor('first.example')).toBe(first);
		await contextFor('one-more.example');
		expect(await contextFor('first.example')).toBe(first);
		expect(await contextFor('second.example')).not.toBe(second);
	});
});
