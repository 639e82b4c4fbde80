import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ShareStore } from '#server/shares/store.ts';
import { inTime } from '#test/in-time.ts';
import { version } from '../../package.json';
import { askInTime as ask } from './ask-in-time.ts';
import { startSandglass, startUpstream } from './start.ts';

const NO_SHARES: ShareStore = {
	create: async () => undefined,
	open: async () => undefined,
	delete: async () => undefined,
	sweep: async () => 0
};

describe('the address of the server', () => {
	it('is the one it listens on, or the name that browsers take for this machine', async () => {
		expect((await startSandglass()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		for (const HOST of ['0.0.0.0', 'localhost'])
			expect((await startSandglass({ HOST })).url, HOST).toMatch(/^http:\/\/localhost:\d+$/);
	});

	it.each([
		['127.0.0.1', {}, 200],
		['localhost', {}, 200],
		['[::1]', {}, 403],
		['0.0.0.0', {}, 403],
		['127.0.0.2', {}, 403],
		['127.0.0.2', { HOST: '127.0.0.2' }, 200],
		['sandglass.example', {}, 403],
		['sandglass.example', { SANDGLASS_HOSTS: 'sandglass.example' }, 200],
		['0.0.0.0', { HOST: '0.0.0.0' }, 403],
		['127.0.0.1', { HOST: '0.0.0.0' }, 200]
	])('may be asked for as %s with %j: %i', async (name, env, status) => {
		const { url } = await startSandglass(env as Record<string, string>);
		const { port } = new URL(url);
		const host = 'HOST' in env && env.HOST === '127.0.0.2' ? '127.0.0.2' : '127.0.0.1';
		const answer = await ask(`http://${host}:${port}/api/config`, { headers: { host: `${name}:${port}` } });
		expect(answer.status).toBe(status);
	});

	it('is opened by none of its proxy routes, whatever it is called', async () => {
		const { url } = await startSandglass({ SANDGLASS_ALLOW_HOSTS: '127.0.0.1,localhost,0.0.0.0' });
		const { port } = new URL(url);
		for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '[::1]', '[::]']) {
			const answer = await ask(`${url}/api/fetch?url=http://${host}:${port}/`);
			expect([answer.status, JSON.parse(answer.text).error.message], host).toEqual([
				403,
				'This server does not open connections to itself.'
			]);
		}
	});
});

