import { isIP, isIPv6 } from 'node:net';
import type { IncomingMessage } from 'node:http';

/**
 * Client that limits apply to: the connecting address, or the address that the outermost of our own proxies saw. An
 * IPv6 client is identified by its /64 network, since one host owns all of its addresses.
 * @param trustedHops number of proxies in front of us that add to `X-Forwarded-For`; with 0 the header is ignored
 */
export function clientAddress(incoming: IncomingMessage, trustedHops: number): string {
	const socket = incoming.socket.remoteAddress ?? 'unknown';
	if (trustedHops === 0) return network(socket);
	const seen = [incoming.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
	const named = seen.at(-trustedHops)?.trim() ?? '';
	// Fewer entries than proxies, or not an address: the request did not come through them, so the header is not
	// trusted.
	return network(isIP(named) ? named : socket);
}

function network(address: string): string {
	const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
	if (!isIPv6(plain)) return plain;
	const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
	const left = head === '' ? [] : head.split(':');
	const right = tail ? tail.split(':') : [];
	const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
	return `${[...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':')}::/64`;
}
