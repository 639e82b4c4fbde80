import type { X509Certificate } from '../crypto/certificates/x509-certificate.ts';

/** Certificates of a chain that are followed. */
const MAX_CHAIN = 99;

/** A certificate with its issuers among those that are known, up to one that issued itself. */
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
