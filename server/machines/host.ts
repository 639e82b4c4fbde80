import path from 'node:path';
import { LocalExecutionEnvironment } from '#environment/local/index.ts';
import { hostTerminals } from './host-terminal.ts';
import { UnknownMachineError, type Machine, type MachineProvider } from './contract.ts';
import { aborted } from './ended.ts';

const ID = 'host';
const PIPED =
	'This terminal is a shell on pipes: editors, pagers and password prompts do not work in it. Install the optional dependency @lydell/node-pty for more.';

/**
 * Offers one folder of this computer as a machine. It always exists; destroying it leaves the folder unchanged.
 * Commands have the rights of the user who started the server.
 */
export function hostProvider(directory: string): MachineProvider {
	const machine: Machine = { id: ID, type: ID, createdMs: Date.now(), isSuspended: false };
	const terminals = hostTerminals();
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
				servers: true,
				terminals: { open: await terminals, notice: PIPED }
			});
			await environment.initialize();
			return environment;
		},
		ended: (_id, signal) => aborted(signal),
		suspend: async (id) => requireKnown(id),
		destroy: async () => {}
	};
}
