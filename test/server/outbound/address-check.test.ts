import { describe, expect, it } from 'vitest';
import { checkAddress, parseAddress } from '#server/outbound/address-check.ts';
import { isReserved } from '#server/outbound/reserved-addresses.ts';
import { Refusal } from '#server/refusal.ts';

const policy = {
	allowHosts: ['10.0.0.1', 'intern.local', 'git.example:8443'],
	ownHosts: () => ['sandglass.example:443', 'localhost:5173']
};

/** Permission for an address, or status and code of the refusal. */
function outcome(url: string): string {
	try {
		return checkAddress(new URL(url), policy);
	} catch (error) {
		if (error instanceof Refusal) return `${error.status} ${error.code}`;
		throw error;
	}
}

describe('an address', () => {
	it.each([
		['https://example.org/x', 'filtered'],
		['http://example.org', 'filtered'],
		['http://8.8.8.8', 'filtered'],
		['https://[2606:4700::1]', 'filtered'],
		['http://10.0.0.1/', 'allowed'],
		['https://intern.local', 'allowed'],
		['https://git.example:8443/', 'allowed'],
		['http://10.0.0.1:8080/', '403 port_refused'],
		['https://git.example:8444/', '403 port_refused'],
		['https://example.org:22', '403 port_refused'],
		['http://example.org:443', 'filtered'],
		['ftp://example.org', '400 scheme_refused'],
		['file:///etc/passwd', '400 scheme_refused'],
		['https://u@example.org', '400 credentials_refused'],
		['https://:p@example.org', '400 credentials_refused'],
		['https://sandglass.example', '403 address_refused'],
		['https://SANDGLASS.example./', '403 address_refused'],
		['http://localhost:5173', '403 address_refused'],
		['http://localhost', '403 address_refused'],
		['http://a.localhost.', '403 address_refused'],
		['http://a.localhost..', '403 address_refused'],
		['http://printer.local', '403 address_refused'],
		['http://metadata.google.internal', '403 address_refused'],
		['http://nas.home.arpa', '403 address_refused'],
		['http://mylocal', 'filtered'],
		['http://local.example', 'filtered'],
		['http://168.63.129.16', '403 address_refused'],
		['http://[::ffff:8.8.8.8]', '403 address_refused']
	])('%s: %s', (url, expected) => {
		expect(outcome(url)).toBe(expected);
	});

	it('is refused in words that say what the operator can do', () => {
		expect(() => checkAddress(new URL('https://example.org:22'), policy)).toThrow(
			'Only ports 80 and 443 are opened. The operator of this server can add example.org:22 to SANDGLASS_ALLOW_HOSTS.'
		);
		expect(() => checkAddress(new URL('http://a.local'), policy)).toThrow(
			'a.local:80 is not on the public internet, so it is not opened. The operator of this server can add it to SANDGLASS_ALLOW_HOSTS.'
		);
		expect(() => checkAddress(new URL('http://localhost:5173'), policy)).toThrow(
			'This server does not open connections to itself.'
		);
		expect(() => checkAddress(new URL('ftp://a'), policy)).toThrow(
			'Only http:// and https:// addresses can be opened.'
		);
		expect(() => checkAddress(new URL('http://u@a'), policy)).toThrow('user name or password');
	});

	it('is parsed, or said to be missing or none', () => {
		expect(parseAddress('https://a.example/x').href).toBe('https://a.example/x');
		for (const text of [undefined, ''])
			expect(() => parseAddress(text)).toThrow(
				new Refusal(400, 'address_missing', 'Specify the address to open: ?url=https://….')
			);
		expect(() => parseAddress('a b')).toThrow(
			new Refusal(400, 'address_invalid', 'That is not an address; write it as https://….')
		);
	});
});

it.each([
	['168.63.129.16', true],
	['168.63.129.17', false],
	['161.26.0.1', true],
	['161.27.0.1', false],
	['166.8.0.1', true],
	['166.11.255.255', true],
	['166.12.0.0', false],
	['::1', true],
	['64:ff9b::808:808', true],
	['1fff::1', true],
	['2000::1', false],
	['3fff::1', false],
	['4000::1', true],
	['7fff::1', true],
	['8000::1', true],
	['fe80::1', true],
	['2001:db8::5efe:7f00:1', true],
	['2001:db8::5eff:7f00:1', false],
	['2001:db8:5efe:1:2:3:4:5', false],
	['example.org', false]
])('%s is reserved: %s', (address, expected) => {
	expect(isReserved(address)).toBe(expected);
});
