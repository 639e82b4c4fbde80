import { isIP, isIPv6 } from 'node:net';
import type { IncomingMessage } from 'node:http';

/**
 * Whom limits count: the address that connects, or what the outermost of our own proxies saw.
 * An IPv6 client is its network of 64 bits, since one host has all of its addresses.
 * @param trustedHops how many proxies in front of us add to `X-Forwarded-For`; with 0 it is not read
 */
export function clientAddress(incoming: IncomingMessage, trustedHops: number): string {
	const socket = incoming.socket.remoteAddress ?? 'unknown';
	if (trustedHops === 0) return network(socket);
	const seen = [incoming.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
	const named = seen.at(-trustedHops)?.trim() ?? '';
	// Fewer entries than proxies, or no address: it did not come through them, so nothing it says counts.
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
