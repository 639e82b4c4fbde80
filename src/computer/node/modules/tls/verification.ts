import { X509Certificate } from '../crypto/certificates/x509-certificate.ts';
import { issuersOf } from './issuers.ts';

/** OpenSSL's reasons to distrust a certificate. */
const WORDS = {
	DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
	SELF_SIGNED_CERT_IN_CHAIN: 'self-signed certificate in certificate chain',
	UNABLE_TO_GET_ISSUER_CERT: 'unable to get issuer certificate',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unable to get local issuer certificate',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unable to verify the first certificate',
	CERT_SIGNATURE_FAILURE: 'certificate signature failure',
	CERT_NOT_YET_VALID: 'certificate is not yet valid',
	CERT_HAS_EXPIRED: 'certificate has expired',
	INVALID_CA: 'invalid CA certificate',
	INVALID_PURPOSE: 'unsuitable certificate purpose'
} as const;

export type Distrust = keyof typeof WORDS;

/** Purposes to which a certificate may be restricted (RFC 5280, 4.2.1.12). */
const PURPOSES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;
const ANY_PURPOSE = '2.5.29.37.0';

/** Node's error for an untrusted certificate. */
export const distrusted = (reason: Distrust): Error & { code: Distrust } =>
	Object.assign(new Error(WORDS[reason]), { code: reason });

/**
 * Checks whether a certificate chain leads to a trusted certificate.
 *
 * @param sent certificates from the peer, its own first
 * @param trusted authorities
 * @param purpose side to which the first certificate belongs
 * @returns the reason if it does not; null if it does
 */
export function verifyChain(
	sent: readonly X509Certificate[],
	trusted: readonly X509Certificate[],
	purpose: keyof typeof PURPOSES
): Distrust | null {
	const { chain, gap } = chainOf(sent, trusted);
	const time = timeProblem(chain);
	if (time) return time;
	if (gap) return gap;
	if (chain.slice(1, -1).some((issuer) => !issuer.ca)) return 'INVALID_CA';
	const isSigned = chain
		.slice(0, -1)
		.every((one, index) => chain[index + 1] && one.verify(chain[index + 1]?.publicKey));
	if (!isSigned) return 'CERT_SIGNATURE_FAILURE';
	const uses = chain[0]?.keyUsage;
	return !uses || uses.includes(PURPOSES[purpose]) || uses.includes(ANY_PURPOSE) ? null : 'INVALID_PURPOSE';
}

/** Known part of the chain, and what is missing. */
function chainOf(
	sent: readonly X509Certificate[],
	trusted: readonly X509Certificate[]
): { chain: X509Certificate[]; gap: Distrust | null } {
	const [own] = sent;
	if (!own) return { chain: [], gap: 'UNABLE_TO_GET_ISSUER_CERT' };
	const chain = issuersOf(own, [...trusted, ...sent]);
	const last = chain.at(-1) ?? own;
	if (last.checkIssued(last)) {
		if (isAmong(trusted, last)) return { chain, gap: null };
		return { chain, gap: chain.length === 1 ? 'DEPTH_ZERO_SELF_SIGNED_CERT' : 'SELF_SIGNED_CERT_IN_CHAIN' };
	}
	if (chain.length === 1) return { chain, gap: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' };
	return { chain, gap: isAmong(trusted, last) ? 'UNABLE_TO_GET_ISSUER_CERT' : 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' };
}

const isAmong = (all: readonly X509Certificate[], one: X509Certificate): boolean =>
	all.some((other) => other.fingerprint256 === one.fingerprint256);

function timeProblem(chain: readonly X509Certificate[]): Distrust | null {
	const now = Date.now();
	if (chain.some(({ validFromDate }) => validFromDate.getTime() > now)) return 'CERT_NOT_YET_VALID';
	return chain.some(({ validToDate }) => validToDate.getTime() < now) ? 'CERT_HAS_EXPIRED' : null;
}
