import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigurationError, loadConfiguration } from '#server/configuration/load.ts';
import { openMachines } from '#server/machines/open.ts';
import { startUpstream } from '../start.ts';

const TOKEN = 'a-long-word-that-nobody-guesses';
const BASE = { SANDGLASS_TOKEN: TOKEN, SANDGLASS_MACHINE_IMAGE: 'debian:13' };
const open = (environment: Record<string, string>) => openMachines(loadConfiguration(environment));

function put(name: string, content: unknown): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-open-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const file = path.join(folder, name);
	writeFileSync(file, JSON.stringify(content));
	return file;
}

const kubeconfig = (server: string) =>
	put('config', {
		'current-context': 'here',
		contexts: [{ name: 'here', context: { cluster: 'one', user: 'me', namespace: 'theirs' } }],
		clusters: [{ name: 'one', cluster: { server } }],
		users: [{ name: 'me', user: { token: 'word' } }]
	});

describe('the machines of a configuration', () => {
	it('are none where it names none', () => {
		expect(open({})).toBeUndefined();
		expect(open({ SANDGLASS_TOKEN: TOKEN })).toBeUndefined();
	});

	it('are a folder of this computer', () => {
		expect(open({ SANDGLASS_HERE: '/some/where' })?.types).toEqual([{ id: 'host', kind: 'host', name: 'where' }]);
	});

	it('are containers with the limits of the operator', () => {
		const machines = open({
			...BASE,
			SANDGLASS_DOCKER: '/var/run/docker.sock',
			SANDGLASS_MACHINE_CPUS: '3',
			SANDGLASS_MACHINE_MEMORY: '1g',
			SANDGLASS_MACHINE_LIFETIME: '60'
		});
		expect(machines?.types).toEqual([
			{ id: 'docker', kind: 'docker', name: 'debian:13', cpus: 3, memoryBytes: 2 ** 30, lifetimeS: 60 }
		]);
	});

	it('are pods beside containers and the folder, in the namespace of the operator', async () => {
		const asked: string[] = [];
		const cluster = await startUpstream((request, response) => {
			asked.push(request.url ?? '');
			response.end('{"items":[]}');
		});
		const machines = open({
			...BASE,
			SANDGLASS_HERE: '/some/where',
			SANDGLASS_DOCKER: '/var/run/docker.sock',
			SANDGLASS_KUBERNETES: kubeconfig(cluster.url),
			SANDGLASS_KUBERNETES_NAMESPACE: 'ours'
		});
		expect(machines?.types.map(({ id }) => id)).toEqual(['host', 'docker', 'kubernetes']);
		await machines?.readiness.read();
		expect(asked).toEqual(['/apis/networking.k8s.io/v1/namespaces/ours/networkpolicies']);
	});

	it.each([
		[
			'a kubeconfig that is none',
			() => ({ SANDGLASS_KUBERNETES: put('config', {}) }),
			/^SANDGLASS_KUBERNETES: .* is no kubeconfig/
		],
		[
			'a template that is none',
			() => ({
				SANDGLASS_KUBERNETES: kubeconfig('https://cluster.example'),
				SANDGLASS_KUBERNETES_TEMPLATE: put('template', { spec: { hostNetwork: true } })
			}),
			/^SANDGLASS_KUBERNETES: .* is no template for machines/
		]
	])('are refused with %s, by the name of the setting', (_what, more, problem) => {
		const environment = { ...BASE, ...more() };
		expect(() => open(environment)).toThrow(ConfigurationError);
		expect(() => open(environment)).toThrow(problem);
	});

	it('are suspended and removed after the times of the operator', async () => {
		const id = 'a'.repeat(64);
		const asked: string[] = [];
		const startMs = 1_800_000_000_000;
		const container = {
			Id: id,
			Created: startMs / 1_000,
			Config: { Labels: {} },
			State: { Running: true, Paused: false }
		};
		const engine = await startUpstream((request, response) => {
			const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine');
			const [label = ''] = JSON.parse(searchParams.get('filters') ?? '{"label":[]}').label as string[];
			const [name = '', value] = label.split('=');
			if (label !== '') container.Config.Labels = { [name]: value };
			if (request.method !== 'GET') asked.push(`${request.method} ${pathname}`);
			// The end of the container is awaited.
			if (pathname.endsWith('/wait')) return;
			const isList = pathname === '/containers/json';
			response.writeHead(request.method === 'DELETE' || pathname.endsWith('/pause') ? 204 : 200, {
				'content-type': 'application/json'
			});
			response.end(request.method === 'DELETE' ? undefined : JSON.stringify(isList ? [container] : container));
		});
		vi.useFakeTimers({ toFake: ['Date'], now: startMs });
		onTestFinished(() => void vi.useRealTimers());
		const machines = open({
			...BASE,
			SANDGLASS_DOCKER: engine.url,
			SANDGLASS_MACHINE_PER_CLIENT: '1',
			SANDGLASS_MACHINE_IDLE: '60',
			SANDGLASS_MACHINE_LIFETIME: '100'
		});
		// Label of this server's containers.
		await machines?.sweep();
		const calls = (what: RegExp) => asked.filter((call) => what.test(call)).length;
		await machines?.create('docker', { client: 'c', session: 's' });
		await expect(machines?.create('docker', { client: 'c', session: 't' })).rejects.toThrow(
			'You have a machine already.'
		);
		const at = async (seconds: number) => {
			vi.setSystemTime(startMs + seconds * 1_000);
			await machines?.sweep();
			return [calls(/pause$/), calls(/^DELETE/)];
		};
		expect([await at(60), await at(61), await at(101)]).toEqual([
			[0, 0],
			[1, 0],
			[1, 1]
		]);
	});

	it('belong to the server by its port and its token, also after it starts again', async () => {
		const filters: unknown[] = [];
		const engine = await startUpstream((request, response) => {
			filters.push(JSON.parse(new URL(request.url ?? '', 'http://engine').searchParams.get('filters') ?? ''));
			response.end('[]');
		});
		const sweep = async (more: Record<string, string>) =>
			open({ ...BASE, SANDGLASS_DOCKER: engine.url, ...more })?.sweep();
		await sweep({});
		await sweep({});
		await sweep({ PORT: '1' });
		await sweep({ SANDGLASS_TOKEN: 'another-word-that-nobody-guesses' });
		const [first, again, ...others] = filters.map((filter) => JSON.stringify(filter));
		expect(first).toMatch(/^\{"label":\["dev\.sandglass\.machine=[\da-f]{32}"\]\}$/);
		expect(again).toBe(first);
		expect(new Set([first, ...others]).size).toBe(3);
		expect(first).not.toContain(TOKEN);
	});
});
