// The certificate library needs this import before its own.
import 'reflect-metadata';
import {
	AuthorityKeyIdentifierExtension,
	BasicConstraintsExtension,
	ExtendedKeyUsage,
	ExtendedKeyUsageExtension,
	KeyUsageFlags,
	KeyUsagesExtension,
	PemConverter,
	SubjectAlternativeNameExtension,
	SubjectKeyIdentifierExtension,
	X509CertificateGenerator
} from '@peculiar/x509';
import { randomBytes, webcrypto } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { EgressAuthority } from '#environment/prefix/egress-tunnels.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;
/** Clients refuse certificates of a host that are valid for more than 398 days. */
const VALID_MS = 365 * DAY_MS;
/** Maximum number of cached certificates. */
const MAX_HOSTS = 256;

type Keys = Awaited<ReturnType<typeof createKeys>>;

/**
 * Creates an authority for the programs of one machine. Its key exists only in the memory of this process, until the
 * connection to the machine ends; only that machine trusts it.
 */
export async function createAuthority(): Promise<EgressAuthority> {
	const [keys, hostKeys] = await Promise.all([createKeys(), createKeys()]);
	const name = `CN=Sandglass machine ${randomBytes(4).toString('hex')}`;
	const certificate = await X509CertificateGenerator.createSelfSigned({
		...validity(),
		name,
		keys,
		signingAlgorithm: ALGORITHM,
		extensions: [
			new BasicConstraintsExtension(true, 0, true),
			new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
			await SubjectKeyIdentifierExtension.create(keys.publicKey)
		]
	});
	const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', hostKeys.privateKey), 'PRIVATE KEY');
	const contexts = new Map<string, Promise<SecureContext>>();
	return {
		certificate: certificate.toString('pem'),
		contextFor: (host) => {
			const found = contexts.get(host) ?? issue({ host, issuer: name, keys, hostKeys, key });
			contexts.delete(host);
			contexts.set(host, found);
			for (const oldest of contexts.keys()) if (contexts.size > MAX_HOSTS) contexts.delete(oldest);
			return found;
		}
	};
}

interface Issue {
	host: string;
	issuer: string;
	/** Keys of the authority. */
	keys: Keys;
	/** Keys shared by all hosts. */
	hostKeys: Keys;
	/** Private key of the hosts, as PEM. */
	key: string;
}

async function issue({ host, issuer, keys, hostKeys, key }: Issue): Promise<SecureContext> {
	const certificate = await X509CertificateGenerator.create({
		...validity(),
		issuer,
		// A common name is limited to 64 characters; clients read the alternative name.
		subject: 'CN=Sandglass proxy',
		signingKey: keys.privateKey,
		publicKey: hostKeys.publicKey,
		signingAlgorithm: ALGORITHM,
		extensions: [
			new SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
			new BasicConstraintsExtension(false, undefined, true),
			new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
			new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
			await AuthorityKeyIdentifierExtension.create(keys.publicKey),
			await SubjectKeyIdentifierExtension.create(hostKeys.publicKey)
		]
	});
	return createSecureContext({ key, cert: certificate.toString('pem'), minVersion: 'TLSv1.2' });
}

const createKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** Starts one day ago, since the machine's clock may be slow. */
function validity(): { serialNumber: string; notBefore: Date; notAfter: Date } {
	const now = Date.now();
	// With the first bit cleared, the number is positive.
	const serialNumber = `7f${randomBytes(15).toString('hex')}`;
	return { serialNumber, notBefore: new Date(now - DAY_MS), notAfter: new Date(now + VALID_MS) };
}
