import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Cluster } from '#server/machines/kubernetes/cluster.ts';
import { ConfinedPod } from './confined-pod.ts';
import { execServer, type ExecServer } from './exec-server.ts';

export const NAMESPACE = 'machines';
export const TOKEN = 'token-of-a-service-account';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

/** Part of a pod that determines how it runs, and what a cluster would refuse. */
const podManifest = z.object({
	metadata: z.object({
		name: z.string(),
		labels: z.record(z.string(), z.string()),
		annotations: z.record(z.string(), z.string()).default({})
	}),
	spec: z.object({
		volumes: z.array(
			z.strictObject({
				name: z.string(),
				emptyDir: z.strictObject({ medium: z.literal('Memory'), sizeLimit: z.string() })
			})
		),
		containers: z.tuple([
			z.object({
				name: z.string(),
				image: z.string(),
				command: z.array(z.string()),
				workingDir: z.string(),
				env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
				volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() }))
			})
		])
	})
});
/** Settings that keep a pod from rights, files and secrets of the cluster: all must be present. */
export const confinedManifest = z.object({
	spec: z.object({
		restartPolicy: z.literal('Never'),
		activeDeadlineSeconds: z.literal(600),
		automountServiceAccountToken: z.literal(false),
		enableServiceLinks: z.literal(false),
		hostNetwork: z.literal(false),
		hostPID: z.literal(false),
		hostIPC: z.literal(false),
		shareProcessNamespace: z.literal(false),
		dnsPolicy: z.literal('None'),
		securityContext: z.strictObject({
			runAsNonRoot: z.literal(true),
			runAsUser: z.literal(61_000),
			runAsGroup: z.literal(61_000),
			fsGroup: z.literal(61_000),
			seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') })
		}),
		containers: z.tuple([
			z.object({
				resources: z.object({
					limits: z.strictObject({
						cpu: z.literal('1'),
						memory: z.literal(String(256 * 2 ** 20)),
						'ephemeral-storage': z.literal('64Mi')
					})
				}),
				securityContext: z.strictObject({
					allowPrivilegeEscalation: z.literal(false),
					privileged: z.literal(false),
					readOnlyRootFilesystem: z.literal(true),
					capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) })
				})
			})
		])
	})
});
type Manifest = z.output<typeof podManifest>;

interface StoredPod {
	manifest: Manifest;
	running: Promise<ConfinedPod>;
	object: Record<string, unknown> & { metadata: Record<string, unknown>; status: Record<string, unknown> };
}

export interface StandInOptions {
	versions?: readonly string[];
	/** Version of the cluster's agent-sandbox resources. */
	sandboxes?: 'v1beta1' | 'v1alpha1';
	networkPolicies?: unknown[];
	/** State in which every pod stays instead of running. */
	stuck?: Record<string, unknown>;
}

export const DENY_ALL = {
	metadata: { name: 'machines-without-network' },
	spec: {
		podSelector: { matchLabels: { 'app.kubernetes.io/name': 'sandglass-machine' } },
		policyTypes: ['Ingress', 'Egress']
	}
};

class Refused extends Error {
	constructor(
		readonly code: number,
		message: string
	) {
		super(message);
	}
}

/**
 * Stands in for a cluster: pods, policies and sandboxes with the real paths and objects, and exec with its real
 * protocol over real processes in separate namespaces.
 */
export class StandIn {
	readonly exec: ExecServer;
	/** `METHOD path` of each request, with its query. */
	readonly requests: string[] = [];
	readonly pods = new Map<string, StoredPod>();
	/** Objects that pods were created from, unchanged. */
	readonly manifests = new Map<string, unknown>();
	readonly sandboxes = new Map<string, { metadata: { name: string } & Record<string, unknown>; spec: unknown }>();
	readonly #server: http.Server;

