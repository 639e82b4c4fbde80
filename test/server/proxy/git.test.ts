import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { gitRoutes } from '#server/proxy/git.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startRoutes } from '../start.ts';
import { standInGuard } from './stand-in-guard.ts';

async function start(answer: Parameters<typeof standInGuard>[0] = {}) {
	const { guard, state } = standInGuard(answer);
	const routes = await startRoutes((app) => gitRoutes(app, guard));
	const send = (path: string, options: Parameters<typeof ask>[1] = {}) => ask(`${routes.url}/api/git/${path}`, options);
	return { ...routes, state, send };
}

const LIST = 'info/refs?service=git-upload-pack';

describe('git through the server', () => {
	it.each([
		[
			'GET',
			'https/git.example/a/b.git/info/refs?service=git-upload-pack&x=1',
			'https://git.example/a/b.git/info/refs?service=git-upload-pack',
			undefined
		],
		[
			'GET',
			'https/git.example/b/info/refs?service=git-receive-pack',
			'https://git.example/b/info/refs?service=git-receive-pack',
			undefined
		],
		['POST', 'http/git.example%3A8080/a/b/git-upload-pack?x=1', 'http://git.example:8080/a/b/git-upload-pack', '0000'],
		['POST', 'https/git.example%3a8443/b/git-receive-pack', 'https://git.example:8443/b/git-receive-pack', '0000'],
		['GET', `https/[2606:4700::1]/b/${LIST}`, `https://[2606:4700::1]/b/${LIST}`, undefined]
	])('%s %s', async (method, path, url, body) => {
		const { send, state } = await start();
		expect((await send(path, { method, ...(body === undefined ? {} : { body }) })).text).toBe('answered');
		expect(state.asked).toEqual([expect.objectContaining({ method, sent: body })]);
		expect(state.asked[0]?.url.href).toBe(url);
	});

	it('has the headers of git and no others, both ways', async () => {
		const { send, state, logged } = await start({
			status: 401,
			headers: { 'content-type': 'text/x', 'www-authenticate': 'Basic', 'set-cookie': ['a=b'] }
		});
		const headers = {
			authorization: 'Basic x',
			'content-type': 'application/x-git-upload-pack-request',
			'content-encoding': 'gzip',
			accept: 'application/x-git-upload-pack-result',
			'git-protocol': 'version=2'
		};
		const answer = await send('https/git.example/b/git-upload-pack', {
			method: 'POST',
			headers: { ...headers, cookie: 'ours=1' },
			body: '0000'
		});
		expect(state.asked[0]?.headers).toEqual({ ...headers, 'user-agent': 'git/2.40.0 (sandglass)' });
		expect([answer.status, answer.headers['content-type']]).toEqual([401, 'text/x']);
		for (const name of ['www-authenticate', 'set-cookie']) expect(answer.headers).not.toHaveProperty(name);
		await expect.poll(() => logged).toMatchObject([{ to: 'git.example' }]);
	});

	it('has a quarter of an hour and a GB for an answer', async () => {
		const { send, state } = await start();
		await send(`https/git.example/b/${LIST}`);
		expect(state.asked[0]?.limits).toEqual({
			headersMs: 60_000,
			idleMs: 60_000,
			totalMs: 900_000,
			maxBytes: 1_073_741_824
		});
	});

	it.each([
		['git-upload-pack', 4_194_304],
		['git-receive-pack', 268_435_456]
	])('sends to %s up to %i bytes', async (service, limit) => {
		const path = `https/git.example/b/${service}`;
		const refusing = await start();
		const announced = { method: 'POST', headers: { 'content-length': String(limit + 1) } };
		const answer = await refusing.send(path, announced).catch(() => undefined);
		if (answer) expect(answer.status).toBe(413);
		expect(refusing.state.asked).toEqual([]);
		const { send, state } = await start();
		const body = new Uint8Array(Math.min(limit, 5_000_000));
		expect((await send(path, { method: 'POST', body })).status).toBe(200);
		expect(state.asked).toHaveLength(1);
	});

	it('sends a fetch with its length, which some hosts require, and a push as it comes', async () => {
		const { send, state } = await start();
		for (const service of ['git-upload-pack', 'git-receive-pack'])
			await send(`https/git.example/b/${service}`, { method: 'POST', body: '0000' });
		expect(state.asked.map(({ body }) => [body instanceof Uint8Array, body instanceof Readable])).toEqual([
			[true, false],
			[false, true]
		]);
	});

	const ONLY_GIT = 'Only git itself goes through here: info/refs, git-upload-pack and git-receive-pack.';
	const WRITE = 'Write the address as /api/git/https/<host>/<path of the repository>.';
	const DOTS = 'The path of the repository has encoded dots or slashes in it.';
	it.each([
		['GET', 'https/git.example/b/HEAD', 404, 'path_refused', ONLY_GIT],
		['GET', 'https/git.example/b/info/refs', 404, 'path_refused', ONLY_GIT],
		['GET', 'https/git.example/b/info/refs?service=git-upload-archive', 404, 'path_refused', ONLY_GIT],
		['GET', 'https/git.example/b/info/refs/x?service=git-upload-pack', 404, 'path_refused', ONLY_GIT],
		['POST', 'https/git.example/b/git-upload-archive', 404, 'path_refused', ONLY_GIT],
		['POST', 'https/git.example/b/my-git-upload-pack', 404, 'path_refused', ONLY_GIT],
		['POST', `https/git.example/b/${LIST}`, 405, 'method_not_allowed', 'This git call requires GET.'],
		['GET', 'https/git.example/b/git-upload-pack', 405, 'method_not_allowed', 'This git call requires POST.'],
		['GET', `ftp/git.example/b/${LIST}`, 400, 'address_invalid', WRITE],
		['GET', `xhttps/git.example/b/${LIST}`, 400, 'address_invalid', WRITE],
		['GET', `https/git.example%3A99999/b/${LIST}`, 400, 'address_invalid', WRITE],
		['GET', `https/u%40git.example/b/${LIST}`, 400, 'address_invalid', 'The host in the address is not a host name.'],
		['GET', `https/git.example%2f/b/${LIST}`, 400, 'address_invalid', 'The host in the address is not a host name.'],
		...['a%2fb', 'a%2Eb', 'a%5cb', 'a%00b', 'a//b'].map(
			(path) => ['GET', `https/git.example/${path}/${LIST}`, 400, 'address_invalid', DOTS] as const
		)
	] as const)('refuses %s %s with %i', async (method, path, status, code, message) => {
		const { send, state } = await start();
		const answer = await send(path, { method });
		expect([answer.status, answer.headers['x-sandglass-error'], JSON.parse(answer.text).error.message]).toEqual([
			status,
			code,
			message
		]);
		if (status === 405) expect(answer.headers.allow).toBe(method === 'GET' ? 'POST' : 'GET');
		expect(state.asked).toEqual([]);
	});
});
