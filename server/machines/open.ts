import { createHash } from 'node:crypto';
import path from 'node:path';
import { ConfigurationError, type Configuration } from '../configuration/load.ts';
import type { MachineProvider } from './contract.ts';
import { dockerProvider } from './docker.ts';
import { hostProvider } from './host.ts';
import { ClusterError, readCluster } from './kubernetes/cluster.ts';
import { kubernetesProvider } from './kubernetes/provider.ts';
import { readTemplate } from './kubernetes/template.ts';
import { MachineLeases } from './leases.ts';

/**
 * Creates the machines that the configuration names; `undefined` if it names none.
 * @throws ConfigurationError if a file that it names cannot be used
 */
export function openMachines(configuration: Configuration): MachineLeases | undefined {
	const providers: MachineProvider[] = [];
	const { SANDGLASS_DOCKER: engine, SANDGLASS_KUBERNETES: place, SANDGLASS_MACHINE_IMAGE: image } = configuration;
	if (configuration.SANDGLASS_HERE !== undefined)
		providers.push(hostProvider(path.resolve(configuration.SANDGLASS_HERE)));
	if (engine !== undefined && image !== undefined)
		providers.push(
			dockerProvider({ ...limitsOf(configuration, image), engine, pids: configuration.SANDGLASS_MACHINE_PIDS })
		);
	if (place !== undefined && image !== undefined) providers.push(openKubernetes(configuration, place, image));
	if (providers.length === 0) return undefined;
	return new MachineLeases(providers, {
		perClient: configuration.SANDGLASS_MACHINE_PER_CLIENT,
		idleMs: configuration.SANDGLASS_MACHINE_IDLE * 1_000,
		lifetimeMs: configuration.SANDGLASS_MACHINE_LIFETIME * 1_000
	});
}

/** Settings that containers and pods share. */
const limitsOf = (configuration: Configuration, image: string) => ({
	image,
	cpus: configuration.SANDGLASS_MACHINE_CPUS,
	memoryBytes: configuration.SANDGLASS_MACHINE_MEMORY,
	diskBytes: configuration.SANDGLASS_MACHINE_DISK,
	lifetimeS: configuration.SANDGLASS_MACHINE_LIFETIME,
	runtime: configuration.SANDGLASS_MACHINE_RUNTIME,
	owner: ownerOf(configuration)
});

function openKubernetes(configuration: Configuration, place: string, image: string): MachineProvider {
	const { SANDGLASS_KUBERNETES_NAMESPACE: namespace, SANDGLASS_KUBERNETES_TEMPLATE: template } = configuration;
	try {
		return kubernetesProvider({
			...limitsOf(configuration, image),
			cluster: readCluster(place, { namespace }),
			template: template === undefined ? undefined : readTemplate(template)
		});
	} catch (error) {
		if (error instanceof ClusterError) throw new ConfigurationError([`SANDGLASS_KUBERNETES: ${error.message}`]);
		throw error;
	}
}

/** Stays the same when the server restarts, so that it removes the machines it left behind. */
const ownerOf = ({ SANDGLASS_TOKEN = '', PORT }: Configuration): string =>
	createHash('sha256').update(`machines ${PORT} ${SANDGLASS_TOKEN}`).digest('hex').slice(0, 32);
