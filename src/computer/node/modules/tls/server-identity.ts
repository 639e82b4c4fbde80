import { nodeError } from '../../runtime/errors.ts';
import { canonicalAddress } from '../crypto/certificates/names.ts';
import { isIP } from '../net/address.ts';

/** Fields of a certificate from `getPeerCertificate` that contain its host. */
export interface NamedCertificate {
	subject?: { CN?: string | string[] } | null;
	subjectaltname?: string;
}

/** `tls.checkServerIdentity`: why a certificate does not match the host (RFC 6125); undefined if it does. */
export function checkServerIdentity(host: unknown, certificate: NamedCertificate): Error | undefined {
	const name = String(host).replace(/\.$/, '');
	const { names, addresses } = alternatives(certificate.subjectaltname ?? '');
	const reason =
		isIP(name) > 0
			? addressProblem(name, addresses)
			: nameProblem(name, names, certificate, names.length + addresses.length > 0);
	if (reason === null) return undefined;
	const words = `Hostname/IP does not match certificate's altnames: ${reason}`;
	return Object.assign(nodeError(Error, 'ERR_TLS_CERT_ALTNAME_INVALID', words), {
		reason,
		host: name,
		cert: certificate
	});
}

function addressProblem(address: string, known: readonly string[]): string | null {
	const wanted = canonicalAddress(address);
	if (known.some((one) => canonicalAddress(one) === wanted)) return null;
	return `IP: ${address} is not in the cert's list: ${known.join(', ')}`;
}

function nameProblem(
	name: string,
	names: readonly string[],
	certificate: NamedCertificate,
	hasAlternatives: boolean
): string | null {
	if (names.length > 0) {
		if (names.some((pattern) => isHost(pattern, name, true))) return null;
		return `Host: ${name}. is not in the cert's altnames: ${certificate.subjectaltname}`;
	}
	const common = [certificate.subject?.CN ?? []].flat();
	if (hasAlternatives || common.length === 0) return 'Cert does not contain a DNS name';
	if (common.some((pattern) => isHost(pattern, name, true))) return null;
	return `Host: ${name}. is not cert's CN: ${common.join(',')}`;
}

/** Checks whether a name of a certificate matches the host; a wildcard matches a part of the first label. */
function isHost(pattern: string, host: string, hasWildcards: boolean): boolean {
	const [own, wanted] = [labels(pattern), labels(host)];
	if (own.length !== wanted.length || own.includes('')) return false;
	if (own.slice(1).some((label, index) => label !== wanted[index + 1])) return false;
	const [first = ''] = own;
	const [given = ''] = wanted;
	if (!first.includes('*') || first.includes('xn--')) return first === given;
	const [before = '', after = '', ...more] = first.split('*');
	if (!hasWildcards || more.length > 0 || own.length <= 2) return false;
	return given.length >= before.length + after.length && given.startsWith(before) && given.endsWith(after);
}

const labels = (name: string): string[] => name.replace(/\.$/, '').toLowerCase().split('.');

/** Parses host names and addresses of `DNS:a.example, IP Address:127.0.0.1`. */
function alternatives(text: string): { names: string[]; addresses: string[] } {
	const parts = text.match(/(?:"(?:\\.|[^"\\])*"|[^",])+/g) ?? [];
	const found: { names: string[]; addresses: string[] } = { names: [], addresses: [] };
	for (const part of parts.map((one) => one.trim())) {
		if (part.startsWith('DNS:')) found.names.push(unquoted(part.slice(4)));
		else if (part.startsWith('IP Address:')) found.addresses.push(part.slice(11));
	}
	return found;
}

const unquoted = (text: string): string => (text.startsWith('"') ? String(JSON.parse(text)) : text);
