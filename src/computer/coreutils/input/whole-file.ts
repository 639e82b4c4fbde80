import { open } from '#computer/shell/execution/redirections.ts';
import type { Shell } from '#computer/shell/state/shell.ts';

/** Reads an operand to its end: a file, a named pipe, or a name such as `/dev/fd/5`. @throws what opening it throws */
export async function readWhole(shell: Shell, name: string): Promise<Uint8Array> {
	const { sync } = shell.host.context;
	const path = shell.path(name);
	if (!name.startsWith('/dev/') && sync.statOrNull(path)?.kind !== 'fifo') return sync.readFile(path);
	const input = open(shell, name, '<');
	try {
		return await shell.control.race(input.readAll());
	} finally {
		input.release();
	}
}
