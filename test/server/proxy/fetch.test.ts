import { describe, expect, it } from 'vitest';
import { fetchRoute } from '#server/proxy/fetch.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startRoutes } from '../start.ts';
import { standInGuard } from './stand-in-guard.ts';

async function start(answer: Parameters<typeof standInGuard>[0] = {}) {
	const { guard, state } = standInGuard(answer);
	const routes = await startRoutes((app) => fetchRoute(app, guard));
	const get = () => ask(`${routes.url}/api/fetch?url=https://page.example/x`, { headers: { cookie: 'ours=1' } });
	return { ...routes, state, get };
}

describe('a page that is read', () => {
	it('is asked for as text, for a minute and up to 5 MB', async () => {
		const { get, state, logged } = await start();
		await get();
		expect(state.asked).toEqual([
			expect.objectContaining({
				method: 'GET',
				headers: { accept: 'text/html, text/*;q=0.9, application/json;q=0.8', 'user-agent': 'sandglass' },
				limits: { headersMs: 20_000, idleMs: 15_000, totalMs: 60_000, maxBytes: 5_242_880 }
			})
		]);
		await expect.poll(() => logged).toMatchObject([{ to: 'page.example' }]);
	});

	it.each([
		['text/html', 'utf-8'],
		['TEXT/CSV; charset=ISO-8859-1', 'ISO-8859-1'],
		['text/html; Charset = "windows-1252"', 'windows-1252'],
		['application/json', 'utf-8'],
		['application/vnd.api+json; v=1', 'utf-8'],
		['application/problem+xml', 'utf-8'],
		['application/javascript', 'utf-8'],
		['application/yaml', 'utf-8'],
		[undefined, 'utf-8']
	])('may be %s', async (type, charset) => {
		const { get } = await start({ status: 404, headers: type === undefined ? {} : { 'content-type': type } });
		const answer = await get();
		expect([answer.status, answer.text]).toEqual([404, 'answered']);
		expect(answer.headers['content-type']).toBe(`text/plain; charset=${charset}`);
		expect(answer.headers['x-sandglass-content-type']).toBe(type ?? 'text/plain');
	});

	it.each(['image/svg+xml', 'application/pdf', 'application/jsonx', 'application/x json', 'x-text/html', 'video/mp4'])(
		'may not be %s',
		async (type) => {
			const { get, state } = await start({ headers: { 'content-type': `${type}; a=b` } });
			const answer = await get();
			expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([415, 'not_text']);
			expect(JSON.parse(answer.text).error.message).toBe(`That address responded with ${type}; only text can be read.`);
			expect(state.body.destroyed).toBe(true);
		}
	);

	it('is not read where it redirects to', async () => {
		const { get } = await start({ status: 301, headers: { location: '/y' } });
		expect((await get()).headers['x-sandglass-location']).toBe('https://page.example/y');
	});
});
