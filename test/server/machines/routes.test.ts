import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Channel } from '#environment/remote/channel.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { webSocketChannel } from '#environment/remote/web-socket-channel.ts';
import { loadConfiguration } from '#server/configuration/load.ts';
import { LeasedError, QuotaError, type MachineLeases } from '#server/machines/leases.ts';
import { machineRoutes } from '#server/machines/routes.ts';
import { Refusal } from '#server/refusal.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startRoutes, startSandglass } from '../start.ts';

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

describe('the addresses of machines', () => {
	/** Leases with the test's answers, and the calls they received. */
	async function start(given: { create?: unknown; ticket?: unknown; isLimited?: boolean } = {}) {
		const asked: unknown[] = [];
		const answer = async (what: unknown) => {
			if (what instanceof Error) throw what;
			return what;
		};
		const leases = {
			types: [{ id: 'docker', kind: 'docker', name: 'debian' }],
			create: (...call: unknown[]) => {
				asked.push(['create', ...call]);
				return answer('create' in given ? given.create : { id: 'm1', type: 'docker', createdMs: 1 });
			},
			ticket: (...call: unknown[]) => {
				asked.push(['ticket', ...call]);
				return answer('ticket' in given ? given.ticket : 'secret');
			},
			remove: async (id: string) => void asked.push(['remove', id])
		};
		const routes = await startRoutes((app) =>
			// These routes use no other part of it.
			machineRoutes(app, leases as unknown as MachineLeases, async () => {
				if (given.isLimited) throw new Refusal(429, 'rate_limited', 'Too often.');
			})
		);
		const send = async (method: string, where: string, body?: unknown) => {
			const sent = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
			const { status, text, headers } = await ask(`${routes.url}/api/machines${where}`, { method, body: sent });
			expect(headers['cache-control']).toBe('no-store');
			return { status, body: text === '' ? undefined : JSON.parse(text), allow: headers.allow };
		};
		return { ...routes, asked, send };
	}
	const error = (status: number, type: string, message: string) => ({ status, body: { error: { type, message } } });

	it('list types, create machines, give tickets and remove', async () => {
		const { send, asked } = await start();
		expect(await send('GET', '')).toMatchObject({
			status: 200,
			body: { types: [{ id: 'docker', kind: 'docker', name: 'debian' }] }
		});
		expect(await send('POST', '', { type: 'docker', session: 's' })).toMatchObject({
			status: 201,
			body: { id: 'm1', type: 'docker' }
		});
		expect(await send('POST', '/m1/ticket', { session: 's', title: 't' })).toMatchObject({
			status: 201,
			body: { ticket: 'secret' }
		});
		await send('POST', '/m1/ticket', { session: 's', title: '', takeOver: true });
		expect(await send('DELETE', '/m1')).toMatchObject({ status: 204, body: undefined });
		expect(asked).toEqual([
			['create', 'docker', { client: 'client', session: 's' }],
			['ticket', 'm1', { session: 's', title: 't' }, false],
			['ticket', 'm1', { session: 's', title: '' }, true],
			['remove', 'm1']
		]);
	});

	it.each([
		['', 'GET, POST'],
		['/m1', 'DELETE'],
		['/m1/ticket', 'POST']
	])('take at %j no other method', async (where, allow) => {
		const { send } = await start();
		expect(await send('PUT', where)).toMatchObject({ status: 405, allow });
	});

	it('create none where that is refused, and say why in our words alone', async () => {
		const body = { type: 'docker', session: 's' };
		const cause = new Error('connect ENOENT /secret/docker.sock');
		const { send, logged } = await start({ create: cause });
		expect(await send('POST', '', body)).toMatchObject(
			error(502, 'machine_failed', 'The machine could not be created. Its cause is in the log of this server.')
		);
		expect(logged[0]).toMatchObject({ error: 'machine_failed', cause: String(cause) });
		expect(await (await start({ create: new QuotaError('You have one.') })).send('POST', '', body)).toMatchObject(
			error(429, 'machine_quota', 'You have one.')
		);
		expect(await (await start({ create: undefined })).send('POST', '', body)).toMatchObject(
			error(404, 'machine_type_unknown', 'This server has no such machine. Load the page again.')
		);
		const limited = await start({ isLimited: true });
		expect(await limited.send('POST', '', body)).toMatchObject({ status: 429 });
		expect(limited.asked).toEqual([]);
	});

	it('give no ticket for a machine that is in use, or gone', async () => {
		const body = { session: 's', title: 't' };
		const leased = new LeasedError({ session: 'other', title: 'Fix it' });
		expect(await (await start({ ticket: leased })).send('POST', '/m1/ticket', body)).toMatchObject(
			error(409, 'machine_in_use', 'The session "Fix it" uses this machine.')
		);
		expect(await (await start({ ticket: undefined })).send('POST', '/m1/ticket', body)).toMatchObject(
			error(404, 'machine_gone', 'This machine no longer exists. Move the session again.')
		);
		const broken = await start({ ticket: new Error('secret') });
		expect(await broken.send('POST', '/m1/ticket', body)).toMatchObject({ status: 500 });
	});

	it.each([
		['', { type: 'x'.repeat(100), session: 'x'.repeat(200) }, 201],
		['', { type: 'x'.repeat(101), session: 's' }, 400],
		['', { type: 'docker', session: '' }, 400],
		['', { type: 'docker', session: 'x'.repeat(201) }, 400],
		['', { type: 'docker', session: 's', image: 'evil' }, 400],
		['', 'no JSON', 400],
		['/m1/ticket', { session: 'x'.repeat(200), title: 'x'.repeat(500) }, 201],
		['/m1/ticket', { session: '', title: '' }, 400],
		['/m1/ticket', { session: 'x'.repeat(201), title: '' }, 400],
		['/m1/ticket', { session: 's', title: 'x'.repeat(501) }, 400],
		['/m1/ticket', { session: 's', title: '', takeOver: 'yes' }, 400],
		['/m1/ticket', { session: 's', title: '', more: 1 }, 400]
	])('answer at %j the body %j with %i', async (where, body, status) => {
		const { send, asked } = await start();
		const answer = await send('POST', where, body);
		expect(answer.status).toBe(status);
		if (status !== 400) return;
		expect(answer).toMatchObject(
			error(400, 'body_invalid', 'The body of this request is not valid. Load the page again.')
		);
		expect(asked).toEqual([]);
	});
});
