import { randomUUID } from 'node:crypto';
import type { AnswerLimits } from '#environment/prefix/collected.ts';
import type { ExecChannel } from '#environment/prefix/exec-channel.ts';
import { openConfinedEnvironment } from '../confined-environment.ts';
import { UnknownMachineError, type Machine, type MachineProvider } from '../contract.ts';
import { untilEnded } from '../ended.ts';
import { anything, apiGroup, networkPolicies, pod as podSchema, pods, sandboxes, type Pod } from './answers.ts';
import { KubernetesApi } from './api.ts';
import type { Cluster } from './cluster.ts';
import { kubernetesChannel } from './exec.ts';
import { networkProblem } from './network-policy.ts';
import { CONTAINER, OWNER_LABEL, podLabels, podSpec, type PodSettings } from './pod.ts';
import { KubernetesError } from './status.ts';
import { signalAll } from './suspension.ts';

const TYPE = 'kubernetes';
const SUSPENDED = 'dev.sandglass.suspended';
const SANDBOX_GROUP = 'agents.x-k8s.io';
/** Versions of the agent-sandbox resources that are supported, newest first. */
const SANDBOX_VERSIONS = ['v1beta1', 'v1alpha1'] as const;
const NAME = /^sandglass-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const START_MS = 120_000;
const LOOK_MS = 500;

export interface KubernetesSettings extends PodSettings {
	cluster: Cluster;
	/** Time for a pod to start, images included. */
	startMs?: number | undefined;
	/** Interval between two checks whether a pod has ended, for tests. Milliseconds. */
	lookMs?: number | undefined;
	/** Limits for one answer of a pod, for tests. */
	answerLimits?: Partial<AnswerLimits> | undefined;
}

/**
 * Offers pods of a cluster: agent-sandbox resources if the cluster supports them, otherwise plain pods. All their
 * options come from the operator's settings, none from the page. None is created unless a network policy denies them
 * network access.
 */
export function kubernetesProvider(settings: KubernetesSettings): MachineProvider {
	const machines = new MachinePods(settings);
	return {
		type: {
			id: TYPE,
			kind: TYPE,
			name: settings.image,
			cpus: settings.cpus,
			memoryBytes: settings.memoryBytes,
			lifetimeS: settings.lifetimeS
		},
		check: () => machines.requireNoNetwork(),
		create: async () => {
			await machines.requireNoNetwork();
			return toMachine(await machines.create());
		},
		list: () => machines.list(),
		attach: async (id) => {
			const found = await machines.find(id);
			if (!found || isOver(found)) throw new UnknownMachineError();
			await machines.setSuspended(found, false);
			return openConfinedEnvironment(machines.channel(id), settings.answerLimits);
		},
		ended: (id, signal) =>
			untilEnded(
				async () => {
					const found = await machines.find(id);
					return !found || isOver(found);
				},
				signal,
				settings.lookMs
			),
		suspend: async (id) => {
			const found = await machines.find(id);
			if (!found || isOver(found)) throw new UnknownMachineError();
			await machines.setSuspended(found, true);
		},
		destroy: (id) => machines.remove(id)
	};
}

/** Pods with this server's label, and the resources that own them. */
class MachinePods {
	readonly #api: KubernetesApi;
	readonly #pods: string;
	#sandboxes: Promise<string | undefined> | undefined;

	constructor(private readonly settings: KubernetesSettings) {
		this.#api = new KubernetesApi(settings.cluster);
		this.#pods = `/api/v1/namespaces/${settings.cluster.namespace}/pods`;
	}

