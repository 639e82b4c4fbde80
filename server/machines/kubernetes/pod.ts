import { HOME, WORKSPACE } from '../confined-environment.ts';
import type { PodTemplate } from './template.ts';

/** Label that names the server a machine belongs to. */
export const OWNER_LABEL = 'dev.sandglass.machine';
/** Labels by which the network policy selects machines, the same for every server. */
export const POLICY_LABELS = { 'app.kubernetes.io/name': 'sandglass-machine' } as const;
export const CONTAINER = 'machine';
/** User id of machines: neither root nor a user of common images. */
const USER = 61_000;
/**
 * Word in the command line of process 1, by which a script recognizes that it runs in a machine and not in a node's
 * namespace.
 */
export const IDLE_MARK = 'sandglass-machine-idle';
/** Process 1: reaps orphans and ends at once on request. */
const IDLE_SCRIPT = `trap "exit 0" TERM INT; : ${IDLE_MARK}; while :; do sleep 3600 & wait $!; done`;
/** Divisor of the CPU limit: a machine requests a tenth of it, and can use all of it. */
const REQUESTED = 10;

export interface PodSettings {
	image: string;
	cpus: number;
	memoryBytes: number;
	/** Size of the workspace, and separately of `/tmp`. */
	diskBytes: number;
	lifetimeS: number;
	/** `runtimeClassName` of the pods, such as `gvisor`. */
	runtime?: string | undefined;
	/** Value of our label. */
	owner: string;
	template?: PodTemplate | undefined;
}

/** Labels of a machine's pod. Ours take precedence over the template's. */
export const podLabels = ({ owner, template }: PodSettings): Record<string, string> => ({
	...template?.metadata?.labels,
	...POLICY_LABELS,
	[OWNER_LABEL]: owner
});

/** Options that confine a machine; `test/server/machines/kubernetes.test.ts` checks each line from inside. */
export function podSpec({ image, cpus, memoryBytes, diskBytes, lifetimeS, runtime, template }: PodSettings): object {
	const inMemory = { emptyDir: { medium: 'Memory', sizeLimit: String(diskBytes) } };
	return {
		...template?.spec,
		...(runtime === undefined ? {} : { runtimeClassName: runtime }),
		restartPolicy: 'Never',
		// The cluster ends it even if this server is gone.
		activeDeadlineSeconds: lifetimeS,
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
			runAsUser: USER,
			runAsGroup: USER,
			fsGroup: USER,
			seccompProfile: { type: 'RuntimeDefault' }
		},
		volumes: [
			{ name: 'workspace', ...inMemory },
			{ name: 'temporary', ...inMemory }
		],
		containers: [
			{
				name: CONTAINER,
				image,
				imagePullPolicy: 'IfNotPresent',
				command: ['sh', '-c', IDLE_SCRIPT],
				workingDir: WORKSPACE,
				env: [{ name: 'HOME', value: HOME }],
				resources: {
					limits: { cpu: String(cpus), memory: String(memoryBytes), 'ephemeral-storage': '64Mi' },
					requests: {
						cpu: `${Math.ceil((cpus * 1_000) / REQUESTED)}m`,
						memory: String(memoryBytes),
						'ephemeral-storage': '64Mi'
					}
				},
				securityContext: {
					allowPrivilegeEscalation: false,
					privileged: false,
					readOnlyRootFilesystem: true,
					capabilities: { drop: ['ALL'] }
				},
				volumeMounts: [
					{ name: 'workspace', mountPath: WORKSPACE },
					{ name: 'temporary', mountPath: '/tmp' }
				]
			}
		]
	};
}
