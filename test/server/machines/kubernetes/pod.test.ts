import { describe, expect, it } from 'vitest';
import { networkPolicies, pods } from '#server/machines/kubernetes/answers.ts';
import { networkProblem } from '#server/machines/kubernetes/network-policy.ts';
import { podLabels, podSpec, type PodSettings } from '#server/machines/kubernetes/pod.ts';

const SETTINGS: PodSettings = {
	image: 'debian',
	cpus: 1.5,
	memoryBytes: 1_000,
	diskBytes: 500,
	lifetimeS: 60,
	owner: 'server-1'
};

describe('the pod of a machine', () => {
	it('is confined by each line of its specification', () => {
		const memory = { emptyDir: { medium: 'Memory', sizeLimit: '500' } };
		expect(podSpec(SETTINGS)).toEqual({
			restartPolicy: 'Never',
			activeDeadlineSeconds: 60,
			terminationGracePeriodSeconds: 2,
			automountServiceAccountToken: false,
			enableServiceLinks: false,
			hostNetwork: false,
			hostPID: false,
			hostIPC: false,
			shareProcessNamespace: false,
			dnsPolicy: 'None',
			dnsConfig: { nameservers: ['127.0.0.1'] },
			securityContext: {
				runAsNonRoot: true,
				runAsUser: 61_000,
				runAsGroup: 61_000,
				fsGroup: 61_000,
				seccompProfile: { type: 'RuntimeDefault' }
			},
			volumes: [
				{ name: 'workspace', ...memory },
				{ name: 'temporary', ...memory }
			],
			containers: [
				{
					name: 'machine',
					image: 'debian',
					imagePullPolicy: 'IfNotPresent',
					command: [
						'sh',
						'-c',
						'trap "exit 0" TERM INT; : sandglass-machine-idle; while :; do sleep 3600 & wait $!; done'
					],
					workingDir: '/workspace',
					env: [{ name: 'HOME', value: expect.stringMatching(/^\//) }],
					resources: {
						limits: { cpu: '1.5', memory: '1000', 'ephemeral-storage': '64Mi' },
						requests: { cpu: '150m', memory: '1000', 'ephemeral-storage': '64Mi' }
					},
					securityContext: {
						allowPrivilegeEscalation: false,
						privileged: false,
						readOnlyRootFilesystem: true,
						capabilities: { drop: ['ALL'] }
					},
					volumeMounts: [
						{ name: 'workspace', mountPath: '/workspace' },
						{ name: 'temporary', mountPath: '/tmp' }
					]
				}
			]
		});
	});

	it('has the runtime and the template of its operator, which win over nothing of ours', () => {
		const template = {
			metadata: { labels: { team: 'a', 'dev.sandglass.machine': 'other', 'app.kubernetes.io/name': 'other' } },
			spec: { hostNetwork: true, nodeSelector: { pool: 'x' } }
		} as unknown as NonNullable<PodSettings['template']>;
		expect(podSpec({ ...SETTINGS, runtime: 'gvisor', template })).toMatchObject({
			runtimeClassName: 'gvisor',
			nodeSelector: { pool: 'x' },
			hostNetwork: false
		});
		expect(podLabels({ ...SETTINGS, template })).toEqual({
			team: 'a',
			'app.kubernetes.io/name': 'sandglass-machine',
			'dev.sandglass.machine': 'server-1'
		});
		expect(podLabels({ ...SETTINGS, template: { spec: {} } })).toEqual(podLabels(SETTINGS));
		expect(podLabels(SETTINGS)).toEqual({
			'app.kubernetes.io/name': 'sandglass-machine',
			'dev.sandglass.machine': 'server-1'
		});
	});
});

describe('the network of pods', () => {
	const policy = (spec: object, name = 'deny') => ({ metadata: { name }, spec });
	const problem = (...items: object[]) =>
		networkProblem(networkPolicies.parse({ items }).items, { app: 'machine', tier: 'a' });
	const BOTH = ['Ingress', 'Egress'];

	it.each<[string, string | undefined, object[]]>([
		['is denied by a policy for all pods', undefined, [policy({ policyTypes: BOTH })]],
		['is denied by two', undefined, [policy({ policyTypes: ['Egress'] }), policy({})]],
		['is open without a policy', 'no network policy denies machines egress', []],
		['is open inwards', 'no network policy denies machines ingress', [policy({ policyTypes: ['Egress'] })]],
		['is open outwards', 'no network policy denies machines egress', [policy({})]],
		[
			'is opened outwards by another policy',
			'the network policy allow allows machines egress',
			[policy({ policyTypes: BOTH }), policy({ policyTypes: BOTH, egress: [{}] }, 'allow')]
		],
		[
			'is opened inwards by another policy',
			'the network policy allow allows machines ingress',
			[policy({ policyTypes: BOTH }), policy({ policyTypes: BOTH, ingress: [{}] }, 'allow')]
		]
	])('%s', (_, said, items) => {
		expect(problem(...items)).toBe(said);
	});

	const expression = (key: string, operator: string, values?: string[]) => ({
		matchExpressions: [{ key, operator, ...(values ? { values } : {}) }]
	});
	it.each<[boolean, object]>([
		[true, { matchLabels: { app: 'machine' } }],
		[true, { matchLabels: { app: 'machine', tier: 'a' } }],
		[false, { matchLabels: { app: 'machine', tier: 'b' } }],
		[false, { matchLabels: { other: 'x' } }],
		[true, expression('app', 'Exists')],
		[false, expression('other', 'Exists')],
		[true, expression('other', 'DoesNotExist')],
		[false, expression('app', 'DoesNotExist')],
		[true, expression('app', 'In', ['x', 'machine'])],
		[false, expression('app', 'In', ['x'])],
		[false, expression('other', 'In', ['x'])],
		[true, expression('app', 'NotIn', ['x'])],
		[true, expression('other', 'NotIn', ['x'])],
		[false, expression('app', 'NotIn', ['machine'])],
		[false, { matchLabels: { app: 'machine' }, ...expression('tier', 'In', ['b']) }]
	])('is denied by a policy only for the pods it selects: %s for %j', (isDenied, podSelector) => {
		expect(problem(policy({ podSelector, policyTypes: BOTH })) === undefined).toBe(isDenied);
	});
});

it('takes of an answer what is there, and waits for the rest', () => {
	const metadata = { name: 'a', uid: 'u', creationTimestamp: '2026-01-02T03:04:05Z' };
	const [bare, broken] = pods.parse({
		items: [{ metadata }, { metadata: { ...metadata, creationTimestamp: 'x' } }]
	}).items;
	expect(bare).toEqual({
		metadata: { ...metadata, creationTimestamp: Date.UTC(2026, 0, 2, 3, 4, 5), labels: {}, annotations: {} },
		status: { phase: 'Pending', conditions: [], containerStatuses: [] }
	});
	expect(broken?.metadata.creationTimestamp).toBe(0);
});
