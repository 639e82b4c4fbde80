import { describe, expect, it } from 'vitest';
import { UnknownMachineError, type MachineProvider } from '#server/machines/contract.ts';
import { kubernetesProvider, type KubernetesSettings } from '#server/machines/kubernetes/provider.ts';
import { inTime } from '#test/in-time.ts';
import { startUpstream } from '../../start.ts';
import { DENY_ALL } from './stand-in.ts';

const ID = 'sandglass-01234567-89ab-cdef-0123-456789abcdef';
const LABEL = 'dev.sandglass.machine';
const OWNER = 'server-1';
const POLICIES = 'GET /apis/networking.k8s.io/v1/namespaces/machines/networkpolicies';
const GROUP = 'GET /apis/agents.x-k8s.io';
const PODS = '/api/v1/namespaces/machines/pods';
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/machines/sandboxes';

type Answer = [status: number, body: unknown];
type Answers = Record<string, Answer | (() => Answer)>;

const metadata = (more: object = {}) => ({
	name: ID,
	uid: 'uid-1',
	creationTimestamp: '2026-01-02T03:04:05Z',
	labels: { [LABEL]: OWNER },
	...more
});
const RUNNING = { phase: 'Running', containerStatuses: [{ ready: true }] };
const pod = (status: object = RUNNING, more: object = {}) => ({ metadata: metadata(more), status });
const missing: Answer = [404, { message: 'not found' }];
const broken: Answer = [500, { message: 'The cluster is broken.' }];
const denied: Answer = [200, { items: [DENY_ALL] }];
const withSandboxes: Answer = [200, { versions: [{ version: 'v1alpha1' }, { version: 'v1beta1' }] }];

/** Makes waiting for a machine fail early. */
function impatient(provider: MachineProvider): MachineProvider {
	return {
		...provider,
		create: () => inTime(provider.create(), 'a new machine'),
		attach: (id) => inTime(provider.attach(id), 'a connection to the machine'),
		ended: (id, signal) => inTime(provider.ended(id, signal), 'the end of the machine'),
		destroy: (id) => inTime(provider.destroy(id), 'the removal of the machine')
	};
}

/** A cluster that answers `METHOD /path` as a test says. Paths contain the name of a created machine as `NAME`. */
async function start(answers: Answers, settings: Partial<KubernetesSettings> = {}) {
	const asked: { call: string; query: string; body: unknown }[] = [];
	let created = ID;
	const server = await startUpstream((request, response) => {
		let text = '';
		request.on('data', (chunk) => (text += String(chunk)));
		request.on('end', () => {
			const url = new URL(request.url ?? '', 'http://cluster');
			const body = text === '' ? undefined : JSON.parse(text);
			if (request.method === 'POST') created = body.metadata.name;
			const call = `${request.method} ${url.pathname.replace(created, 'NAME')}`;
			asked.push({ call, query: url.search, body });
			const found = answers[call] ?? (call === GROUP ? missing : [501, { message: `unexpected ${call}` }]);
			const [status, answer] = typeof found === 'function' ? found() : found;
			response.writeHead(status).end(JSON.stringify(answer).replaceAll(ID, created));
		});
	});
	const provider = kubernetesProvider({
		image: 'debian',
		cpus: 1,
		memoryBytes: 1_000,
		diskBytes: 500,
		lifetimeS: 60,
		owner: OWNER,
		lookMs: 5,
		startMs: 0,
		cluster: { server: server.url, namespace: 'machines', tls: {}, token: () => 'word' },
		...settings
	});
	return { provider: impatient(provider), asked, calls: () => asked.map(({ call }) => call) };
}

const GET = `GET ${PODS}/NAME`;
const DELETE = `DELETE ${PODS}/NAME`;

