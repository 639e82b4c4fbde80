import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
	address,
	bytes,
	dollars,
	hops,
	hostEntry,
	list,
	onOff,
	port,
	previewOriginField,
	secret,
	whole
} from '#server/configuration/fields.ts';

/** Value of a setting, or the sentence that rejects it. */
function read(field: z.ZodType, value: string | undefined): unknown {
	const parsed = field.safeParse(value);
	return parsed.success ? parsed.data : `refused: ${parsed.error.issues.map(({ message }) => message).join('; ')}`;
}
const refused = (message: string): string => `refused: must be ${message}`;
const NOT_CREDENTIALS = 'refused: must not contain a user name or password';
const NOT_QUERY = 'refused: must not contain a query or fragment';
const HOSTS = refused('a list of host or host:port, separated by commas');
const DOLLARS = refused('an amount in dollars, such as 5 or 0.25');
const ADDRESS = refused('an http:// or https:// address');
const ORIGIN = refused('an origin such as https://*.preview.example.org, or off');
const SECRET = refused('one word of visible ASCII characters, without spaces');
const PORT = refused('a number from 0 to 65535');
const HOPS = refused('the number of proxies in front, from 0 to 9');
const SIZE = refused('a size such as 512m or 4g');
const WHOLE = refused('a number from 1 to 50');

describe('a setting', () => {
	it.each<[string, z.ZodType, string | undefined, unknown]>([
		['a host', hostEntry, 'A.Example', 'a.example'],
		['a host', hostEntry, 'a.example:8080', 'a.example:8080'],
		['a host', hostEntry, 'a', 'a'],
		['a host', hostEntry, 'a-1.b', 'a-1.b'],
		['a host', hostEntry, 'a.example:123456', HOSTS],
		['a host', hostEntry, 'a.example:', HOSTS],
		['a host', hostEntry, '-a', HOSTS],
		['a host', hostEntry, 'a-', HOSTS],
		['a host', hostEntry, 'http://a', HOSTS],
		['a host', hostEntry, '', HOSTS],
		['a list', list(hostEntry), undefined, []],
		['a list', list(hostEntry), ' A, b:1 ,,\n c ', ['a', 'b:1', 'c']],
		['a list', list(hostEntry), 'a,b/', HOSTS],
		['an address', address, 'https://a.example/x//', 'https://a.example/x'],
		['an address', address, 'http://A.example', 'http://a.example'],
		['an address', address, 'ftp://a.example', ADDRESS],
		['an address', address, 'a.example', ADDRESS],
		['an address', address, 'https://user@a.example', NOT_CREDENTIALS],
		['an address', address, 'https://:secret@a.example', NOT_CREDENTIALS],
		['an address', address, 'https://a.example/?q', NOT_QUERY],
		['an address', address, 'https://a.example/#f', NOT_QUERY],
		['an origin', previewOriginField, 'off', 'off'],
		['an origin', previewOriginField, 'https://*.Preview.example:8443/', 'https://*.preview.example:8443'],
		['an origin', previewOriginField, 'http://localhost:5174', 'http://localhost:5174'],
		['an origin', previewOriginField, 'https://a.example/x', ORIGIN],
		['an origin', previewOriginField, 'https://a.*.example', ORIGIN],
		['an origin', previewOriginField, 'xhttps://a.example', ORIGIN],
		['an origin', previewOriginField, 'OFF', ORIGIN],
		['a secret', secret, '!word~', '!word~'],
		['a secret', secret, 'two words', SECRET],
		['a secret', secret, 'line\n', SECRET],
		['a secret', secret, 'schlüssel', SECRET],
		['a secret', secret, '', SECRET],
		['a switch', onOff, undefined, false],
		['a switch', onOff, '0', false],
		['a switch', onOff, '1', true],
		['a switch', onOff, 'true', refused('1 (on) or 0 (off)')],
		['a port', port, undefined, 5173],
		['a port', port, '0', 0],
		['a port', port, '65535', 65_535],
		['a port', port, '65536', PORT],
		['a port', port, '-1', PORT],
		['a port', port, '1e3', PORT],
		['proxies', hops, undefined, 0],
		['proxies', hops, '9', 9],
		['proxies', hops, '10', HOPS],
		['proxies', hops, 'x', HOPS],
		['dollars', dollars, undefined, undefined],
		['dollars', dollars, '5', 5],
		['dollars', dollars, '0.25', 0.25],
		['dollars', dollars, '0', DOLLARS],
		['dollars', dollars, '.5', DOLLARS],
		['dollars', dollars, '1234567', DOLLARS],
		['dollars', dollars, '0.1234567', DOLLARS],
		['dollars', dollars, '-1', DOLLARS],
		['dollars', dollars, '5$', DOLLARS],
		['a size', bytes('1k'), undefined, 1_024],
		['a size', bytes('1k'), '512m', 512 * 2 ** 20],
		['a size', bytes('1k'), '4GB', 4 * 2 ** 30],
		['a size', bytes('1k'), '2kb', 2_048],
		['a size', bytes('1k'), '7', 7],
		['a size', bytes('1k'), '7b', 7],
		['a size', bytes('1k'), '0', SIZE],
		['a size', bytes('1k'), '1t', SIZE],
		['a size', bytes('1k'), '1.5g', SIZE],
		['a size', bytes('1k'), 'x4g', SIZE],
		['a size', bytes('1k'), '4gx', SIZE],
		['a number', whole(5, 1, 50), undefined, 5],
		['a number', whole(5, 1, 50), '1', 1],
		['a number', whole(5, 1, 50), '50', 50],
		['a number', whole(5, 1, 50), '0', WHOLE],
		['a number', whole(5, 1, 50), '51', WHOLE],
		['a number', whole(5, 1, 50), '5x', WHOLE],
		['a number', whole(5, 1, 50), '1.5', WHOLE]
	])('that is %s reads %o %j as %j', (_, field, value, meant) => {
		expect(read(field, value)).toEqual(meant);
	});
});
