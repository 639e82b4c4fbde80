import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createAgents } from '#server/outbound/agents.ts';
import { inTime } from '#test/in-time.ts';
import { startUpstream } from '../start.ts';

/** Result of an agent's resolver for a name that the system resolves to these addresses. */
function resolve(trust: 'filtered' | 'allowed', ...addresses: string[]): Promise<string> {
	return resolveBy(trust, (_name, _options, answer) =>
		answer(
			null,
			addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
		)
	);
}

function resolveBy(trust: 'filtered' | 'allowed', system: LookupFunction): Promise<string> {
	const agents = createAgents(system);
	onTestFinished(() => agents.close());
	// Node's types do not declare that an agent stores the options of its connections.
	const { options } = agents.pick(new URL('http://name.example'), trust) as unknown as {
		options: { lookup: LookupFunction };
	};
	const answered = new Promise<string>((answer) =>
		options.lookup('name.example', { all: true }, (error) => answer(error ? error.message : 'resolved'))
	);
	return inTime(answered, 'the answer of the resolver');
}

it('connects to names with public addresses of either family', async () => {
	expect(await resolve('filtered', '8.8.8.8', '140.82.112.3')).toBe('resolved');
	expect(await resolve('filtered', '2606:4700::1')).toBe('resolved');
});

it.each(['168.63.129.16', '::1', '64:ff9b::808:808'])('connects to no name that leads to %s', async (address) => {
	for (const addresses of [[address], ['8.8.8.8', address], [address, '8.8.8.8']])
		expect(await resolve('filtered', ...addresses)).toContain('name.example is not on the public internet');
	expect(await resolve('allowed', address)).toBe('resolved');
});

it('hears an answer of one address, and that there is none', async () => {
	expect(await resolveBy('filtered', (_name, _options, answer) => answer(null, '8.8.8.8', 4))).toBe('resolved');
	expect(await resolveBy('filtered', (_name, _options, answer) => answer(null, '168.63.129.16', 4))).toContain(
		'is not on the public internet'
	);
	const missing = new Error('queryA ENOTFOUND name.example');
	expect(await resolveBy('filtered', (_name, _options, answer) => answer(missing, []))).toBe(missing.message);
});

it('has encrypted connections for https:// alone', () => {
	const agents = createAgents();
	onTestFinished(() => agents.close());
	for (const trust of ['filtered', 'allowed'] as const) {
		expect(agents.pick(new URL('https://a.example'), trust)).toBeInstanceOf(https.Agent);
		expect(agents.pick(new URL('http://a.example'), trust)).not.toBeInstanceOf(https.Agent);
	}
});

it('keeps a connection for the next request, until it is closed', async () => {
	const agents = createAgents();
	onTestFinished(() => agents.close());
	const sockets = new Set<object>();
	const { url } = await startUpstream(({ socket }, response) => {
		sockets.add(socket);
		response.end();
	});
	const agent = agents.pick(new URL(url), 'allowed');
	const get = () => {
		const ended = new Promise((resolve, reject) =>
			http.get(url, { agent }, (answer) => answer.resume().once('end', resolve)).once('error', reject)
		);
		return inTime(ended, 'the answer');
	};
	await get();
	await expect.poll(() => Object.keys(agent.freeSockets)).toHaveLength(1);
	await get();
	expect(sockets.size).toBe(1);
	await expect.poll(() => Object.keys(agent.freeSockets)).toHaveLength(1);
	agents.close();
	await expect.poll(() => Object.keys(agent.freeSockets)).toHaveLength(0);
});
