import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '#server/configuration/load.ts';
import type { PageFile } from '#server/page/page-files.ts';
import { pageRoutes } from '#server/page/routes.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { RUNNER, startRoutes } from '../start.ts';

const YEAR = 'public, max-age=31536000, immutable';
const FILES: Record<string, PageFile> = {
	'/': { type: 'text/html', immutable: false, etag: '"page"', bytes: Buffer.from('page'), gzipped: Buffer.from('zip') },
	'/assets/a.js': { type: 'text/javascript', immutable: true, etag: '"a"', bytes: Buffer.from('code') }
};

async function start(runner = RUNNER as Omit<typeof RUNNER, 'build'> & { build?: string }) {
	const preview = { origins: (host: string) => [`http://preview-of-${host}`], isPreview: () => false };
	const { url } = await startRoutes((app) =>
		pageRoutes(app, loadConfiguration({}), { get: async (address) => FILES[address] }, runner, preview)
	);
	return { url, get: (path: string, headers = {}, method = 'GET') => ask(url + path, { headers, method }) };
}

describe('the address of the page', () => {
	it('has a file, its type, and the headers of this host’s page', async () => {
		const { get } = await start();
		const answer = await get('/', { host: 'page.example' });
		expect([answer.status, answer.text]).toEqual([200, 'page']);
		expect(answer.headers).toMatchObject({
			'content-type': 'text/html',
			etag: '"page"',
			vary: 'accept-encoding',
			'cache-control': 'public, max-age=0, must-revalidate',
			'content-security-policy': expect.stringContaining(
				'frame-src page.example/runner page.example/preview-frame http://preview-of-page.example;'
			)
		});
		expect(answer.headers).not.toHaveProperty('content-encoding');
		expect((await get('/assets/a.js')).headers['cache-control']).toBe(YEAR);
		expect(await get('/', {}, 'HEAD')).toMatchObject({ status: 200, text: '' });
	});

	it.each([
		['gzip', true],
		['br, gzip;q=0.5', true],
		['br', false],
		['xgzip', false],
		['gzipx', false]
	])('is compressed for a browser that accepts %s: %s', async (encoding, isCompressed) => {
		const { get } = await start();
		const { text, headers } = await get('/', { 'accept-encoding': encoding });
		expect([text, headers['content-encoding']]).toEqual(isCompressed ? ['zip', 'gzip'] : ['page', undefined]);
		const whole = await get('/assets/a.js', { 'accept-encoding': encoding });
		expect([whole.text, whole.headers['content-encoding']]).toEqual(['code', undefined]);
	});

	it('sends nothing that a browser has, unless its cookies are to be dropped: then nothing is kept', async () => {
		const { get } = await start();
		const known = { 'if-none-match': '"page"' };
		expect(await get('/', known)).toMatchObject({ status: 304, text: '', headers: { etag: '"page"' } });
		expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200);
		const flooded = await get('/', { ...known, cookie: 'x'.repeat(12 * 1024 + 1) });
		expect([flooded.status, flooded.headers['cache-control']]).toEqual([200, 'no-store']);
	});

	it('has no other files, and takes no other methods', async () => {
		const { get } = await start();
		const missing = await get('/none');
		expect([missing.status, JSON.parse(missing.text).error]).toEqual([
			404,
			{ type: 'not_found', message: 'There is no page at this address. Open / instead.' }
		]);
		for (const path of ['/', '/runner?v=b1', '/preview-frame']) {
			const refused = await get(path, {}, 'POST');
			expect([refused.status, refused.headers.allow, JSON.parse(refused.text).error.message]).toEqual([
				405,
				'GET, HEAD',
				'POST is not allowed here; this address accepts GET, HEAD.'
			]);
		}
	});
});

describe('the sandbox frame', () => {
	it('is a document that browsers keep by its build', async () => {
		const { get } = await start();
		const { status, text, headers } = await get('/runner?v=b1');
		expect([status, text]).toEqual([200, RUNNER.html]);
		expect(headers).toMatchObject({
			...RUNNER.headers,
			'content-type': 'text/html; charset=utf-8',
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'cache-control': YEAR
		});
		expect(await get('/runner?v=b1', {}, 'HEAD')).toMatchObject({ status: 200, text: '' });
	});

	it('is not that of another build, or of none', async () => {
		const { get } = await start();
		for (const query of ['', '?v=', '?v=b2', '?w=b1']) {
			const answer = await get(`/runner${query}`);
			expect([answer.status, JSON.parse(answer.text).error], query).toEqual([
				404,
				{
					type: 'other_build',
					message: 'This server has a different build of the sandbox frame. Reload the page.'
				}
			]);
			expect(answer.headers['cache-control']).toBe('no-store');
		}
	});

	it('without a build is served for any, but never without one', async () => {
		const { get } = await start({ html: RUNNER.html, headers: RUNNER.headers });
		expect((await get('/runner?v=any')).status).toBe(200);
		expect((await get('/runner')).status).toBe(404);
	});
});

it('embeds the frame of what an agent wrote in our page alone, without a network or rights', async () => {
	const { get } = await start();
	const { status, text, headers } = await get('/preview-frame', { host: 'page.example' });
	expect(status).toBe(200);
	expect(text).toContain("parent.postMessage('sandglass:preview-ready', '*')");
	expect(headers).toMatchObject({
		'content-type': 'text/html; charset=utf-8',
		'cache-control': 'no-cache',
		'x-content-type-options': 'nosniff',
		'referrer-policy': 'no-referrer',
		'cross-origin-embedder-policy': 'require-corp',
		'cross-origin-resource-policy': 'cross-origin',
		'connection-allowlist': '()'
	});
	expect(headers['content-security-policy']?.toString().split('; ').toSorted()).toEqual([
		"base-uri 'none'",
		"connect-src 'none'",
		"default-src 'none'",
		'font-src data:',
		"form-action 'none'",
		'frame-ancestors page.example',
		'img-src data: blob:',
		'media-src data: blob:',
		'sandbox allow-scripts allow-forms',
		"script-src 'unsafe-inline'",
		"style-src 'unsafe-inline'"
	]);
	expect(await get('/preview-frame', {}, 'HEAD')).toMatchObject({ status: 200, text: '' });
});