	channel(id: string): ExecChannel {
		return kubernetesChannel(this.#api, { pod: id, container: CONTAINER });
	}

	/** @throws Error if machines would have network access */
	async requireNoNetwork(): Promise<void> {
		const { namespace } = this.settings.cluster;
		const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
		const { items } = await this.#api.ask({ method: 'GET', path }, networkPolicies);
		const problem = networkProblem(items, podLabels(this.settings));
		if (problem) throw new Error(`In the namespace ${namespace} ${problem}.`);
	}

	async create(): Promise<Pod> {
		const name = `sandglass-${randomUUID()}`;
		const labels = podLabels(this.settings);
		const { annotations } = this.settings.template?.metadata ?? {};
		const template = { metadata: { labels, annotations }, spec: podSpec(this.settings) };
		const sandboxesPath = await this.#sandboxesPath();
		try {
			if (sandboxesPath === undefined) {
				const body = { apiVersion: 'v1', kind: 'Pod', ...template, metadata: { ...template.metadata, name } };
				await this.#api.ask({ method: 'POST', path: this.#pods, body }, anything);
			} else {
				const body = {
					apiVersion: sandboxesPath.split('/').slice(2, 4).join('/'),
					kind: 'Sandbox',
					metadata: { name, labels },
					spec: {
						podTemplate: template,
						service: false,
						shutdownTime: new Date(Date.now() + this.settings.lifetimeS * 1_000).toISOString(),
						shutdownPolicy: 'Delete'
					}
				};
				await this.#api.ask({ method: 'POST', path: sandboxesPath, body }, anything);
			}
			return await this.#started(name);
		} catch (error) {
			await this.remove(name);
			throw error;
		}
	}

	/** Finds a machine of this server; `undefined` for a machine of another server, or one that is being deleted. */
	async find(id: string): Promise<Pod | undefined> {
		if (!NAME.test(id)) return undefined;
		try {
			const found = await this.#api.ask({ method: 'GET', path: `${this.#pods}/${id}` }, podSchema);
			return isOurs(found, this.settings.owner) ? found : undefined;
		} catch (error) {
			if (isMissing(error)) return undefined;
			throw error;
		}
	}

	async list(): Promise<Machine[]> {
		const query = `labelSelector=${encodeURIComponent(`${OWNER_LABEL}=${this.settings.owner}`)}`;
		const { items } = await this.#api.ask({ method: 'GET', path: `${this.#pods}?${query}` }, pods);
		const machines = items.filter((each) => isOurs(each, this.settings.owner)).map(toMachine);
		const sandboxesPath = await this.#sandboxesPath();
		if (sandboxesPath === undefined) return machines;
		// A sandbox without a pod is listed too, so that the sweep removes it.
		const owners = await this.#api.ask({ method: 'GET', path: `${sandboxesPath}?${query}` }, sandboxes);
		const withPod = new Set(machines.map(({ id }) => id));
		const withoutPod = owners.items.filter(
			({ metadata }) => !withPod.has(metadata.name) && isOurs({ metadata }, this.settings.owner)
		);
		return [...machines, ...withoutPod.map(toMachine)];
	}

	/** Stops or resumes all processes, and records that in an annotation of the pod. */
	async setSuspended({ metadata: { name, annotations } }: Pod, isSuspended: boolean): Promise<void> {
		if ((annotations[SUSPENDED] === 'true') === isSuspended) return;
		await signalAll(this.channel(name), isSuspended ? 'STOP' : 'CONT');
		const body = { metadata: { annotations: { [SUSPENDED]: isSuspended ? 'true' : null } } };
		await this.#api.ask({ method: 'PATCH', path: `${this.#pods}/${name}`, body }, anything);
	}

	/** Removes a machine of this server and the resource that owns it. A missing one is no error. */
	async remove(id: string): Promise<void> {
		if (!NAME.test(id)) return;
		const sandboxesPath = await this.#sandboxesPath();
		if (sandboxesPath !== undefined) await this.#remove(`${sandboxesPath}/${id}`);
		await this.#remove(`${this.#pods}/${id}`);
	}

	async #remove(path: string): Promise<void> {
		try {
			const { metadata } = await this.#api.ask({ method: 'GET', path }, sandboxes.shape.items.element);
			if (metadata.labels[OWNER_LABEL] !== this.settings.owner) return;
			const body = { gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } };
			await this.#api.ask({ method: 'DELETE', path, body }, anything);
		} catch (error) {
			if (!isMissing(error)) throw error;
		}
	}

	/** Waits until a pod runs. @throws Error with the cluster's reason if it does not start in time, or has ended */
	async #started(name: string): Promise<Pod> {
		const until = Date.now() + (this.settings.startMs ?? START_MS);
		for (;;) {
			const found = await this.find(name);
			if (found && isReady(found)) return found;
			if (found && isOver(found)) throw new Error(`The pod has ended: ${whyNot(found)}`);
			if (Date.now() > until)
				throw new Error(`The pod did not start in time: ${found ? whyNot(found) : 'there is none'}`);
			await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
		}
	}

	/** Path of the agent-sandbox resources; `undefined` if the cluster has none. */
	#sandboxesPath(): Promise<string | undefined> {
		const found = (this.#sandboxes ??= this.#findSandboxes());
		// If the cluster could not be reached, the next call tries again.
		found.catch(() => (this.#sandboxes = undefined));
		return found;
	}

	async #findSandboxes(): Promise<string | undefined> {
		try {
			const { versions } = await this.#api.ask({ method: 'GET', path: `/apis/${SANDBOX_GROUP}` }, apiGroup);
			const version = SANDBOX_VERSIONS.find((known) => versions.some((each) => each.version === known));
			const { namespace } = this.settings.cluster;
			return version && `/apis/${SANDBOX_GROUP}/${version}/namespaces/${namespace}/sandboxes`;
		} catch (error) {
			if (isMissing(error)) return undefined;
			throw error;
		}
	}
}

const isOurs = ({ metadata }: Pick<Pod, 'metadata'>, owner: string): boolean =>
	NAME.test(metadata.name) && metadata.labels[OWNER_LABEL] === owner && metadata.deletionTimestamp === undefined;

const isReady = ({ status }: Pod): boolean =>
	status.phase === 'Running' && status.containerStatuses.some(({ ready }) => ready);

const isOver = ({ status }: Pod): boolean => status.phase === 'Failed' || status.phase === 'Succeeded';

/** Returns the cluster's reason why a pod does not run. */
function whyNot({ status }: Pod): string {
	const waiting = status.containerStatuses.flatMap(({ state }) => state?.waiting ?? []);
	const unmet = status.conditions.filter((condition) => condition.status === 'False');
	const reasons = [status, ...waiting, ...unmet].map(({ reason, message }) => message ?? reason);
	return (reasons.find((reason) => reason !== undefined) ?? `it is ${status.phase}`).slice(0, 1_000);
}

const toMachine = ({ metadata }: Pick<Pod, 'metadata'>): Machine => ({
	id: metadata.name,
	type: TYPE,
	createdMs: metadata.creationTimestamp,
	isSuspended: metadata.annotations[SUSPENDED] === 'true'
});

const isMissing = (error: unknown): boolean => error instanceof KubernetesError && error.code === 404;
