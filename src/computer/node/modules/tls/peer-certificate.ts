import { X509Certificate } from '../crypto/certificates/x509-certificate.ts';
import { issuersOf } from './issuers.ts';

export type PeerCertificate = Record<string, unknown> & { issuerCertificate?: PeerCertificate };

/**
 * Converts the first certificate of a chain for programs; an empty object if there is none.
 * @param trusted authorities in which issuers are also looked up; null omits the issuers. A self-signed certificate
 * refers to itself.
 */
export function peerCertificate(
	chain: readonly Uint8Array[],
	trusted: readonly X509Certificate[] | null
): PeerCertificate {
	const sent = chain.map((der) => new X509Certificate(der));
	const [first] = sent;
	if (!first) return {};
	const object: PeerCertificate = first.toLegacyObject();
	if (trusted) addIssuers(first, object, [...trusted, ...sent]);
	return object;
}

function addIssuers(first: X509Certificate, object: PeerCertificate, known: readonly X509Certificate[]): void {
	const chain = issuersOf(first, known);
	let shown = object;
	for (const issuer of chain.slice(1)) shown = shown.issuerCertificate = issuer.toLegacyObject() as PeerCertificate;
	const last = chain.at(-1);
	if (last?.checkIssued(last)) shown.issuerCertificate = shown;
}
