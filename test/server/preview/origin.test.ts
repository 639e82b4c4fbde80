import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '#server/configuration/load.ts';
import { previewPlace } from '#server/preview/origin.ts';

const LOCAL = { page: 5173, previews: [5174, 5175] };
const place = (
	origin?: string,
	ports: { page: number; previews: number[] } = LOCAL,
	pageHosts = ['localhost:5173', '127.0.0.1:5173']
) =>
	previewPlace(
		loadConfiguration(origin === undefined ? {} : { SANDGLASS_PREVIEW_ORIGIN: origin }),
		() => ports,
		() => pageHosts
	);

describe('previews on this machine', () => {
	it('have a site of their own, and else another port of the name that the page is opened by', () => {
		expect(place().origins('localhost:5173')).toEqual([
			'http://*.localhost:5173',
			'http://localhost:5174',
			'http://localhost:5175'
		]);
		for (const name of ['127.0.0.1', '127.0.0.100'])
			expect(place().origins(`${name}:5173`).slice(1)).toEqual([`http://${name}:5174`, `http://${name}:5175`]);
	});

	it('are none behind a proxy, or where other machines reach the server', () => {
		for (const host of [
			'sandglass.example',
			'127.0.0.1.example:5173',
			'128.0.0.1:5173',
			'localhost.example',
			'notlocalhost:5173'
		])
			expect(place().origins(host), host).toEqual([]);
		expect(place(undefined, { page: 5173, previews: [] }).origins('localhost:5173')).toEqual([]);
		expect(place(undefined, { page: 5173, previews: [] }).isPreview('a.localhost:5173')).toBe(false);
	});

	it.each([
		['a-1.localhost:5173', true],
		['A.LOCALHOST:5173', true],
		['localhost:5174', true],
		['127.0.0.1:5175', true],
		['localhost:5173', false],
		['127.0.0.1:5173', false],
		['.localhost:5173', false],
		['a.b.localhost:5173', false],
		['a_b.localhost:5173', false],
		['a.example:5173', false],
		['a.localhost:1:5173', false],
		['a.localhost:5174', false],
		['localhost:5176', false],
		['evil.example:5174', false],
		['localhost', false],
		['', false],
		[undefined, false]
	])('know the host %s: %s', (host, isPreview) => {
		expect(place().isPreview(host)).toBe(isPreview);
	});
});

describe('previews at an origin that the operator names', () => {
	it('have a name for each session, or one for all', () => {
		expect(place('https://*.preview.example').origins('any')).toEqual(['https://*.preview.example']);
		expect(place('https://preview.example:8443').origins('any')).toEqual(['https://preview.example:8443']);
	});

	it.each([
		['https://*.preview.example', 'a-1.preview.example', true],
		['https://*.preview.example', 'A.PREVIEW.example', true],
		['https://*.preview.example', 'preview.example', false],
		['https://*.preview.example', '.preview.example', false],
		['https://*.preview.example', 'a.b.preview.example', false],
		['https://*.preview.example', 'a.preview.example.evil', false],
		['https://*.preview.example', 'apreview.example', false],
		['https://*.preview.example:8443', 'a.preview.example:8443', true],
		['https://*.preview.example:8443', 'a.preview.example', false],
		['http://preview.example', 'preview.example', true],
		['http://preview.example', 'a.preview.example', false],
		['http://preview.example', 'xreview.example', false],
		['http://preview.example', undefined, false]
	])('at %s know the host %s: %s', (origin, host, isPreview) => {
		expect(place(origin).isPreview(host)).toBe(isPreview);
	});

	it('are none where they are switched off', () => {
		expect(place('off').origins('localhost:5173')).toEqual([]);
		expect(place('off').isPreview('localhost:5174')).toBe(false);
	});
});
