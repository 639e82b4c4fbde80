import { Refusal } from '../refusal.ts';
import { isReserved } from './reserved-addresses.ts';

/** Addresses that the proxy routes may connect to. Entries are `host` or `host:port`, lower case. */
export interface AddressPolicy {
	/** Allowed even if not public or on an unusual port. */
	allowHosts: readonly string[];
	/** Names this server itself answers to: always refused, so that a request cannot loop back to us. */
	ownHosts: () => readonly string[];
}

/** Ways to connect to a checked address: `filtered` checks each resolved address again. */
export type Trust = 'filtered' | 'allowed';

/**
 * Checks an address before its name is resolved. WHATWG parsing has already converted every notation of an IPv4 address
 * (decimal, octal, hex, short) into dotted form.
 * @throws Refusal 400 or 403
 */
export function checkAddress(url: URL, policy: AddressPolicy): Trust {
	if (url.protocol !== 'http:' && url.protocol !== 'https:')
		throw new Refusal(400, 'scheme_refused', 'Only http:// and https:// addresses can be opened.');
	if (url.username !== '' || url.password !== '')
		throw new Refusal(
			400,
			'credentials_refused',
			'Addresses that contain a user name or password are not opened. Remove them, or send them as a header if possible.'
		);
	const host = url.hostname.toLowerCase().replace(/\.+$/, '');
	const port = url.port || (url.protocol === 'https:' ? '443' : '80');
	const named = `${host}:${port}`;
	if (policy.ownHosts().includes(named))
		throw new Refusal(403, 'address_refused', 'This server does not open connections to itself.');
	if (policy.allowHosts.includes(named) || (url.port === '' && policy.allowHosts.includes(host))) return 'allowed';
	if (PRIVATE_NAME.test(host)) throw notPublic(named);
	if (port !== '80' && port !== '443')
		throw new Refusal(
			403,
			'port_refused',
			`Only ports 80 and 443 are opened. The operator of this server can add ${named} to SANDGLASS_ALLOW_HOSTS.`
		);
	if (isReserved(host.replace(/^\[|\]$/g, ''))) throw notPublic(named);
	return 'filtered';
}

/** Names for use inside a network (RFC 6761, 6762, 8375; ICANN's `.internal`, used by clouds for metadata). */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** Refusal for a name or address that leads into a private network. */
export function notPublic(named: string): Refusal {
	return new Refusal(
		403,
		'address_refused',
		`${named} is not on the public internet, so it is not opened. The operator of this server can add it to SANDGLASS_ALLOW_HOSTS.`
	);
}

/**
 * Parses an address.
 * @throws Refusal 400 with a message when `text` is not an address
 */
export function parseAddress(text: string | undefined): URL {
	if (!text) throw new Refusal(400, 'address_missing', 'Specify the address to open: ?url=https://….');
	if (!URL.canParse(text)) throw new Refusal(400, 'address_invalid', 'That is not an address; write it as https://….');
	return new URL(text);
}
