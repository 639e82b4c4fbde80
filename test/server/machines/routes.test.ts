import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Channel } from '#environment/remote/channel.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { webSocketChannel } from '#environment/remote/web-socket-channel.ts';
import { loadConfiguration } from '#server/configuration/load.ts';
import { ask, startSandglass } from '../start.ts';

async function startHere() {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-here-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	writeFileSync(path.join(folder, 'here.txt'), 'already here');
	const server = await startSandglass({ SANDGLASS_HERE: folder });
	const post = async (where: string, body: unknown) => {
		const answer = await ask(`${server.url}${where}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body)
		});
		return { status: answer.status, body: JSON.parse(answer.text) as Record<string, unknown> };
	};
	const ticket = async (session: string, takeOver = false) =>
		post('/api/machines/host/ticket', { session, title: `Title of ${session}`, takeOver });
	const connect = (secret: string, headers: Record<string, string> = {}): Promise<Channel> =>
		new Promise((resolve, reject) => {
			const address = `${server.url.replace('http', 'ws')}/api/machines/socket?ticket=${secret}`;
			const socket = new WebSocket(address, { headers });
			socket.once('open', () => resolve(webSocketChannel(socket)));
			socket.once('error', reject);
		});
	return { server, folder, post, ticket, connect };
}

describe('machines of the server', () => {
	it('serve the folder where it was started', async () => {
		const { post, ticket, connect, server } = await startHere();
		expect(JSON.parse((await ask(`${server.url}/api/machines`)).text)).toMatchObject({ types: [{ id: 'host' }] });
		expect(await post('/api/machines', { type: 'host', session: 'one' })).toMatchObject({
			status: 201,
			body: { id: 'host' }
		});
		const environment = new RemoteExecutionEnvironment({
			connect: async () => connect(String((await ticket('one')).body['ticket']))
		});
		onTestFinished(() => environment.cleanup());
		await environment.initialize();
		expect(await environment.readFile('here.txt')).toBe('already here');
		expect((await environment.exec('echo "$((6 * 7))"')).stdout).toBe('42\n');
	});

	it('have one writer: a second session is refused with its title, or takes over', async () => {
		const { post, ticket, connect } = await startHere();
		await post('/api/machines', { type: 'host', session: 'one' });
		const states: string[] = [];
		const first = new RemoteExecutionEnvironment({
			connect: async () => {
				const answer = await ticket('one');
				return connect(String(answer.body['ticket']));
			},
			onState: (state) => states.push(state),
			giveUpMs: 0
		});
		onTestFinished(() => first.cleanup());
		await first.initialize();
		const refused = await ticket('two');
		expect(refused.status).toBe(409);
		expect(JSON.stringify(refused.body)).toContain('Title of one');
		expect((await ticket('two', true)).status).toBe(201);
		await expect.poll(() => states.at(-1)).toBe('lost');
	});

	it('accept no socket without a fresh ticket, from another page or for another host', async () => {
		const { post, ticket, connect } = await startHere();
		await post('/api/machines', { type: 'host', session: 'one' });
		const secret = String((await ticket('one')).body['ticket']);
		await expect(connect(secret, { origin: 'null' })).rejects.toThrow('403');
		await expect(connect(secret, { origin: 'http://evil.example' })).rejects.toThrow('403');
		await expect(connect(secret, { host: 'evil.example' })).rejects.toThrow('403');
		const closed = (channel: Channel): Promise<string> =>
			new Promise((resolve) => channel.listen({ onFrame: () => undefined, onClose: resolve }));
		expect(await closed(await connect('x'.repeat(43)))).toContain('not valid');
		(await connect(secret)).close();
		expect(await closed(await connect(secret))).toContain('not valid');
	});

	it('are created from a type the operator listed and nothing else', async () => {
		const { post } = await startHere();
		expect((await post('/api/machines', { type: 'docker', session: 'one' })).status).toBe(404);
		expect((await post('/api/machines', { type: 'host', session: 'one', image: 'evil', mounts: ['/'] })).status).toBe(
			400
		);
		expect((await post('/api/machines/..%2f..%2fetc/ticket', { session: 'a', title: '' })).status).toBe(404);
	});
});

describe('the settings of machines', () => {
	const problem = (env: Record<string, string>): string => {
		try {
			loadConfiguration(env);
			return '';
		} catch (error) {
			return String(error);
		}
	};

	it('need a token for containers, even on this machine', () => {
		const docker = { SANDGLASS_DOCKER: '/var/run/docker.sock', SANDGLASS_MACHINE_IMAGE: 'debian:13' };
		expect(problem(docker)).toContain('SANDGLASS_TOKEN');
		expect(problem({ ...docker, SANDGLASS_TOKEN: 'a-long-random-word' })).toBe('');
		expect(problem({ SANDGLASS_DOCKER: '/var/run/docker.sock' })).toContain('SANDGLASS_MACHINE_IMAGE');
		const pods = { SANDGLASS_KUBERNETES: 'in-cluster', SANDGLASS_MACHINE_IMAGE: 'debian:13' };
		expect(problem(pods)).toContain('SANDGLASS_KUBERNETES needs SANDGLASS_TOKEN');
		expect(problem({ ...pods, SANDGLASS_TOKEN: 'a-long-random-word' })).toBe('');
		expect(problem({ ...pods, SANDGLASS_KUBERNETES: 'config', SANDGLASS_TOKEN: 'a-long-random-word' })).toContain(
			'in-cluster or the absolute path'
		);
	});

	it('offer the folder of this machine to this machine only', () => {
		expect(problem({ SANDGLASS_HERE: '/tmp', HOST: '0.0.0.0' })).toContain('localhost');
		expect(problem({ SANDGLASS_HERE: '/tmp' })).toBe('');
	});
});
