import type { X509Certificate } from '../crypto/certificates/x509-certificate.ts';

/** Maximum length of a certificate chain. */
const MAX_CHAIN = 99;

/** A certificate followed by its issuers, as far as known, up to a self-signed one. */
export function issuersOf(first: X509Certificate, known: readonly X509Certificate[]): X509Certificate[] {
	const chain = [first];
	for (let current = first; chain.length < MAX_CHAIN && !current.checkIssued(current);) {
		const issuer = known.find((one) => current.checkIssued(one) && !chain.includes(one));
		if (!issuer) break;
		chain.push(issuer);
		current = issuer;
	}
	return chain;
}
