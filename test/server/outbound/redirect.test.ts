import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { refuseRedirect } from '#server/outbound/redirect.ts';

function refused(status: number, location: string | undefined, from = 'https://a.example/x/y') {
	const body = Readable.from(['moved']);
	const response = { status, headers: location === undefined ? {} : { location }, body, url: new URL(from) };
	try {
		refuseRedirect(response);
		expect(body.destroyed).toBe(false);
		return undefined;
	} catch (error) {
		expect(body.destroyed).toBe(true);
		return error;
	}
}

describe('a redirect', () => {
	it.each([301, 302, 303, 307, 308])('of %i is handed to the page, which decides', (status) => {
		expect(refused(status, '../z?q')).toMatchObject({
			status: 502,
			code: 'redirected',
			message: 'a.example redirects to a.example, which this server does not follow.',
			headers: { 'X-Sandglass-Status': String(status), 'X-Sandglass-Location': 'https://a.example/z?q' }
		});
	});

	it.each([200, 300, 304, 305, 306, 400])('is not what has the status %i', (status) => {
		expect(refused(status, 'https://b.example')).toBeUndefined();
	});

	it('is not what names no place', () => {
		expect(refused(302, undefined)).toBeUndefined();
	});

	it('to no address is said to be invalid', () => {
		expect(refused(302, 'http://[')).toMatchObject({
			status: 502,
			code: 'redirect_invalid',
			message: 'a.example redirected to an invalid address.'
		});
	});

	it.each(['http://b.example', 'ftp://b.example', 'data:text/plain,x'])('from TLS to %s is refused', (location) => {
		expect(refused(302, location)).toMatchObject({
			status: 502,
			code: 'redirect_refused',
			message: 'a.example redirected to an unencrypted address.'
		});
	});

	it('from an unencrypted address may lead to either', () => {
		for (const location of ['http://b.example/', 'https://b.example/'])
			expect(refused(302, location, 'http://a.example')).toMatchObject({
				headers: { 'X-Sandglass-Location': location }
			});
	});
});