describe('a server that starts', () => {
	it('lists the models of this machine', async () => {
		const local = await startUpstream((_request, response) => response.end('{"data":[{"id":"small"}]}'));
		const localServers = [{ name: 'box', baseUrl: `${local.url}/v1` }];
		const { url } = await startSandglass({}, { localServers });
		const { providers } = JSON.parse((await ask(`${url}/api/config`)).text);
		expect(providers).toContainEqual({
			id: 'compatible-box',
			available: true,
			keyVariable: 'COMPATIBLE_BOX_API_KEY',
			models: ['small'],
			budget: null
		});
	});

	it('says which version it is', async () => {
		const plain = await startSandglass();
		expect(JSON.parse((await ask(`${plain.url}/api/config`)).text).version).toBe(version);
		const named = await startSandglass({}, { version: '7.8.9' });
		expect(JSON.parse((await ask(`${named.url}/api/config`)).text).version).toBe('7.8.9');
		expect(JSON.parse((await ask(`${named.url}/api/health`)).text)).toEqual({
			status: 'ready',
			version: '7.8.9',
			limits: 'counted by this server only',
			machines: {}
		});
	});

	it('says what it offers', async () => {
		const { url } = await startSandglass({
			NPM_REGISTRY: 'https://registry.example/npm/',
			SANDGLASS_ALLOW_HOSTS: 'git.example:8443',
			SANDGLASS_ARCHIVE_HOSTS: 'git.example=gitea',
			SANDGLASS_WEBCONTAINER: '1',
			SANDGLASS_GITHUB_CLIENT_ID: 'Iv1.0123456789',
			SANDGLASS_GITHUB_URL: 'https://github.example/base'
		});
		expect(JSON.parse((await ask(`${url}/api/config`)).text)).toMatchObject({
			limits: { requestBytes: 33_554_432, shareBytes: 33_554_432 },
			npmRegistry: 'https://registry.example/npm',
			archiveHosts: ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'gitea.com', 'git.example'],
			allowHosts: ['git.example:8443'],
			webcontainer: true,
			gitHubSignIn: 'https://github.example',
			sourceUrl: null,
			machines: false,
			providers: ['anthropic', 'openai', 'gemini'].map((id) =>
				expect.objectContaining({ id, available: false, models: [], budget: null })
			)
		});
	});

	it('takes connections for machines where it has some', async () => {
		const headers = { connection: 'Upgrade', upgrade: 'websocket' };
		const { url } = await startSandglass();
		expect((await ask(`${url}/api/machines/socket?ticket=x`, { headers })).status).toBe(404);
		const machines = {
			SANDGLASS_DOCKER: '/nowhere/docker.sock',
			SANDGLASS_MACHINE_IMAGE: 'debian:13',
			SANDGLASS_TOKEN: 'a-long-random-word-1234'
		};
		const server = await startSandglass(machines);
		expect(await ask(`${server.url}/api/machines/socket`, { headers })).toMatchObject({ status: 403, text: '' });
	});

	it('counts in the Redis of its settings, and its log says when that does not respond', async () => {
		const { url, logged } = await startSandglass({ REDIS_URL: 'redis://127.0.0.1:1' });
		expect(JSON.parse((await ask(`${url}/api/health`)).text)).toMatchObject({ status: 'degraded' });
		expect(logged.map((line) => JSON.parse(line))).toContainEqual({
			time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
			warning: 'Redis does not respond. Requests are counted by this server only, and budgets are closed.'
		});
	});

	it('has no metrics unless they are asked for', async () => {
		expect((await ask(`${(await startSandglass()).url}/metrics`)).status).toBe(404);
		const { url } = await startSandglass({ SANDGLASS_METRICS: '1' });
		expect((await ask(`${url}/metrics`)).headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
	});

	it('answers what it does not know below /api/ in a sentence', async () => {
		const { url } = await startSandglass();
		for (const [path, method] of [
			['/api/', 'GET'],
			['/api/x/y', 'POST'],
			['/api/machines', 'GET'],
			['/api/github/code', 'POST']
		] as const) {
			const answer = await ask(url + path, { method });
			expect([answer.status, JSON.parse(answer.text).error], path).toEqual([
				404,
				{ type: 'not_found', message: 'Unknown API address. /api/config lists what this server offers.' }
			]);
		}
	});
});

describe('a client that asks too often', () => {
	it.each([
		['llm', '/api/llm/openai/models'],
		['outbound', '/api/git/https/127.0.0.1/x/info/refs?service=git-upload-pack'],
		['outbound', '/api/archive?url=x'],
		['outbound', '/api/npm/-/x'],
		['outbound', '/api/fetch?url=x'],
		['outbound', '/api/egress?url=x'],
		['outbound', '/api/github/x']
	])('is refused by the limit %s at %s, and by no other', async (limit, path) => {
		const many = { llm: 9, outbound: 9, shares: 9, machines: 9, wrongTokens: 9 };
		const { url } = await startSandglass({}, { rateLimits: { ...many, [limit]: 1 } });
		expect((await ask(url + path)).status).not.toBe(429);
		const answer = await ask(url + path);
		expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([429, 'rate_limited']);
		expect((await ask(`${url}/api/config`)).status).toBe(200);
	});

	it('is refused uploads of shares by their own limit', async () => {
		const { url } = await startSandglass({}, { rateLimits: { shares: 1 } });
		const put = () => ask(`${url}/api/shares`, { method: 'PUT', body: 'x' });
		expect((await put()).status).toBe(201);
		expect((await put()).headers['x-sandglass-error']).toBe('rate_limited');
	});
});

