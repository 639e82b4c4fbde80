import type { PortInfo } from '#computer/abi/syscalls.ts';
import type { Call } from '#computer/shell/state/host.ts';

/** Servers of this sandbox, by port. */
export const listening = ({ shell }: Call): PortInfo[] =>
	shell.host.context.sync.ports().sort((a, b) => a.port - b.port || a.pid - b.pid);

export const programOf = ({ command }: PortInfo): string => (command.split(' ')[0] ?? '').split('/').at(-1) ?? '';
