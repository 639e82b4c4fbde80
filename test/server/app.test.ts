import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp, type AppParts } from '#server/app.ts';
import { loadConfiguration } from '#server/configuration/load.ts';
import { createHttpServer } from '#server/http-server.ts';
import { CountersAway, memoryCounters, type Counters } from '#server/limits/counters.ts';
import { RATE_LIMITS } from '#server/limits/rate-limit.ts';
import { createUpstream } from '#server/llm/upstream.ts';
import type { MachineLeases } from '#server/machines/leases.ts';
import { SHARE_QUOTA } from '#server/shares/quota.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { standInGuard } from './proxy/stand-in-guard.ts';
import { RUNNER, startUpstream } from './start.ts';

/** Starts the app behind a separate server, without page, shares or hosts. */
async function start(env: Record<string, string> = {}, parts: Partial<AppParts> = {}) {
	const logged: Record<string, unknown>[] = [];
	const upstream = createUpstream();
	const { guard, state } = standInGuard();
	let host = '';
	const app = createApp({
		configuration: loadConfiguration(env),
		version: '1.2.3',
		files: { get: async () => undefined },
		runner: RUNNER,
		guard,
		policy: { allowHosts: [], ownHosts: () => [] },
		upstream,
		shares: {
			create: async () => undefined,
			open: async () => undefined,
			delete: async () => undefined,
			sweep: async () => 0
		},
		npmRegistry: 'https://registry.example',
		localServers: [],
		rateLimits: RATE_LIMITS,
		counters: memoryCounters(),
		shareQuota: SHARE_QUOTA,
		log: (line) => void logged.push(line),
		hosts: () => [host],
		preview: { origins: (name) => [`http://preview.${name}`], isPreview: () => false },
		machines: undefined,
		...parts
	});
	const server = createHttpServer(app.fetch);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	onTestFinished(async () => {
		upstream.close();
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	const config = async () => JSON.parse((await ask(`http://${host}/api/config`)).text);
	return { url: `http://${host}`, host, logged, asked: state.asked, config };
}

/** Counters whose shared store does not respond: some count locally, others fail. */
function awayCounters(): Counters {
	const here = memoryCounters();
	return {
		...here,
		counter: (name, window, away) =>
			away === 'count-here'
				? here.counter(name, window, away)
				: { add: () => Promise.reject(new CountersAway('Redis does not respond.')) }
	};
}

const none = { available: false, budget: null, models: [] };

describe('what the server offers', () => {
	it('has limits, previews for the name it was asked by, and says which parts it has', async () => {
		const { config, host } = await start();
		expect(await config()).toEqual({
			version: '1.2.3',
			providers: ['anthropic', 'openai', 'gemini'].map((id) => expect.objectContaining({ ...none, id })),
			limits: { requestBytes: 33_554_432, shareBytes: 33_554_432 },
			npmRegistry: 'https://registry.example',
			archiveHosts: ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'gitea.com'],
			allowHosts: [],
			connectHosts: expect.arrayContaining(['https://api.openai.com']),
			previewOrigins: [`http://preview.${host}`],
			webcontainer: false,
			gitHubSignIn: null,
			sourceUrl: null,
			machines: false
		});
	});

	it('has the models of this machine beside those of the settings, and each name once', async () => {
		const local = await startUpstream((_request, response) => response.end('{"data":[{"id":"small"}]}'));
		const localServers = ['box', 'other'].map((name) => ({ name, baseUrl: `${local.url}/v1` }));
		const settings = {
			OPENAI_API_KEY: 'k',
			COMPATIBLE_BOX_BASE_URL: 'http://box.example',
			COMPATIBLE_BOX_MODELS: 'large'
		};
		const { providers } = await (await start(settings, { localServers })).config();
		expect(providers.map(({ id, available, models }: Record<string, unknown>) => [id, available, models])).toEqual([
			['anthropic', false, []],
			['openai', true, []],
			['gemini', false, []],
			['compatible-box', true, ['large']],
			['compatible-other', true, ['small']]
		]);
	});

	it('has what is left of the budget of each key, and of each guest', async () => {
		const { providers } = await (await start({ OPENAI_API_KEY: 'k', SANDGLASS_DAILY_USD: '2' })).config();
		expect(providers[1].budget).toEqual({ limitUsd: 2, remainingUsd: 2 });
		expect([providers[0].budget, providers[2].budget]).toEqual([null, null]);
		const lent = { OPENAI_API_KEY: 'k', SANDGLASS_DAILY_USD: '2', SANDGLASS_LEND: '1', SANDGLASS_GUEST_USD: '1' };
		expect((await (await start(lent)).config()).providers[1].budget).toEqual({ limitUsd: 1, remainingUsd: 1 });
	});

	it('has machines where it was given some', async () => {
		const machines = { counts: () => new Map([['docker', 3]]), readiness: { read: async () => ({}) } };
		const parts = { machines: machines as unknown as MachineLeases };
		const { url, config } = await start({ SANDGLASS_METRICS: '1' }, parts);
		expect((await config()).machines).toBe(true);
		const metrics = await ask(`${url}/metrics`);
		expect(metrics.headers['content-type']).toBe('text/plain; version=0.0.4');
		expect(metrics.text).toContain('sandglass_machines{type="docker"} 3');
		expect((await ask(`${url}/api/machines`, { method: 'DELETE' })).status).toBe(405);
	});
});

it('answers below /api/ what it does not know in a sentence, and has no metrics unless they are asked for', async () => {
	const { url } = await start();
	for (const path of ['/api/x', '/api/machines', '/api/github/code']) {
		const { status, text } = await ask(url + path);
		expect([status, JSON.parse(text).error], path).toEqual([
			404,
			{ type: 'not_found', message: 'Unknown API address. /api/config lists what this server offers.' }
		]);
	}
	expect((await ask(`${url}/metrics`)).status).toBe(404);
});

it('requires the token for the API and for metrics, and none for the page', async () => {
	const { url } = await start({ SANDGLASS_TOKEN: 'a-long-random-word', SANDGLASS_METRICS: '1' });
	for (const path of ['/api/config', '/metrics', '/api/x']) expect((await ask(url + path)).status, path).toBe(401);
	expect((await ask(`${url}/api/health`)).status).toBe(200);
	expect((await ask(`${url}/`)).status).toBe(404);
});

describe('while the shared store does not respond', () => {
	it('requests are counted here, and calls that cost money are refused', async () => {
		const settings = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1', SANDGLASS_DAILY_USD: '1' };
		const { url, asked, config } = await start(settings, {
			counters: awayCounters(),
			rateLimits: { ...RATE_LIMITS, outbound: 1 }
		});
		const call = await ask(`${url}/api/llm/openai/responses`, { method: 'POST', body: '{}' });
		expect([call.status, call.headers['x-sandglass-error']]).toEqual([503, 'budget_unknown']);
		expect((await config()).providers[1].budget).toEqual({ limitUsd: 1, remainingUsd: null });
		const fetched = () => ask(`${url}/api/fetch?url=https://a.example/`);
		expect([(await fetched()).status, (await fetched()).status]).toEqual([200, 429]);
		expect(asked).toHaveLength(1);
		expect((await ask(`${url}/api/shares`, { method: 'PUT', body: 'x' })).status).toBe(201);
	});

	it('a cost that cannot be counted afterwards is in the log', async () => {
		const provider = await startUpstream((request, response) => {
			request.resume();
			response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
		});
		let isAway = false;
		const here = memoryCounters();
		const counters: Counters = {
			...here,
			counter: (name, window, away) => {
				const { add } = here.counter(name, window, away);
				return {
					add: async (key, amount) => {
						if (isAway) throw new CountersAway('Redis does not respond.');
						isAway = name === 'spent';
						return add(key, amount);
					}
				};
			}
		};
		const settings = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: provider.url, SANDGLASS_DAILY_USD: '1' };
		const { url, logged } = await start(settings, { counters });
		expect((await ask(`${url}/api/llm/openai/responses`, { method: 'POST', body: '{}' })).status).toBe(200);
		await expect
			.poll(() => logged)
			.toContainEqual({
				time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
				error: 'Counting a cost: CountersAway: Redis does not respond.'
			});
	});
});