describe('sweeping', () => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
	afterEach(() => void vi.useRealTimers());

	it('removes expired shares at the start and every hour, until the server ends', async () => {
		let sweeps = 0;
		const sweep = async () => (sweeps += 1);
		const server = await startSandglass({}, { shares: { ...NO_SHARES, sweep } });
		expect(sweeps).toBe(1);
		vi.advanceTimersByTime(3_599_999);
		expect(sweeps).toBe(1);
		vi.advanceTimersByTime(1);
		expect(sweeps).toBe(2);
		await server.close();
		vi.advanceTimersByTime(7_200_000);
		expect(sweeps).toBe(2);
	});

	it('that fails is in the log, and goes on', async () => {
		const shares = { ...NO_SHARES, sweep: () => Promise.reject(new Error('No disk.')) };
		const server = await startSandglass({}, { shares });
		const failures = () => server.logged.map((line) => JSON.parse(line).error);
		await vi.waitFor(() => expect(failures()).toEqual(['Sweeping shares: Error: No disk.']));
		vi.advanceTimersByTime(3_600_000);
		await vi.waitFor(() => expect(failures()).toHaveLength(2));
	});

	it('of machines comes every minute, and says what their engine says', async () => {
		const server = await startSandglass({
			SANDGLASS_DOCKER: '/nowhere/docker.sock',
			SANDGLASS_MACHINE_IMAGE: 'debian:13',
			SANDGLASS_TOKEN: 'a-long-word-that-nobody-guesses'
		});
		const failures = () => server.logged.map((line) => JSON.parse(line).error);
		await vi.waitFor(() => expect(failures()).toEqual([expect.stringMatching(/^Sweeping machines: .*ENOENT/)]));
		vi.advanceTimersByTime(60_000);
		await vi.waitFor(() => expect(failures()).toHaveLength(2));
	});
});

describe('a server that ends', () => {
	it('takes no new calls, lets one in flight finish, and then is gone', async () => {
		const held: http.ServerResponse[] = [];
		const upstream = await startUpstream((_request, response) => void held.push(response));
		const settings = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` };
		const server = await startSandglass(settings, { graceMs: 60_000 });
		const call = ask(`${server.url}/api/llm/openai/models`);
		await expect.poll(() => held).toHaveLength(1);
		const closing = server.close();
		expect(server.close()).toBe(closing);
		const late = net.connect(Number(new URL(server.url).port), '127.0.0.1');
		await expect(once(late, 'connect')).rejects.toThrow('ECONNREFUSED');
		held[0]?.end('{}');
		expect((await call).text).toBe('{}');
		await closing;
	});

	it('cuts a call off that does not finish in time', async () => {
		let asked = 0;
		const upstream = await startUpstream(() => void (asked += 1));
		const settings = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` };
		const server = await startSandglass(settings, { graceMs: 10 });
		const call = ask(`${server.url}/api/llm/openai/models`);
		const cut = expect(call).rejects.toThrow();
		await expect.poll(() => asked).toBe(1);
		await inTime(server.close(), 'the end of the server');
		await cut;
	});

	it('lets go of its connections to providers and hosts', async () => {
		const sockets = new Set<net.Socket>();
		const host = http.createServer((request, response) => {
			sockets.add(request.socket);
			response.writeHead(200, { 'keep-alive': 'timeout=600' }).end('{}');
		});
		host.keepAliveTimeout = 0;
		await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => {
			host.close();
			host.closeAllConnections();
		});
		const name = `127.0.0.1:${(host.address() as net.AddressInfo).port}`;
		const settings = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `http://${name}/v1`, SANDGLASS_ALLOW_HOSTS: name };
		const server = await startSandglass(settings);
		for (const path of ['llm/openai/models', `fetch?url=http://${name}/`])
			expect((await ask(`${server.url}/api/${path}`)).status, path).toBe(200);
		expect([...sockets].map(({ destroyed }) => destroyed)).toEqual([false, false]);
		await server.close();
		await expect.poll(() => [...sockets].map(({ destroyed }) => destroyed)).toEqual([true, true]);
	});

	it('closes the ports of its previews too', async () => {
		const server = await startSandglass();
		const { previewOrigins } = JSON.parse((await ask(`${server.url}/api/config`)).text);
		await server.close();
		const again = net.connect(Number(new URL(previewOrigins[1]).port), '127.0.0.1');
		onTestFinished(() => void again.destroy());
		await expect(once(again, 'connect')).rejects.toThrow('ECONNREFUSED');
	});
});
