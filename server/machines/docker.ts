import { randomUUID } from 'node:crypto';
import Docker from 'dockerode';
import type { AnswerLimits } from '#environment/prefix/collected.ts';
import { HOME, WORKSPACE, openConfinedEnvironment } from './confined-environment.ts';
import { UnknownMachineError, type Machine, type MachineProvider } from './contract.ts';
import { dockerChannel } from './docker-exec.ts';
import { untilEnded } from './ended.ts';

const LABEL = 'dev.sandglass.machine';
const TYPE = 'docker';
/** User id of machines: neither root nor a user of common images. */
const USER = 61_000;
/** Process 1 of a container: reaps orphans and ends at once on request. */
const IDLE_SCRIPT = 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done';

export interface DockerSettings {
	/** Path of the Engine's socket, or an `http://` address. */
	engine: string;
	image: string;
	cpus: number;
	memoryBytes: number;
	pids: number;
	/** Size of the workspace, and separately of `/tmp`. */
	diskBytes: number;
	lifetimeS: number;
	/** Runtime such as `runsc`; the Engine's default when absent. */
	runtime?: string | undefined;
	/** Value of our label; servers with different values never touch each other's containers. */
	owner: string;
	/** Limits for one answer of a container, for tests. */
	answerLimits?: Partial<AnswerLimits> | undefined;
}

/**
 * Offers containers of a Docker Engine. All their options come from the operator's settings, none from the page. They
 * have no network, no capabilities, a read-only root, and files in memory of limited size.
 */
export function dockerProvider(settings: DockerSettings): MachineProvider {
	const docker = new Docker(engineOptions(settings.engine));
	/** Never returns a container without our label, whatever the id. */
	const find = async (id: string): Promise<Docker.Container | undefined> => {
		if (!/^[0-9a-f]{12,64}$/.test(id)) return undefined;
		const container = docker.getContainer(id);
		try {
			const { Config } = await container.inspect();
			return Config.Labels[LABEL] === settings.owner ? container : undefined;
		} catch (error) {
			if (isMissing(error)) return undefined;
			throw error;
		}
	};
	return {
		type: {
			id: TYPE,
			kind: 'docker',
			name: settings.image,
			cpus: settings.cpus,
			memoryBytes: settings.memoryBytes,
			lifetimeS: settings.lifetimeS
		},
		check: async () => {
			await docker.getImage(settings.image).inspect();
		},
		create: async () => {
			const container = await docker.createContainer(containerOptions(settings));
			try {
				await container.start();
			} catch (error) {
				await container.remove({ force: true });
				throw error;
			}
			return { id: container.id, type: TYPE, createdMs: Date.now(), isSuspended: false };
		},
		list: async () => {
			const filters = { label: [`${LABEL}=${settings.owner}`] };
			return (await docker.listContainers({ all: true, filters })).map(toMachine);
		},
		attach: async (id) => {
			const container = await find(id);
			if (!container) throw new UnknownMachineError();
			const { State } = await container.inspect();
			// If restarted, it would have lost its files, which were in memory.
			if (!State.Running) throw new UnknownMachineError();
			if (State.Paused) await container.unpause();
			return openConfinedEnvironment(dockerChannel(container), settings.answerLimits);
		},
		ended: (id, signal) =>
			untilEnded(async () => {
				const container = await find(id);
				if (!container) return true;
				await container.wait({ condition: 'not-running', abortSignal: signal });
				return true;
			}, signal),
		suspend: async (id) => {
			const container = await find(id);
			if (!container) throw new UnknownMachineError();
			if ((await container.inspect()).State.Paused) return;
			await container.pause();
		},
		destroy: async (id) => {
			const container = await find(id);
			try {
				await container?.remove({ force: true, v: true });
			} catch (error) {
				if (!isMissing(error)) throw error;
			}
		}
	};
}

/** Options that confine a machine; `test/server/machines/docker.test.ts` attacks each line. */
function containerOptions(settings: DockerSettings): Docker.ContainerCreateOptions {
	const files = `rw,exec,nosuid,nodev,size=${settings.diskBytes},uid=${USER},gid=${USER},mode=0700`;
	return {
		name: `sandglass-${randomUUID()}`,
		Image: settings.image,
		Entrypoint: ['sh', '-c', IDLE_SCRIPT],
		Cmd: [],
		User: `${USER}:${USER}`,
		WorkingDir: WORKSPACE,
		Env: [`HOME=${HOME}`],
		Labels: { [LABEL]: settings.owner },
		StopTimeout: 2,
		NetworkDisabled: true,
		HostConfig: {
			NetworkMode: 'none',
			CapDrop: ['ALL'],
			Privileged: false,
			SecurityOpt: ['no-new-privileges'],
			ReadonlyRootfs: true,
			Tmpfs: { [WORKSPACE]: files, '/tmp': files },
			NanoCpus: Math.round(settings.cpus * 1e9),
			Memory: settings.memoryBytes,
			MemorySwap: settings.memoryBytes,
			PidsLimit: settings.pids,
			IpcMode: 'private',
			LogConfig: { Type: 'none', Config: {} },
			RestartPolicy: { Name: 'no' },
			...(settings.runtime === undefined ? {} : { Runtime: settings.runtime })
		}
	};
}

function engineOptions(engine: string): Docker.DockerOptions {
	// The library reads omitted options from DOCKER_HOST, and a host takes precedence over a socket.
	if (engine.startsWith('/')) return { socketPath: engine, host: undefined, protocol: 'http' };
	const { protocol, hostname, port } = new URL(engine);
	return { protocol: protocol === 'https:' ? 'https' : 'http', host: hostname, port: port || 2375 };
}

const toMachine = ({ Id, Created, State }: Docker.ContainerInfo): Machine => ({
	id: Id,
	type: TYPE,
	createdMs: Created * 1_000,
	isSuspended: State === 'paused'
});

const isMissing = (error: unknown): boolean =>
	error instanceof Error && 'statusCode' in error && error.statusCode === 404;
