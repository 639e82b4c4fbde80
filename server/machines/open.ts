import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Configuration } from '../configuration/load.ts';
import type { MachineProvider } from './contract.ts';
import { dockerProvider } from './docker.ts';
import { hostProvider } from './host.ts';
import { MachineLeases } from './leases.ts';

/** Creates what the configuration names; `undefined` if it names no machine. */
export function openMachines(configuration: Configuration): MachineLeases | undefined {
	const providers: MachineProvider[] = [];
	if (configuration.SANDGLASS_HERE !== undefined)
		providers.push(hostProvider(path.resolve(configuration.SANDGLASS_HERE)));
	if (configuration.SANDGLASS_DOCKER !== undefined && configuration.SANDGLASS_MACHINE_IMAGE !== undefined)
		providers.push(
			dockerProvider({
				engine: configuration.SANDGLASS_DOCKER,
				image: configuration.SANDGLASS_MACHINE_IMAGE,
				cpus: configuration.SANDGLASS_MACHINE_CPUS,
				memoryBytes: configuration.SANDGLASS_MACHINE_MEMORY,
				pids: configuration.SANDGLASS_MACHINE_PIDS,
				diskBytes: configuration.SANDGLASS_MACHINE_DISK,
				lifetimeS: configuration.SANDGLASS_MACHINE_LIFETIME,
				runtime: configuration.SANDGLASS_MACHINE_RUNTIME,
				owner: ownerOf(configuration)
			})
		);
	if (providers.length === 0) return undefined;
	return new MachineLeases(providers, {
		perClient: configuration.SANDGLASS_MACHINE_PER_CLIENT,
		idleMs: configuration.SANDGLASS_MACHINE_IDLE * 1_000,
		lifetimeMs: configuration.SANDGLASS_MACHINE_LIFETIME * 1_000
	});
}

/** Stays the same when the server starts again, so that it sweeps what it left behind. */
const ownerOf = ({ SANDGLASS_TOKEN = '', PORT }: Configuration): string =>
	createHash('sha256').update(`machines ${PORT} ${SANDGLASS_TOKEN}`).digest('hex').slice(0, 32);
