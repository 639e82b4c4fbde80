import { Refusal } from '../refusal.ts';
import { isReserved } from './reserved-addresses.ts';

/** Which addresses the doors may open. Entries are `host` or `host:port`, lower case. */
export interface AddressPolicy {
	/** Let through even when not public or on an odd port. */
	allowHosts: readonly string[];
	/** Names this server itself answers to: refused always, so a request cannot come round to us. */
	ownHosts: () => readonly string[];
}

/** How the connection to a checked address is made: `filtered` checks each resolved address again. */
export type Trust = 'filtered' | 'allowed';

/**
 * Checks what can be known before a name is resolved.
 * WHATWG parsing has already turned each notation of an IPv4 address (decimal, octal, hex, short)
 * into dotted form.
 * @throws Refusal 400 or 403
 */
export function checkAddress(url: URL, policy: AddressPolicy): Trust {
	if (url.protocol !== 'http:' && url.protocol !== 'https:')
		throw new Refusal(400, 'scheme_refused', 'Only http:// and https:// addresses can be opened.');
	if (url.username !== '' || url.password !== '')
		throw new Refusal(
			400,
			'credentials_refused',
			'An address with a user name or password in it is not opened. Take them out; send them as a header where that is offered.'
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
			`Only the ports 80 and 443 are opened. Whoever runs this server can add ${named} to SANDGLASS_ALLOW_HOSTS.`
		);
	if (isReserved(host.replace(/^\[|\]$/g, ''))) throw notPublic(named);
	return 'filtered';
}

/** Names for use inside a network (RFC 6761, 6762, 8375; ICANN's `.internal`, where clouds keep their metadata). */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** For a name or address that leads into a private network. */
export function notPublic(named: string): Refusal {
	return new Refusal(
		403,
		'address_refused',
		`${named} is not on the public internet, so it is not opened. Whoever runs this server can add it to SANDGLASS_ALLOW_HOSTS.`
	);
}

/** @throws Refusal 400 with a sentence when `text` is no address */
export function parseAddress(text: string | undefined): URL {
	if (!text) throw new Refusal(400, 'address_missing', 'Say which address to open: ?url=https://….');
	if (!URL.canParse(text)) throw new Refusal(400, 'address_invalid', 'That is not an address; write it as https://….');
	return new URL(text);
}
