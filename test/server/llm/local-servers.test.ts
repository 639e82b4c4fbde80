import type http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ask, startSandglass, startUpstream } from '../start.ts';

const models = JSON.stringify({ data: [{ id: 'small' }] });
const call = (url: string) =>
	ask(`${url}/api/llm/compatible-ollama/chat/completions`, { method: 'POST', body: '{"model":"small"}' });

/** A model server on this machine; `listModels` answers when it is asked for its models. */
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
