import { createServer, type IncomingMessage } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { UnknownMachineError } from '#server/machines/contract.ts';
import { dockerProvider, type DockerSettings } from '#server/machines/docker.ts';
import { inTime } from '#test/in-time.ts';
import { startUpstream } from '../start.ts';

const OWNER = 'owner-of-this-server';
const LABEL = 'dev.sandglass.machine';
const ID = 'a'.repeat(64);
const SETTINGS: Omit<DockerSettings, 'engine'> = {
	image: 'debian:13',
	cpus: 1.5,
	memoryBytes: 1_000,
	pids: 64,
	diskBytes: 500,
	lifetimeS: 600,
	owner: OWNER
};

type Answer = [status: number, body?: unknown];

const container = (state: object = {}, labels: object = { [LABEL]: OWNER }): Answer => [
	200,
	{ Id: ID, Config: { Labels: labels }, State: { Running: true, Paused: false, ...state } }
];
const missing: Answer = [404, { message: 'No such container' }];
const broken: Answer = [500, { message: 'The engine is broken.' }];

/** An engine that answers `METHOD /path` as a test says, and the requests it received, with queries and bodies. */
async function start(answers: Record<string, Answer>, settings: Partial<DockerSettings> = {}) {
	const asked: { call: string; query: Record<string, string>; body: unknown }[] = [];
	const engine = await startUpstream((request: IncomingMessage, response) => {
		let text = '';
		request.on('data', (chunk) => (text += String(chunk)));
		request.on('end', () => {
			const url = new URL(request.url ?? '', 'http://engine');
			const call = `${request.method} ${url.pathname}`;
			asked.push({
				call,
				query: Object.fromEntries(url.searchParams),
				body: text === '' ? undefined : JSON.parse(text)
			});
			const [status, body] = answers[call] ?? [501, { message: `unexpected ${call}` }];
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(body === undefined ? '' : JSON.stringify(body));
		});
	});
	const provider = dockerProvider({ ...SETTINGS, engine: engine.url, ...settings });
	return { provider, asked, calls: () => asked.map(({ call }) => call) };
}

const INSPECT = `GET /containers/${ID}/json`;

