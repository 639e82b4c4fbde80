import type { MachineProvider } from '../../../server/machines/contract.ts';
import { dockerProvider } from '../../../server/machines/docker.ts';
import { IMAGE } from '../../server/machines/docker-daemon.ts';

const LIMITS = { cpus: 2, memoryBytes: 2 ** 30, pids: 256, diskBytes: 512 * 2 ** 20, lifetimeS: 3_600 };

/** @param engine socket of the Docker Engine to measure */
export const benchProvider = (engine: string): MachineProvider =>
	dockerProvider({ ...LIMITS, engine, image: IMAGE, owner: 'bench' });
