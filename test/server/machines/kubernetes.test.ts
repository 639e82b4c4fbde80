import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { collected } from '#environment/prefix/collected.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PrefixExecutionEnvironment } from '#environment/prefix/environment.ts';
import { KubernetesApi } from '#server/machines/kubernetes/api.ts';
import { kubernetesChannel } from '#server/machines/kubernetes/exec.ts';
import { kubernetesProvider, type KubernetesSettings } from '#server/machines/kubernetes/provider.ts';
import { describeDeviceTerminal } from '#test/contract/device-terminal.ts';
import { describeEnvironment } from '#test/contract/environment.ts';
import { describeMachineProvider } from '#test/contract/machine-provider.ts';
import { noPods } from './kubernetes/confined-pod.ts';
import { confinedManifest, DENY_ALL, StandIn, type StandInOptions } from './kubernetes/stand-in.ts';

const LIMITS = {
	image: 'debian:13',
	cpus: 1,
	memoryBytes: 256 * 2 ** 20,
	diskBytes: 32 * 2 ** 20,
	lifetimeS: 600,
	owner: 'test'
};
const reason = await noPods();
/** Also runs all tests of the contract over the older protocol and version: a minute and a half. */
const isWhole = process.env['KUBERNETES_SUITE'] === 'all';

/** `resource verb` of each right granted by a role of the manifests. */
function rulesOf(name: string): string[] {
	const file = path.resolve(import.meta.dirname, `../../../deploy/kubernetes/${name}.yaml`);
	const rule = z.strictObject({
		apiGroups: z.tuple([z.string()]),
		resources: z.tuple([z.string()]),
		verbs: z.array(z.string())
	});
	const role = z.object({ kind: z.literal('Role'), rules: z.array(rule) });
	return parseAllDocuments(readFileSync(file, 'utf8'))
		.map((document) => role.safeParse(document.toJS()))
		.flatMap(({ data }) => data?.rules ?? [])
		.flatMap(({ resources, verbs }) => verbs.map((verb) => `${resources[0]} ${verb}`));
}

/** Right that Kubernetes requires for a request; none for public information. */
function rightFor(request: string): string[] {
	const [, method = '', resource = '', name, part] =
		/^(\w+) \S*\/namespaces\/\w+\/(\w+)(?:\/([^/?]+))?(?:\/(\w+))?/.exec(request) ?? [];
	const verbs: Record<string, string> = {
		GET: name ? 'get' : 'list',
		POST: 'create',
		PATCH: 'patch',
		DELETE: 'delete'
	};
	return resource === '' ? [] : [`${resource}${part ? `/${part}` : ''} ${verbs[method]}`];
}