describe('a pod as a machine', () => {
	it('is described by the settings of its operator', async () => {
		const { provider } = await start({});
		expect(provider.type).toEqual({
			id: 'kubernetes',
			kind: 'kubernetes',
			name: 'debian',
			cpus: 1,
			memoryBytes: 1_000,
			lifetimeS: 60
		});
	});

	it('can be made only where policies deny it the network', async () => {
		const { provider } = await start({ [POLICIES]: denied });
		await provider.check();
		const open = await start({ [POLICIES]: [200, { items: [] }] });
		const problem = 'In the namespace machines no network policy denies machines egress.';
		await expect(open.provider.check()).rejects.toThrow(problem);
		await expect(open.provider.create()).rejects.toThrow(problem);
		expect(open.calls()).toEqual([POLICIES, POLICIES]);
	});

	it('is a plain pod where the cluster knows nothing else', async () => {
		const { provider, asked } = await start(
			{ [POLICIES]: denied, [`POST ${PODS}`]: [201, {}], [GET]: [200, pod()] },
			{ template: { metadata: { labels: { team: 'a' }, annotations: { note: 'b' } } } }
		);
		const machine = await provider.create();
		expect(machine).toEqual({
			id: expect.stringMatching(/^sandglass-[\da-f-]{36}$/),
			type: 'kubernetes',
			createdMs: Date.UTC(2026, 0, 2, 3, 4, 5),
			isSuspended: false
		});
		expect(asked.find(({ call }) => call.startsWith('POST'))?.body).toEqual({
			apiVersion: 'v1',
			kind: 'Pod',
			metadata: {
				name: machine.id,
				labels: { team: 'a', 'app.kubernetes.io/name': 'sandglass-machine', [LABEL]: OWNER },
				annotations: { note: 'b' }
			},
			spec: expect.objectContaining({ restartPolicy: 'Never', activeDeadlineSeconds: 60 })
		});
	});

	it.each([
		['v1beta1', [{ version: 'v1alpha1' }, { version: 'v1beta1' }]],
		['v1alpha1', [{ version: 'v1alpha1' }, { version: 'v9' }]]
	])('is a sandbox of agent-sandbox %s that ends by itself where the cluster has these', async (version, versions) => {
		const path = SANDBOXES.replace('v1beta1', version);
		const { provider, asked } = await start({
			[POLICIES]: denied,
			[GROUP]: [200, { versions }],
			[`POST ${path}`]: [201, {}],
			[GET]: [200, pod()]
		});
		const before = Date.now();
		const { id } = await provider.create();
		const body = asked.find(({ call }) => call.startsWith('POST'))?.body as { spec: { shutdownTime: string } };
		const labels = { 'app.kubernetes.io/name': 'sandglass-machine', [LABEL]: OWNER };
		expect(body).toEqual({
			apiVersion: `agents.x-k8s.io/${version}`,
			kind: 'Sandbox',
			metadata: { name: id, labels },
			spec: {
				podTemplate: { metadata: { labels }, spec: expect.objectContaining({ restartPolicy: 'Never' }) },
				service: false,
				shutdownTime: expect.any(String),
				shutdownPolicy: 'Delete'
			}
		});
		const lifetimeMs = Date.parse(body.spec.shutdownTime) - before;
		expect(lifetimeMs).toBeGreaterThanOrEqual(60_000);
		expect(lifetimeMs).toBeLessThan(70_000);
	});

	it('is a plain pod beside versions that are not known here', async () => {
		const { provider, calls } = await start({
			[POLICIES]: denied,
			[GROUP]: [200, { versions: [{ version: 'v9' }] }],
			[`POST ${PODS}`]: [201, {}],
			[GET]: [200, pod()],
			[DELETE]: [200, {}]
		});
		const { id } = await provider.create();
		await provider.destroy(id);
		expect(calls()).toContain(`POST ${PODS}`);
		expect(calls().filter((call) => call === GROUP)).toHaveLength(1);
	});

	it('is not made while the cluster does not say what it knows, which is asked again', async () => {
		let state = broken;
		const { provider } = await start({
			[POLICIES]: denied,
			[GROUP]: () => state,
			[`POST ${PODS}`]: [201, {}],
			[GET]: [200, pod()]
		});
		await expect(provider.create()).rejects.toThrow('The cluster is broken.');
		state = missing;
		await expect(provider.create()).resolves.toBeDefined();
	});

	it.each<[problem: string, status: object]>([
		['The pod has ended: Evicted', { phase: 'Failed', reason: 'Evicted' }],
		['The pod has ended: it is Succeeded', { phase: 'Succeeded' }],
		['The pod has ended: it is Failed', { phase: 'Failed', containerStatuses: [{ ready: true }] }],
		['The pod did not start in time: it is Running', { phase: 'Running', containerStatuses: [] }],
		['The pod did not start in time: it is Pending', {}],
		['The pod did not start in time: it is Running', { phase: 'Running', containerStatuses: [{ ready: false }] }],
		[
			'The pod did not start in time: no such image',
			{
				containerStatuses: [{ ready: false, state: { waiting: { reason: 'ErrImagePull', message: 'no such image' } } }]
			}
		],
		[
			'The pod did not start in time: Unschedulable',
			{
				conditions: [
					{ type: 'Initialized', status: 'True', reason: 'Fine' },
					{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }
				]
			}
		],
		[`The pod has ended: ${'x'.repeat(1_000)}`, { phase: 'Failed', message: 'x'.repeat(2_000) }]
	])('that does not start is removed: %s', async (problem, status) => {
		const { provider, asked } = await start({
			[POLICIES]: denied,
			[`POST ${PODS}`]: [201, {}],
			[GET]: [200, pod(status)],
			[DELETE]: [200, {}]
		});
		await expect(provider.create()).rejects.toThrow(new Error(problem));
		expect(asked.at(-1)).toEqual({
			call: DELETE,
			query: '',
			body: { gracePeriodSeconds: 0, preconditions: { uid: 'uid-1' } }
		});
	});

	it('that never appears is said to be none, and one that starts late is waited for', async () => {
		const never = await start({ [POLICIES]: denied, [`POST ${PODS}`]: [201, {}], [GET]: missing });
		await expect(never.provider.create()).rejects.toThrow('The pod did not start in time: there is none');
		let looks = 0;
		const late = await start(
			{
				[POLICIES]: denied,
				[`POST ${PODS}`]: [201, {}],
				[GET]: () => ((looks += 1) === 1 ? missing : [200, pod()])
			},
			{ startMs: undefined }
		);
		await late.provider.create();
		expect(looks).toBe(2);
	});

	it('has the time to start that its operator gives it', async () => {
		const answers: Answers = {
			[POLICIES]: denied,
			[`POST ${PODS}`]: [201, {}],
			[GET]: [200, pod({})],
			[DELETE]: [200, {}]
		};
		const { provider } = await start(answers, { startMs: 100 });
		await expect(provider.create()).rejects.toThrow('The pod did not start in time: it is Pending');
	});

	it('is listed by its label, without those of others and those that are being deleted', async () => {
		const other = ID.replace('0123-', '4567-');
		const { provider, asked } = await start({
			[`GET ${PODS}`]: [
				200,
				{
					items: [
						pod(),
						pod(RUNNING, { name: other, annotations: { 'dev.sandglass.suspended': 'true' } }),
						pod(RUNNING, { name: 'another-pod' }),
						pod(RUNNING, { name: `x${ID}` }),
						pod(RUNNING, { name: `${ID}x` }),
						pod(RUNNING, { labels: { [LABEL]: 'server-2' } }),
						pod(RUNNING, { deletionTimestamp: '2026-01-02T03:04:06Z' })
					]
				}
			]
		});
		const createdMs = Date.UTC(2026, 0, 2, 3, 4, 5);
		expect(await provider.list()).toEqual([
			{ id: ID, type: 'kubernetes', createdMs, isSuspended: false },
			{ id: other, type: 'kubernetes', createdMs, isSuspended: true }
		]);
		expect(asked[0]?.query).toBe('?labelSelector=dev.sandglass.machine%3Dserver-1');
	});

	it('is listed also as a sandbox without a pod, so that it is swept', async () => {
		const other = ID.replace('0123-', '4567-');
		const { provider, asked } = await start({
			[GROUP]: withSandboxes,
			[`GET ${PODS}`]: [200, { items: [pod()] }],
			[`GET ${SANDBOXES}`]: [
				200,
				{
					items: [
						{ metadata: metadata() },
						{ metadata: metadata({ name: other }) },
						{ metadata: metadata({ name: other, labels: {} }) }
					]
				}
			]
		});
		expect((await provider.list()).map(({ id }) => id)).toEqual([ID, other]);
		expect(asked.at(-1)?.query).toBe('?labelSelector=dev.sandglass.machine%3Dserver-1');
	});

	describe.each<[string, string, Answers]>([
		['of another server', ID, { [GET]: [200, pod(RUNNING, { labels: { [LABEL]: 'server-2' } })] }],
		['that is being deleted', ID, { [GET]: [200, pod(RUNNING, { deletionTimestamp: 'x' })] }],
		['that is gone', ID, { [GET]: missing }],
		['that has failed', ID, { [GET]: [200, pod({ phase: 'Failed' })] }],
		['with a name of no machine', '../secrets/token', {}]
	])('%s', (_which, id, answers) => {
		it('is none to attach or to suspend, and has ended', async () => {
			const { provider, calls } = await start(answers);
			await expect(provider.attach(id)).rejects.toThrow(UnknownMachineError);
			await expect(provider.suspend(id)).rejects.toThrow(UnknownMachineError);
			await provider.ended(id, new AbortController().signal);
			expect(new Set(calls())).toEqual(new Set(Object.keys(answers)));
		});
	});

	it('has ended once it is seen to have, and a broken cluster says nothing about it', async () => {
		const seen: Answer[] = [[200, pod()], broken, missing];
		const { provider, calls } = await start({ [GET]: () => seen.shift() ?? missing });
		await provider.ended(ID, new AbortController().signal);
		expect(calls()).toHaveLength(3);
		await expect((await start({ [GET]: broken })).provider.attach(ID)).rejects.toThrow('The cluster is broken.');
	});

	it('is suspended, or goes on, only where it is not so already', async () => {
		const suspended = pod(RUNNING, { annotations: { 'dev.sandglass.suspended': 'true' } });
		const { provider, calls } = await start({ [GET]: [200, suspended] });
		await provider.suspend(ID);
		expect(calls()).toEqual([GET]);
		// To resume, a program sends a signal to its processes, but this cluster starts no programs.
		await expect(provider.attach(ID)).rejects.toThrow('Kubernetes');
		expect(calls().filter((call) => call.startsWith('PATCH'))).toEqual([]);
	});

	it('is removed with its sandbox, under the condition that it is still the same', async () => {
		const { provider, asked } = await start({
			[GROUP]: withSandboxes,
			[`GET ${SANDBOXES}/NAME`]: [200, { metadata: metadata({ uid: 'uid-2' }) }],
			[`DELETE ${SANDBOXES}/NAME`]: [200, {}],
			[GET]: [200, pod()],
			[DELETE]: missing
		});
		await provider.destroy(ID);
		expect(asked.filter(({ call }) => call.startsWith('DELETE'))).toEqual([
			{
				call: `DELETE ${SANDBOXES}/NAME`,
				query: '',
				body: { gracePeriodSeconds: 0, preconditions: { uid: 'uid-2' } }
			},
			{ call: DELETE, query: '', body: { gracePeriodSeconds: 0, preconditions: { uid: 'uid-1' } } }
		]);
	});

	it('is not removed where it is another server’s, or no machine at all', async () => {
		const { provider, calls } = await start({ [GET]: [200, pod(RUNNING, { labels: { [LABEL]: 'server-2' } })] });
		await provider.destroy(ID);
		expect(calls()).toEqual([GROUP, GET]);
		await provider.destroy('../secrets/token');
		expect(calls()).toHaveLength(2);
		const { provider: failing } = await start({ [GET]: broken });
		await expect(failing.destroy(ID)).rejects.toThrow('The cluster is broken.');
	});
});