	private constructor(readonly options: StandInOptions) {
		this.exec = execServer(options.versions ?? ['v5.channel.k8s.io', 'v4.channel.k8s.io']);
		// The limit of an API server.
		this.#server = http.createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
			void this.#answer(request).then(({ code, body }) => {
				response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
			});
		});
		this.#server.on('upgrade', (request, socket, head) => {
			void this.#podOf(request).then(
				(pod) => this.exec.accept(request, socket, head, pod),
				(error: unknown) => {
					const { code, body } = refusal(error);
					const text = JSON.stringify(body);
					socket.end(
						`HTTP/1.1 ${code} Refused\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
					);
				}
			);
		});
	}

	static async start(options: StandInOptions = {}): Promise<StandIn> {
		const standIn = new StandIn(options);
		await new Promise<void>((resolve) => standIn.#server.listen(0, '127.0.0.1', resolve));
		return standIn;
	}

	get cluster(): Cluster {
		const { port } = this.#server.address() as AddressInfo;
		return { server: `http://127.0.0.1:${port}`, namespace: NAMESPACE, tls: {}, token: () => TOKEN };
	}

	async stop(): Promise<void> {
		this.exec.close();
		await Promise.all([...this.pods.keys()].map((name) => this.#end(name)));
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	/** Ends a pod like a node that runs out of memory: its object stays. */
	async fail(name: string): Promise<void> {
		const pod = this.pods.get(name);
		await (await pod?.running)?.stop();
		if (pod) Object.assign(pod.object.status, { phase: 'Failed', reason: 'OOMKilled', containerStatuses: [] });
	}

	/** Creates a pod that does not belong to a provider. */
	add(object: unknown): void {
		const manifest = podManifest.parse(object);
		const { metadata, spec } = manifest;
		const [container] = spec.containers;
		const sizes = new Map(spec.volumes.map(({ name, emptyDir }) => [name, emptyDir.sizeLimit]));
		const stored: StoredPod = {
			manifest,
			running: ConfinedPod.start({
				command: container.command,
				env: Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
				workingDir: container.workingDir,
				mounts: container.volumeMounts.map(({ name, mountPath }) => ({
					path: mountPath,
					size: sizes.get(name) ?? '0'
				}))
			}),
			object: {
				metadata: { ...metadata, uid: `uid-of-${metadata.name}`, creationTimestamp: new Date().toISOString() },
				status: { phase: 'Pending', ...this.options.stuck }
			}
		};
		this.pods.set(metadata.name, stored);
		this.manifests.set(metadata.name, object);
		void stored.running.then(() => {
			if (this.options.stuck === undefined)
				Object.assign(stored.object.status, { phase: 'Running', containerStatuses: [{ ready: true }] });
		});
	}

	async #podOf(request: http.IncomingMessage): Promise<ConfinedPod> {
		this.#admit(request);
		const name = new RegExp(`^${PODS}/([^/?]+)/exec\\?`).exec(request.url ?? '')?.[1] ?? '';
		const pod = this.pods.get(name);
		if (!pod) throw new Refused(404, `pods "${name}" not found`);
		return pod.running;
	}

	#admit({ headers, method, url }: http.IncomingMessage): void {
		this.requests.push(`${method} ${url}`);
		if (headers.authorization !== `Bearer ${TOKEN}`) throw new Refused(401, 'Unauthorized');
	}

	async #answer(request: http.IncomingMessage): Promise<{ code: number; body: unknown }> {
		try {
			this.#admit(request);
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk as Buffer);
			const text = Buffer.concat(chunks).toString();
			const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
			const body = await this.#route(
				request.method ?? '',
				pathname,
				text === '' ? undefined : (JSON.parse(text) as unknown),
				searchParams.get('labelSelector')
			);
			return { code: request.method === 'POST' ? 201 : 200, body };
		} catch (error) {
			return refusal(error);
		}
	}

	async #route(method: string, path: string, body: unknown, selector: string | null): Promise<unknown> {
		const { sandboxes: version } = this.options;
		if (path === `/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/networkpolicies`)
			return { items: this.options.networkPolicies ?? [DENY_ALL] };
		if (version !== undefined && path === '/apis/agents.x-k8s.io') return { versions: [{ version }] };
		const sandboxes = `/apis/agents.x-k8s.io/${version}/namespaces/${NAMESPACE}/sandboxes`;
		if (version !== undefined && path.startsWith(sandboxes))
			return this.#routeSandbox(method, path.slice(sandboxes.length + 1), body);
		if (!path.startsWith(PODS)) throw new Refused(404, 'the server could not find the requested resource');
		const name = path.slice(PODS.length + 1);
		if (name === '' && method === 'POST') return void this.add(body);
		if (name === '') return { items: [...this.pods.values()].filter(matching(selector)).map(({ object }) => object) };
		const found = this.pods.get(name);
		if (!found) throw new Refused(404, `pods "${name}" not found`);
		if (method === 'DELETE') await this.#delete(name, body);
		if (method === 'PATCH') mergeAnnotations(found, body);
		return found.object;
	}

	#routeSandbox(method: string, name: string, body: unknown): unknown {
		if (method === 'POST') {
			const sandbox = z
				.object({
					kind: z.literal('Sandbox'),
					metadata: z.looseObject({ name: z.string() }),
					spec: z.object({
						podTemplate: z.strictObject({ metadata: z.looseObject({}), spec: z.unknown() }),
						service: z.literal(false),
						shutdownTime: z.iso.datetime(),
						shutdownPolicy: z.literal('Delete')
					})
				})
				.parse(body);
			const { podTemplate } = sandbox.spec;
			const created = { uid: `uid-of-${sandbox.metadata.name}`, creationTimestamp: new Date().toISOString() };
			this.sandboxes.set(sandbox.metadata.name, { ...sandbox, metadata: { ...sandbox.metadata, ...created } });
			this.add({ ...podTemplate, metadata: { ...podTemplate.metadata, name: sandbox.metadata.name } });
			return sandbox;
		}
		if (name === '') return { items: [...this.sandboxes.values()] };
		const found = this.sandboxes.get(name);
		if (!found) throw new Refused(404, `sandboxes "${name}" not found`);
		if (method === 'DELETE') {
			this.sandboxes.delete(name);
			void this.#end(name);
		}
		return found;
	}

	/** A pod is marked at once, and removed when its processes have ended. */
	async #delete(name: string, options: unknown): Promise<void> {
		const { preconditions } = z.object({ preconditions: z.object({ uid: z.string() }) }).parse(options);
		const found = this.pods.get(name);
		if (found?.object.metadata['uid'] !== preconditions.uid)
			throw new Refused(409, 'the UID in the precondition differs');
		found.object.metadata['deletionTimestamp'] = new Date().toISOString();
		await this.#end(name);
	}

	async #end(name: string): Promise<void> {
		await (await this.pods.get(name)?.running)?.stop();
		this.pods.delete(name);
	}
}

function matching(selector: string | null): (pod: StoredPod) => boolean {
	const [key = '', value] = (selector ?? '').split('=');
	return ({ manifest }) => selector === null || manifest.metadata.labels[key] === value;
}

function mergeAnnotations({ object }: StoredPod, patch: unknown): void {
	const { metadata } = z
		.strictObject({ metadata: z.strictObject({ annotations: z.record(z.string(), z.string().nullable()) }) })
		.parse(patch);
	const merged = Object.entries({ ...(object.metadata['annotations'] as object), ...metadata.annotations });
	object.metadata['annotations'] = Object.fromEntries(merged.filter(([, value]) => value !== null));
}

/** Object with which an API server refuses a request. */
function refusal(error: unknown): { code: number; body: unknown } {
	const code = error instanceof Refused ? error.code : 400;
	const message = error instanceof Error ? error.message : String(error);
	return { code, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code } };
}