describe('a container of an engine', () => {
	it('is described by the settings of its operator', async () => {
		const { provider } = await start({});
		expect(provider.type).toEqual({
			id: 'docker',
			kind: 'docker',
			name: 'debian:13',
			cpus: 1.5,
			memoryBytes: 1_000,
			lifetimeS: 600
		});
	});

	it('can be made where its image is', async () => {
		const { provider } = await start({ 'GET /images/debian:13/json': [200, {}] });
		await provider.check();
		const { provider: without } = await start({ 'GET /images/debian:13/json': [404, { message: 'No such image' }] });
		await expect(without.check()).rejects.toThrow('No such image');
	});

	it('is reached over the socket of its engine, and over TLS where its address says so', async () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-engine-'));
		const engine = path.join(folder, 'docker.sock');
		const server = createServer((_request, response) => response.end('{}'));
		onTestFinished(() => {
			server.close();
			rmSync(folder, { recursive: true, force: true });
		});
		await new Promise<void>((resolve) => server.listen(engine, resolve));
		await expect(dockerProvider({ ...SETTINGS, engine }).check()).resolves.toBeUndefined();
		const plain = await startUpstream((_request, response) => response.end('{}'));
		await expect(dockerProvider({ ...SETTINGS, engine: plain.url }).check()).resolves.toBeUndefined();
		const overTls = dockerProvider({ ...SETTINGS, engine: plain.url.replace('http:', 'https:') });
		await expect(overTls.check()).rejects.toThrow(/SSL|wrong version/);
	});

	it('is confined by each line of what it is made of', async () => {
		const { provider, asked, calls } = await start({
			'POST /containers/create': [201, { Id: ID }],
			[`POST /containers/${ID}/start`]: [204]
		});
		const before = Date.now();
		const machine = await provider.create();
		expect(machine).toEqual({ id: ID, type: 'docker', createdMs: expect.any(Number), isSuspended: false });
		expect(machine.createdMs).toBeGreaterThanOrEqual(before);
		expect(calls()).toEqual(['POST /containers/create', `POST /containers/${ID}/start`]);
		const name = asked[0]?.query['name'];
		expect(name).toMatch(/^sandglass-[\da-f-]{36}$/);
		const files = 'rw,exec,nosuid,nodev,size=500,uid=61000,gid=61000,mode=0700';
		expect(asked[0]?.body).toEqual({
			name,
			Image: 'debian:13',
			Entrypoint: ['sh', '-c', 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done'],
			Cmd: [],
			User: '61000:61000',
			WorkingDir: '/workspace',
			Env: ['HOME=/tmp/home'],
			Labels: { [LABEL]: OWNER },
			StopTimeout: 2,
			NetworkDisabled: true,
			HostConfig: {
				NetworkMode: 'none',
				CapDrop: ['ALL'],
				Privileged: false,
				SecurityOpt: ['no-new-privileges'],
				ReadonlyRootfs: true,
				Tmpfs: { '/workspace': files, '/tmp': files },
				NanoCpus: 1_500_000_000,
				Memory: 1_000,
				MemorySwap: 1_000,
				PidsLimit: 64,
				IpcMode: 'private',
				LogConfig: { Type: 'none', Config: {} },
				RestartPolicy: { Name: 'no' }
			}
		});
	});

	it('has the runtime of its operator', async () => {
		const { provider, asked } = await start(
			{ 'POST /containers/create': [201, { Id: ID }], [`POST /containers/${ID}/start`]: [204] },
			{ runtime: 'runsc' }
		);
		await provider.create();
		expect(asked[0]?.body).toMatchObject({ HostConfig: { Runtime: 'runsc' } });
	});

	it('is not left behind when it cannot be started', async () => {
		const { provider, asked } = await start({
			'POST /containers/create': [201, { Id: ID }],
			[`POST /containers/${ID}/start`]: broken,
			[`DELETE /containers/${ID}`]: [204]
		});
		await expect(provider.create()).rejects.toThrow('The engine is broken.');
		expect(asked.at(-1)).toMatchObject({ call: `DELETE /containers/${ID}`, query: { force: 'true' } });
	});

	it('is one of the engine that the settings name, and of none that DOCKER_HOST names', async () => {
		const other = await startUpstream((_request, response) =>
			response.writeHead(500).end('{"message":"Another engine"}')
		);
		vi.stubEnv('DOCKER_HOST', `tcp://${other.host}`);
		onTestFinished(() => void vi.unstubAllEnvs());
		const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-engine-'));
		const engine = path.join(folder, 'docker.sock');
		const server = createServer((_request, response) => response.end('[]'));
		await new Promise<void>((resolve) => server.listen(engine, resolve));
		onTestFinished(() => {
			server.close();
			rmSync(folder, { recursive: true, force: true });
		});
		expect(await dockerProvider({ ...SETTINGS, engine }).list()).toEqual([]);
		const { provider, calls } = await start({ 'GET /containers/json': [200, []] });
		expect(await provider.list()).toEqual([]);
		expect(calls()).toEqual(['GET /containers/json']);
	});

	it('is listed by the label of this server, stopped ones included', async () => {
		const { provider, asked } = await start({
			'GET /containers/json': [
				200,
				[
					{ Id: 'one', Created: 1_800_000_000, State: 'running' },
					{ Id: 'two', Created: 1_800_000_001, State: 'paused' }
				]
			]
		});
		expect(await provider.list()).toEqual([
			{ id: 'one', type: 'docker', createdMs: 1_800_000_000_000, isSuspended: false },
			{ id: 'two', type: 'docker', createdMs: 1_800_000_001_000, isSuspended: true }
		]);
		expect(asked[0]?.query).toMatchObject({ all: 'true' });
		expect(JSON.parse(asked[0]?.query['filters'] ?? '')).toEqual({ label: [`${LABEL}=${OWNER}`] });
	});

	describe.each([
		['of another server', { [INSPECT]: container({}, { [LABEL]: 'another' }) }],
		['without a label', { [INSPECT]: container({}, {}) }],
		['that is gone', { [INSPECT]: missing }]
	] as [string, Record<string, Answer>][])('%s', (_which, answers) => {
		it('is none to attach, to suspend or to remove, and has ended', async () => {
			const { provider, calls } = await start(answers);
			await expect(provider.attach(ID)).rejects.toThrow(UnknownMachineError);
			await expect(provider.suspend(ID)).rejects.toThrow(UnknownMachineError);
			await inTime(provider.ended(ID, new AbortController().signal), 'the end of the container');
			await provider.destroy(ID);
			expect(new Set(calls())).toEqual(new Set([INSPECT]));
		});
	});

	it.each(['', 'name', 'a'.repeat(11), 'a'.repeat(65), `${ID}/..`, `../${ID.slice(3)}`, 'A'.repeat(64)])(
		'is not asked for by %j, which is no id',
		async (id) => {
			const { provider, asked } = await start({});
			await expect(provider.attach(id)).rejects.toThrow(UnknownMachineError);
			await expect(provider.suspend(id)).rejects.toThrow(UnknownMachineError);
			await provider.destroy(id);
			expect(asked).toEqual([]);
		}
	);

	it('is not taken for gone while its engine is broken', async () => {
		const { provider } = await start({ [INSPECT]: broken });
		for (const call of [provider.attach(ID), provider.suspend(ID), provider.destroy(ID)])
			await expect(call).rejects.toThrow('The engine is broken.');
	});

	it('that has stopped is none to attach: its files are gone', async () => {
		const { provider } = await start({ [INSPECT]: container({ Running: false }) });
		await expect(provider.attach(ID)).rejects.toThrow('This machine no longer exists. Move the session again.');
	});

	it('that is suspended goes on when it is attached, and one that is not is left alone', async () => {
		for (const Paused of [true, false]) {
			const { provider, calls } = await start({
				[INSPECT]: container({ Paused }),
				[`POST /containers/${ID}/unpause`]: [204],
				[`POST /containers/${ID}/exec`]: broken
			});
			await expect(provider.attach(ID)).rejects.toThrow('broken');
			expect(calls().filter((call) => call.endsWith('/unpause'))).toHaveLength(Paused ? 1 : 0);
		}
	});

	it('is suspended once', async () => {
		for (const Paused of [true, false]) {
			const { provider, calls } = await start({
				[INSPECT]: container({ Paused }),
				[`POST /containers/${ID}/pause`]: [204]
			});
			await provider.suspend(ID);
			expect(calls().filter((call) => call.endsWith('/pause'))).toHaveLength(Paused ? 0 : 1);
		}
	});

	it('has ended when its engine says that it does not run', async () => {
		const { provider, asked } = await start({
			[INSPECT]: container(),
			[`POST /containers/${ID}/wait`]: [200, { StatusCode: 137 }]
		});
		await inTime(provider.ended(ID, new AbortController().signal), 'the end of the container');
		expect(asked.at(-1)).toMatchObject({
			call: `POST /containers/${ID}/wait`,
			query: { condition: 'not-running' }
		});
	});

	it('is removed with its volumes, and may be gone by then', async () => {
		for (const answer of [[204], missing] as Answer[]) {
			const { provider, asked } = await start({ [INSPECT]: container(), [`DELETE /containers/${ID}`]: answer });
			await provider.destroy(ID);
			expect(asked.at(-1)).toMatchObject({ call: `DELETE /containers/${ID}`, query: { force: 'true', v: 'true' } });
		}
		const { provider } = await start({ [INSPECT]: container(), [`DELETE /containers/${ID}`]: broken });
		await expect(provider.destroy(ID)).rejects.toThrow('The engine is broken.');
	});
});