describe.skipIf(reason !== undefined)(
	`machines in Kubernetes, played by a stand-in${reason === undefined ? '' : ` (skipped: ${reason})`}`,
	() => {
		for (const [versions, name] of [
			[['v5.channel.k8s.io', 'v4.channel.k8s.io'], 'exec v5'],
			[['v4.channel.k8s.io'], 'exec v4']
		] as const)
			describe(name, () => {
				let cluster: StandIn;
				let id: string;
				let number = 0;
				beforeAll(async () => {
					cluster = await StandIn.start({ versions });
					({ id } = await kubernetesProvider({ ...LIMITS, cluster: cluster.cluster }).create());
				});
				afterAll(async () => {
					expect(new Set(cluster.exec.chosen)).toEqual(new Set([versions[0]]));
					await cluster.stop();
				});
				const open = async (): Promise<ExecutionEnvironment> => {
					const home = `/workspace/${number++}`;
					const environment = new PrefixExecutionEnvironment({
						prefix: kubernetesChannel(new KubernetesApi(cluster.cluster), { pod: id, container: 'machine' }),
						workingDirectory: `${home}/work space`,
						home
					});
					await environment.initialize();
					return environment;
				};

				// The older protocol differs in how input ends, which the tests below check.
				if (name === 'exec v5' || isWhole)
					describeEnvironment(`a pod over ${name}`, {
						create: open,
						// Each takes seconds here, and all of them are the same for the other environments.
						hostileLoads: isWhole ? 25 : 5,
						lacks: { 'unread input': 'what the connection has taken is not known to be read' }
					});
				describeDeviceTerminal(`a terminal in a pod over ${name}`, open);

				it('carries bytes both ways, with both outputs and the code', async () => {
					const bytes = Buffer.from(new Uint8Array(5_000_000).map((_, index) => index % 251));
					const channel = kubernetesChannel(new KubernetesApi(cluster.cluster), { pod: id, container: 'machine' });
					const echo = channel.open(['sh', '-c', 'cat; echo wrong >&2; exit 3']);
					const answer = await collected(echo, { stdin: bytes, limits: { bytes: 10_000_000 } });
					expect(answer).toMatchObject({ stderr: 'wrong\n', code: 3 });
					expect(answer.bytes.equals(bytes)).toBe(true);
					// A program that reads nothing ends too, though more is sent.
					expect(await collected(channel.open(['sh', '-c', 'exit 4']), { stdin: bytes })).toMatchObject({ code: 4 });
				});
			});

		for (const sandboxes of isWhole
			? ([undefined, 'v1beta1', 'v1alpha1'] as const)
			: ([undefined, 'v1beta1'] as const)) {
			let cluster: StandIn;
			describeMachineProvider(sandboxes ? `as sandboxes of agent-sandbox ${sandboxes}` : 'as plain pods', {
				open: async () => {
					cluster = await StandIn.start(sandboxes ? { sandboxes } : {});
					return kubernetesProvider({ ...LIMITS, cluster: cluster.cluster, lookMs: 50 });
				},
				kill: (id) => cluster.fail(id)
			});
		}

		describe('what only a cluster has', () => {
			const opened: StandIn[] = [];
			const start = async (options: StandInOptions = {}) => {
				const cluster = await StandIn.start(options);
				opened.push(cluster);
				return cluster;
			};
			const provide = (cluster: StandIn, options: Partial<KubernetesSettings> = {}) =>
				kubernetesProvider({ ...LIMITS, cluster: cluster.cluster, ...options });
			const open = (cluster: StandIn, id: string, heartbeatMs?: number) =>
				kubernetesChannel(new KubernetesApi(cluster.cluster), { pod: id, container: 'machine' }, { heartbeatMs }).open;
			afterEach(async () => {
				await Promise.all(opened.splice(0).map((cluster) => cluster.stop()));
			});

			it('confines what runs in it', async () => {
				const cluster = await start();
				const { id } = await provide(cluster).create();
				const environment = await provide(cluster).attach(id);
				const { stdout } = await environment.exec(
					'id -u; grep -E "^(CapEff|NoNewPrivs)" /proc/self/status; ls /sys/class/net 2> /dev/null; touch /usr/x || echo read-only; dd if=/dev/zero of=big bs=1M count=64 2>&1 | grep -o "No space left"'
				);
				expect(stdout).toMatch(/^61000\nCapEff:\s+0{16}\nNoNewPrivs:\s+1\nread-only\nNo space left\n$/);
				const { spec } = confinedManifest.parse(cluster.manifests.get(id));
				expect(spec.containers[0].securityContext.capabilities).toEqual({ drop: ['ALL'] });
				await environment.cleanup();
			});

			it('creates no machine while a policy does not deny it the network', async () => {
				const { metadata, spec } = DENY_ALL;
				const allowing = {
					metadata: { name: 'all-pods' },
					spec: { podSelector: {}, egress: [{}], policyTypes: ['Egress'] }
				};
				const only = (type: string) => ({ metadata, spec: { ...spec, policyTypes: [type] } });
				const other = { metadata, spec: { ...spec, podSelector: { matchLabels: { app: 'other' } } } };
				for (const [networkPolicies, problem] of [
					[[], 'no network policy denies machines egress'],
					[[other], 'no network policy denies machines egress'],
					[[only('Ingress')], 'no network policy denies machines egress'],
					[[only('Egress')], 'no network policy denies machines ingress'],
					[[DENY_ALL, allowing], 'the network policy all-pods allows machines egress']
				] as const) {
					const cluster = await start({ networkPolicies: [...networkPolicies] });
					await expect(provide(cluster).create()).rejects.toThrow(problem);
					expect(cluster.pods.size).toBe(0);
				}
			});

			it.each(['', 'v1beta1', 'v1alpha1'] as const)(
				'needs the rights of its manifests and no others %s',
				async (version) => {
					const rules = [...rulesOf('machines'), ...(version === '' ? [] : rulesOf('agent-sandbox'))];
					const cluster = await start(version === '' ? {} : { sandboxes: version });
					const provider = provide(cluster);
					const { id } = await provider.create();
					await provider.list();
					await provider.suspend(id);
					await (await provider.attach(id)).cleanup();
					await provider.destroy(id);
					const used = new Set(cluster.requests.flatMap(rightFor));
					// Newer clusters require it to start a program.
					used.add('pods/exec create');
					// The controller creates the pods of sandboxes, and may have removed them before we do.
					if (version !== '') for (const right of ['pods create', 'pods delete']) used.add(right);
					expect([...used].sort()).toEqual(rules.sort());
				}
			);

			it('touches no pod without its label', async () => {
				const cluster = await start();
				const { id } = await provide(cluster, { owner: 'another-server' }).create();
				const provider = provide(cluster);
				await expect(provider.attach(id)).rejects.toThrow('no longer exists');
				await expect(provider.suspend(id)).rejects.toThrow('no longer exists');
				await provider.destroy(id);
				expect(await provider.list()).toEqual([]);
				expect(cluster.pods.has(id)).toBe(true);
			});

			it('removes a pod that does not start, and says why it did not', async () => {
				const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "debian:13"' };
				const cluster = await start({ stuck: { containerStatuses: [{ ready: false, state: { waiting } }] } });
				await expect(provide(cluster, { startMs: 0 }).create()).rejects.toThrow('Back-off pulling image');
				expect(cluster.pods.size).toBe(0);
			});

			it('stops the processes of a suspended machine', async () => {
				const cluster = await start();
				const provider = provide(cluster);
				const { id } = await provider.create();
				// One that starts no others: a shell stopped while it starts one waits for it in state D, not T.
				const sleeper = open(cluster, id)(['sh', '-c', 'echo $$; exec sleep 1000']);
				let printed = '';
				sleeper.stdout.on('data', (data) => (printed += String(data)));
				await expect.poll(() => printed).toMatch(/^\d+\n$/);
				const state = async (): Promise<string> => {
					const stat = open(cluster, id)(['cat', `/proc/${Number(printed.split('\n')[0])}/stat`]);
					return (await collected(stat)).stdout.replace(/^.*\) (.).*\n$/, '$1');
				};
				expect(await state()).toMatch(/[RSD]/);
				await provider.suspend(id);
				// A sleeping process is stopped when it is next scheduled, shortly after the signal.
				await expect.poll(state).toBe('T');
				await (await provider.attach(id)).cleanup();
				await expect.poll(state).toMatch(/[RSD]/);
				sleeper.kill();
			});

			it('says what the cluster said where a program cannot be started', async () => {
				const cluster = await start();
				const gone = open(cluster, 'sandglass-00000000-0000-4000-8000-000000000000');
				expect(await collected(gone(['true']))).toMatchObject({
					code: 127,
					stderr: expect.stringContaining('pods "sandglass-00000000-0000-4000-8000-000000000000" not found')
				});
			});

			it('keeps words and contents out of addresses, which clusters log', async () => {
				const cluster = await start();
				const { id } = await provide(cluster).create();
				const environment = await provide(cluster).attach(id);
				await environment.writeFile('private-name.txt', 'private content');
				await environment.exec('echo private words');
				expect(cluster.requests.filter((line) => line.includes('/exec?')).length).toBeGreaterThan(5);
				expect(cluster.requests.filter((line) => line.includes('private'))).toEqual([]);
				expect(Math.max(...cluster.requests.map((line) => line.length))).toBeLessThan(1_000);
				await environment.cleanup();
			});

			it('gives up a connection that does not answer', async () => {
				const cluster = await start();
				const { id } = await provide(cluster).create();
				const child = open(cluster, id, 50)(['sh', '-c', 'echo up; sleep 600']);
				let error: Error | undefined;
				child.once('error', (reason) => (error = reason));
				await new Promise((resolve) => child.stdout.once('data', resolve));
				const ended = new Promise((resolve) => child.once('close', resolve));
				// It stops reading, so it never sees the request.
				for (const socket of cluster.exec.sockets) socket.pause();
				expect(await ended).toBe(127);
				expect(error?.message).toContain('connection to the pod was lost');
			});

			it('makes a program wait whose output is not taken', async () => {
				const cluster = await start();
				const { id } = await provide(cluster).create();
				const flood = (name: string) =>
					open(cluster, id)(['sh', '-c', `head -c 100000000 /dev/zero; echo done > /tmp/${name}`]);
				const isDone = async (name: string) => (await collected(open(cluster, id)(['cat', `/tmp/${name}`]))).code === 0;
				const waiting = flood('waiting');
				await new Promise((resolve) => waiting.stdout.once('readable', resolve));
				const taken = flood('taken');
				for (const output of [taken.stdout, taken.stderr]) output.resume();
				await new Promise((resolve) => taken.once('close', resolve));
				expect([await isDone('taken'), await isDone('waiting')]).toEqual([true, false]);
				expect(waiting.stdout.readableLength).toBeLessThan(8 * 2 ** 20);
				waiting.stdout.resume();
				await expect.poll(() => isDone('waiting'), { timeout: 20_000 }).toBe(true);
			});
		});
	}
);
