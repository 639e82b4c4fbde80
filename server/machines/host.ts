import path from 'node:path';
import { LocalExecutionEnvironment } from '#environment/local/index.ts';
import { UnknownMachineError, type Machine, type MachineProvider } from './contract.ts';

const ID = 'host';

/**
 * Offers one folder of this computer as a machine. It always exists; destroying it leaves the folder alone.
 * Commands have the rights of the user who started the server.
 */
export function hostProvider(directory: string): MachineProvider {
	const machine: Machine = { id: ID, type: ID, createdMs: Date.now(), isSuspended: false };
	const requireKnown = (id: string): void => {
		if (id !== ID) throw new UnknownMachineError();
	};
	return {
		type: { id: ID, kind: 'host', name: path.basename(directory) },
		check: async () => {},
		create: async () => machine,
		list: async () => [machine],
		attach: async (id) => {
			requireKnown(id);
			const environment = new LocalExecutionEnvironment({
				workingDirectory: directory,
				diagnosticsScript: null,
				servers: true
			});
			await environment.initialize();
			return environment;
		},
		suspend: async (id) => requireKnown(id),
		destroy: async () => {}
	};
}
