import { describe, expect, it } from 'vitest';
import { servePreviews } from '#server/preview/serve.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startRoutes } from '../start.ts';

const PAGE = 'page.example';
const PREVIEW = 'p.preview.example';

async function start() {
	const place = { origins: () => [], isPreview: (host: string | undefined) => host === PREVIEW };
	const { url } = await startRoutes((app) => {
		app.use(servePreviews(place, () => [PAGE]));
		app.all('*', (c) => c.text('of the page'));
	});
	return (path: string, host = PREVIEW, method = 'GET') => ask(url + path, { method, headers: { host } });
}

const CLOSED = "default-src 'none'; frame-ancestors 'none'";
const SENTENCE = 'This preview is only available inside its Sandglass tab. Open it from there.\n';

describe('the origin of a preview', () => {
	it('has the document that holds a site, for our page alone', async () => {
		const get = await start();
		const { status, text, headers } = await get('/__sandglass__/host');
		expect([status, headers['content-type'], headers['cache-control']]).toEqual([
			200,
			'text/html; charset=utf-8',
			'no-cache'
		]);
		expect(text).toContain("navigator.serviceWorker.register('/__sandglass__/worker.js', { scope: '/' })");
		expect(headers['content-security-policy']).toMatch(/; frame-ancestors page\.example$/);
	});

	it('has the worker that answers for it, with the policies of the site in it', async () => {
		const get = await start();
		const { status, text, headers } = await get('/__sandglass__/worker.js');
		expect([status, headers['content-type'], headers['service-worker-allowed']]).toEqual([
			200,
			'text/javascript; charset=utf-8',
			'/'
		]);
		expect(headers['content-security-policy']).toBe(CLOSED);
		expect(text).toContain("frame-ancestors 'self' page.example");
		expect(text).toContain("=== '/__sandglass__/host'");
	});

	it('has nothing else, and says where it is shown', async () => {
		const get = await start();
		for (const path of ['/', '/api/config', '/__sandglass__/', '/__sandglass__/host/']) {
			const { status, text, headers } = await get(path);
			expect([status, text, headers['content-type']], path).toEqual([404, SENTENCE, 'text/plain; charset=utf-8']);
			expect(headers['content-security-policy']).toBe(CLOSED);
		}
	});

	it('is only read', async () => {
		const get = await start();
		expect(await get('/__sandglass__/host', PREVIEW, 'HEAD')).toMatchObject({ status: 200, text: '' });
		for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
			const { status, text, headers } = await get('/__sandglass__/host', PREVIEW, method);
			expect([status, text, headers.allow, headers['content-type']], method).toEqual([
				405,
				SENTENCE,
				'GET, HEAD',
				'text/plain; charset=utf-8'
			]);
			expect(headers['content-security-policy']).toBe(CLOSED);
		}
	});

	it('is another one than that of the page', async () => {
		const get = await start();
		expect((await get('/__sandglass__/host', PAGE)).text).toBe('of the page');
	});
});
