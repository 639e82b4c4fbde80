import type http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLocalModels, LOCAL_SERVERS } from '#server/llm/local-servers.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startSandglass, startUpstream } from '../start.ts';

const models = JSON.stringify({ data: [{ id: 'small' }] });
const call = (url: string) =>
	ask(`${url}/api/llm/compatible-ollama/chat/completions`, { method: 'POST', body: '{"model":"small"}' });

/** A model server on this machine; `listModels` answers requests for its models. */
async function startLocal(listModels: (response: http.ServerResponse) => void) {
	const upstream = await startUpstream((request, response) => {
		request.resume();
		if (request.url === '/v1/models') listModels(response);
		else response.setHeader('content-type', 'application/json').end('{"answered":true}');
	});
	return { name: 'ollama', baseUrl: `${upstream.url}/v1` };
}

it('answers calls to a local model while the configuration is asked for again', async () => {
	let hold: ((response: http.ServerResponse) => void) | undefined;
	const local = await startLocal((response) => (hold ? hold(response) : response.end(models)));
	const server = await startSandglass({}, { localServers: [local] });
	await ask(`${server.url}/api/config`);
	const held = new Promise<http.ServerResponse>((resolve) => (hold = resolve));
	const polling = ask(`${server.url}/api/config`);
	const response = await held;
	expect((await call(server.url)).status).toBe(200);
	response.end(models);
	await polling;
});

it('keeps a local model through a poll that it was too busy to answer', async () => {
	let busy = false;
	const local = await startLocal((response) => {
		if (!busy) response.end(models);
	});
	const server = await startSandglass({}, { localServers: [local] });
	await ask(`${server.url}/api/config`);
	busy = true;
	const listed = JSON.parse((await ask(`${server.url}/api/config`)).text);
	expect(JSON.stringify(listed.providers)).not.toContain('compatible-ollama');
	expect((await call(server.url)).status).toBe(200);
});

it('finds a local model by itself for a call that comes before any configuration was asked for', async () => {
	const local = await startLocal((response) => void sleep(20).then(() => response.end(models)));
	const server = await startSandglass({}, { localServers: [local] });
	expect((await call(server.url)).status).toBe(200);
	expect((await ask(`${server.url}/api/llm/compatible-none/models`)).status).toBe(404);
});

describe('model servers on this machine', () => {
	it('are looked for where Ollama and LM Studio listen', () => {
		expect(LOCAL_SERVERS).toEqual([
			{ name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
			{ name: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1' }
		]);
	});

	it('are those that list models, and no redirect is followed to others', async () => {
		const elsewhere: unknown[] = [];
		const other = await startUpstream((request, response) => {
			elsewhere.push(request.url);
			response.end(models);
		});
		const lists: Record<string, http.RequestListener> = {
			two: (_request, response) => response.end(JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }] })),
			none: (_request, response) => response.end('{"data":[]}'),
			null: (_request, response) => response.end('{"data":null}'),
			text: (_request, response) => response.end('Ollama is running'),
			nameless: (_request, response) => response.end('{"data":[{"name":"a"}]}'),
			moved: (_request, response) => response.writeHead(302, { location: `${other.url}/v1/models` }).end()
		};
		const servers = await Promise.all(
			Object.entries(lists).map(async ([name, list]) => ({ name, baseUrl: `${(await startUpstream(list)).url}/v1` }))
		);
		const local = createLocalModels([...servers, { name: 'closed', baseUrl: 'http://127.0.0.1:1/v1' }]);
		expect(await local.poll()).toEqual([
			expect.objectContaining({ id: 'compatible-two', baseUrl: servers[0]?.baseUrl, models: ['a', 'b'] })
		]);
		expect(elsewhere).toEqual([]);
	});

	it('are asked for a call to one of them, and not for any other', async () => {
		let polls = 0;
		const server = await startUpstream((_request, response) => {
			polls += 1;
			response.end(models);
		});
		const local = createLocalModels([
			{ name: 'closed', baseUrl: 'http://127.0.0.1:1/v1' },
			{ name: 'box', baseUrl: `${server.url}/v1` }
		]);
		expect(await local.find('compatible-other')).toBeUndefined();
		expect(polls).toBe(0);
		expect(await local.find('compatible-closed')).toBeUndefined();
		expect(await local.find('compatible-box')).toMatchObject({ id: 'compatible-box' });
		expect(polls).toBe(1);
		// Once seen, it is not asked again.
		expect(await local.find('compatible-box')).toMatchObject({ id: 'compatible-box' });
		expect(polls).toBe(1);
	});
});
