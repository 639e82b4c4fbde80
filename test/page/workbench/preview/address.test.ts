import { describe, expect, it } from 'vitest';
import { DEVICES, deviceOf, scaleFor, turned } from '#page/workbench/preview/devices.ts';
import { parseAddress } from '#page/workbench/preview/parse-address.ts';

describe('an address typed into the preview', () => {
	const port = { kind: 'port', port: 5173, url: '/' } as const;

	it('is a path of the server that is displayed', () => {
		expect(parseAddress('/about?x=1#top', port)).toEqual({ kind: 'port', port: 5173, url: '/about?x=1' });
		expect(parseAddress(' about ', port)).toEqual({ kind: 'port', port: 5173, url: '/about' });
	});

	it('is another server of the tab, however it is named', () => {
		for (const typed of [
			':3000/a',
			'localhost:3000/a',
			'http://localhost:3000/a',
			'127.0.0.1:3000/a',
			'http://[::1]:3000/a'
		])
			expect([typed, parseAddress(typed, port)]).toEqual([typed, { kind: 'port', port: 3000, url: '/a' }]);
		expect(parseAddress(':3000', { kind: 'document', path: 'a.html' })).toEqual({ kind: 'port', port: 3000, url: '/' });
		expect(parseAddress('localhost:3000?q', port)).toEqual({ kind: 'port', port: 3000, url: '/?q' });
	});

	it('is a document of the project, in the frame that is displayed', () => {
		expect(parseAddress('/docs/b.html#x', { kind: 'document', path: 'a.html' })).toEqual({
			kind: 'document',
			path: 'docs/b.html'
		});
		expect(parseAddress('b.html', { kind: 'files', path: 'a.html' })).toEqual({ kind: 'files', path: 'b.html' });
	});

	it('is nothing outside the tab', () => {
		for (const typed of [
			'https://example.com/',
			'javascript:alert(1)',
			'data:text/html,x',
			'//example.com',
			'',
			':0',
			':99999'
		])
			expect([typed, parseAddress(typed, port)]).toEqual([typed, null]);
		expect(parseAddress('/', { kind: 'document', path: 'a.html' })).toBe(null);
	});
});

describe('the size of a displayed page', () => {
	it('is that of a device, upright or turned', () => {
		expect(deviceOf(DEVICES.phone)).toBe('phone');
		expect(deviceOf(turned(DEVICES.phone))).toBe('phone');
		expect(deviceOf({ width: 500, height: 500 })).toBe(null);
		expect(deviceOf(null)).toBe(null);
	});

	it('is made smaller to fit, never larger', () => {
		expect(scaleFor(DEVICES.laptop, 640)).toBe(0.5);
		expect(scaleFor(DEVICES.phone, 1000)).toBe(1);
		expect(scaleFor(DEVICES.phone, 0)).toBe(1);
	});
});
