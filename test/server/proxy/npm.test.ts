import { describe, expect, it } from 'vitest';
import { npmRoute } from '#server/proxy/npm.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startRoutes } from '../start.ts';
import { standInGuard } from './stand-in-guard.ts';

async function start(answer: Parameters<typeof standInGuard>[0] = {}, registry = 'https://registry.example/npm') {
	const { guard, state } = standInGuard(answer);
	const routes = await startRoutes((app) => npmRoute(app, guard, registry));
	const get = (path: string, headers: Record<string, string> = {}) => ask(`${routes.url}/api/npm${path}`, { headers });
	return { ...routes, state, get };
}

describe('the registry of npm', () => {
	it.each([
		['/express', 'application/json'],
		['/Express/4.0.0-rc.1+x', 'application/json'],
		['/@types/node', 'application/json'],
		['/@types%2Fnode/latest', 'application/json'],
		['/_a~.b', 'application/json'],
		['/express/-/express-4.0.0.tgz', 'application/octet-stream'],
		['/Express/-/Express-4.0.0.tgz', 'application/octet-stream'],
		['/@types/node/-/node-1.0.0+x~.tgz', 'application/octet-stream'],
		['/@types/node/-/@types/node-1.0.0.tgz', 'application/octet-stream']
	])('answers %s', async (path, type) => {
		const { get, state } = await start();
		const answer = await get(path);
		expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([200, 'answered', type]);
		expect(state.asked.map(({ url, method }) => `${method} ${url.href}`)).toEqual([
			`GET https://registry.example/npm${path}`
		]);
	});

	it.each([
		'/',
		'/-/whoami',
		'/-/v1/search',
		'/-/package/a/dist-tags',
		'/.hidden',
		'/a/b/c',
		'/a/-x',
		'/@types',
		'/@/node',
		'/a b',
		'/a/-/a.tgz/x',
		'/a/-/.tgz',
		'/a/-/a.tar',
		'/a/-/b/c.tgz',
		'/x/a/-/a-1.tgz',
		'/-/-/a-1.tgz',
		'/a/-/axtgz'
	])('is not asked for %s', async (path) => {
		const { get, state } = await start();
		const answer = await get(encodeURI(path));
		expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([404, 'path_refused']);
		expect(JSON.parse(answer.text).error.message).toBe(
			'Only packages and their tarballs can be read from the registry.'
		);
		expect(state.asked).toEqual([]);
	});

	it('gets the headers of caches and no credentials, and five minutes for 256 MB', async () => {
		const { get, state } = await start();
		await get('/a', { accept: 'application/json', 'if-none-match': '"x"', authorization: 'mine', cookie: 'a=b' });
		expect(state.asked).toEqual([
			expect.objectContaining({
				headers: { accept: 'application/json', 'if-none-match': '"x"', 'user-agent': 'sandglass' },
				limits: { headersMs: 30_000, idleMs: 30_000, totalMs: 300_000, maxBytes: 268_435_456 }
			})
		]);
	});

	it.each([
		['https://registry.example', 'registry.example:443'],
		['http://registry.example/npm', 'registry.example:80'],
		['http://127.0.0.1:4873', '127.0.0.1:4873']
	])('may be %s, wherever it is: its operator named it', async (registry, host) => {
		const { get, state, logged } = await start({}, registry);
		await get('/a');
		expect(state.asked[0]?.alsoAllowed).toBe(host);
		await expect.poll(() => logged).toMatchObject([{ to: host }]);
	});

	it.each([
		[200, '/a', 'private, max-age=300'],
		[304, '/a', 'private, max-age=300'],
		[200, '/a/-/a-1.tgz', 'private, max-age=31536000, immutable'],
		[404, '/a', 'no-store'],
		[500, '/a/-/a-1.tgz', 'no-store']
	])('has an answer of %i to %s kept as %s', async (status, path, kept) => {
		const { get } = await start({
			status,
			headers: { etag: '"e"', 'last-modified': 'now', 'set-cookie': ['a=b'], 'content-type': 'text/html' }
		});
		const { headers } = await get(path);
		expect(headers).toMatchObject({ 'cache-control': kept, etag: '"e"', 'last-modified': 'now' });
		expect(headers).not.toHaveProperty('set-cookie');
		expect(headers['content-type']).not.toBe('text/html');
	});

	it('is not followed elsewhere', async () => {
		const { get } = await start({ status: 302, headers: { location: 'https://elsewhere.example/a' } });
		expect((await get('/a')).headers['x-sandglass-error']).toBe('redirected');
	});
});
