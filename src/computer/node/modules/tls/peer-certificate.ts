import { X509Certificate } from '../crypto/certificates/x509-certificate.ts';

export type PeerCertificate = Record<string, unknown> & { issuerCertificate?: PeerCertificate };

/**
 * The first certificate of a chain as programs read it; an empty object for none.
 * @param trusted authorities among which its issuers are looked for, too; null leaves out the issuers. One that issued
 *   itself names itself.
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
	let [current, shown] = [first, object];
	const seen = [first];
	while (!current.checkIssued(current)) {
		const issuer = known.find((one) => current.checkIssued(one) && !seen.includes(one));
		if (!issuer) return;
		seen.push(issuer);
		shown.issuerCertificate = issuer.toLegacyObject();
		[current, shown] = [issuer, shown.issuerCertificate];
	}
	shown.issuerCertificate = shown;
}
