import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { clientAddress } from '#server/limits/client-address.ts';

function request(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
	const socket = new Socket();
	Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
	const incoming = new IncomingMessage(socket);
	if (forwarded !== undefined) incoming.headers['x-forwarded-for'] = forwarded;
	return incoming;
}

it('believes X-Forwarded-For only as far as the proxies that were named', () => {
	const forged = '1.1.1.1, 2.2.2.2, 3.3.3.3';
	expect(clientAddress(request('10.0.0.1', forged), 0)).toBe('10.0.0.1');
	expect(clientAddress(request('10.0.0.1', forged), 1)).toBe('3.3.3.3');
	expect(clientAddress(request('10.0.0.1', forged), 2)).toBe('2.2.2.2');
	expect(clientAddress(request('10.0.0.1', forged), 4)).toBe('10.0.0.1');
	expect(clientAddress(request('10.0.0.1', 'nonsense'), 1)).toBe('10.0.0.1');
	expect(clientAddress(request('10.0.0.1'), 1)).toBe('10.0.0.1');
});

it('counts an IPv6 host as its network and an IPv4 one under one name', () => {
	expect(clientAddress(request('::ffff:10.0.0.1'), 0)).toBe('10.0.0.1');
	expect(clientAddress(request('2001:db8:1:2:3:4:5:6'), 0)).toBe('2001:db8:1:2::/64');
	expect(clientAddress(request('2001:db8::9'), 0)).toBe('2001:db8:0:0::/64');
	expect(clientAddress(request('::1'), 0)).toBe('0:0:0:0::/64');
	expect(clientAddress(request('2001::3:4:5:6:7'), 0)).toBe('2001:0:0:3::/64');
	expect(clientAddress(request('fe80::1%eth0'), 0)).toBe('fe80:0:0:0::/64');
});

it('takes no IPv6 client for an IPv4 one, and all without an address for one client', () => {
	expect(clientAddress(request('1::ffff:1.2.3.4'), 0)).toBe('1:0:0:0::/64');
	expect(clientAddress(request(undefined), 0)).toBe('unknown');
});
