import { describe, expect, it } from 'vitest';
import { fromBase64, fromBase64Url, toBase64, toBase64Url } from '#session/share/base64.ts';
import { inlineLink, parseShareFragment, storedLink } from '#session/share/link.ts';

const SITE = 'https://s.example/';

describe('a link to a share', () => {
	it('has the share itself or its id and key, and is parsed as it was made', () => {
		const data = Uint8Array.from([0, 255, 254, 251, 62, 63]);
		const inline = inlineLink(SITE, data) ?? '';
		expect(parseShareFragment(new URL(inline).hash)).toEqual({ kind: 'inline-share', data: toBase64Url(data) });
		const stored = storedLink(SITE, 'id_1-x', data);
		expect(parseShareFragment(new URL(stored).hash)).toEqual({
			kind: 'stored-share',
			id: 'id_1-x',
			key: toBase64Url(data)
		});
	});

	it('stays below 8,000 characters, or the share goes to the server', () => {
		const lengthOf = (bytes: number) => inlineLink(SITE, new Uint8Array(bytes))?.length ?? null;
		const overhead = `${SITE}#i=`.length;
		// Four characters for three bytes.
		const largest = Math.floor(((7_999 - overhead) * 3) / 4);
		expect(lengthOf(largest)).toBeLessThan(8_000);
		expect(lengthOf(largest + 3)).toBeNull();
		// `#i=` and two characters for one byte.
		expect(inlineLink('x'.repeat(7_994), new Uint8Array(1))).toHaveLength(7_999);
		expect(inlineLink('x'.repeat(7_995), new Uint8Array(1))).toBeNull();
	});

	it.each([
		['s=id.key', { kind: 'stored-share', id: 'id', key: 'key' }],
		['#s=id.key', { kind: 'stored-share', id: 'id', key: 'key' }],
		['#/s=id.key', { kind: 'stored-share', id: 'id', key: 'key' }],
		['/i=abc', { kind: 'inline-share', data: 'abc' }],
		['#i=a.b.c', { kind: 'inline-share', data: 'a.b.c' }],
		['#i=ab.cd.ef', { kind: 'inline-share', data: 'ab.cd.ef' }],
		...['s=id', 's=id.', 's=.key', 's=id.key.more', 's=i d.key', 'i=', 'i=a b', 'i=a..b', 's='].map(
			(text): [string, 'damaged'] => [text, 'damaged']
		),
		...[
			'',
			'#',
			'settings',
			'#/session/1',
			'x=s=id.key',
			'x=i=abc',
			'x#s=id.key',
			's#=id.key',
			'i/=abc',
			'x/i=abc',
			'##s=id.key'
		].map((text): [string, null] => [text, null])
	])('%j is read as %j', (fragment, address) => {
		expect(parseShareFragment(fragment)).toEqual(address);
	});
});

describe('base64', () => {
	const long = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);

	it('is Node’s, in both alphabets, and comes back', () => {
		for (const bytes of [new Uint8Array(), Uint8Array.from([1]), Uint8Array.from([250, 255, 62]), long]) {
			expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
			expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
			expect(fromBase64(toBase64(bytes))).toEqual(bytes);
			expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
		}
	});

	it('says what is none', () => {
		for (const text of ['*', 'a', 'ab$d']) expect(() => fromBase64Url(text)).toThrow(new RangeError('not base64'));
	});
});
